# What all RISC-V targets share. The including file sets LOCKSTEP_CPU_FLAGS. C is picolibc's.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv)
set(CMAKE_CXX_COMPILER riscv64-unknown-elf-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Headers of the C++ library: the compiler's own where it has them (in Debian from trixie on),
# otherwise those of the same release that come with the compiler for Arm (docs/porting.md). Nothing of
# the library is linked.
set(lockstep_cxx_headers)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} --specs=picolibc.specs -E -x c++ -include cmath /dev/null
  RESULT_VARIABLE lockstep_lacks_headers OUTPUT_QUIET ERROR_QUIET)
if(lockstep_lacks_headers)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -dumpversion OUTPUT_VARIABLE lockstep_release
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" lockstep_release "${lockstep_release}")
  file(GLOB lockstep_arm_headers "/usr/include/newlib/c++/${lockstep_release}.*")
  if(NOT lockstep_arm_headers)
    message(FATAL_ERROR "riscv64-unknown-elf-g++ ${lockstep_release} finds no C++ headers: run "
      "toolchain/setup --riscv, or install libstdc++-arm-none-eabi-dev of gcc ${lockstep_release}")
  endif()
  set(lockstep_cxx_headers "-nostdinc++ -isystem ${lockstep_arm_headers} \
-isystem ${lockstep_arm_headers}/arm-none-eabi")
endif()

set(CMAKE_CXX_FLAGS_INIT "${LOCKSTEP_CPU_FLAGS} --specs=picolibc.specs -mcmodel=medany \
-msmall-data-limit=0 -ffunction-sections -fdata-sections -fno-exceptions -fno-rtti \
-fno-threadsafe-statics -fno-schedule-insns ${lockstep_cxx_headers}")
set(CMAKE_EXE_LINKER_FLAGS_INIT -nodefaultlibs)
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT "-lc -lgcc")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
