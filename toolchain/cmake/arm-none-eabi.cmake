# What all Cortex-M targets share. The including file sets LOCKSTEP_CPU_FLAGS.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Scheduling before registers are allocated makes a straight line spill: 7 % more instructions.
set(CMAKE_CXX_FLAGS_INIT "${LOCKSTEP_CPU_FLAGS} -mthumb -mfloat-abi=hard \
-ffunction-sections -fdata-sections -fno-exceptions -fno-rtti -fno-threadsafe-statics \
-fno-schedule-insns")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
