# lockstep_build_id: a header with LOCKSTEP_BUILD_ID, a hash over what firmware is built from, so that a host
# can tell an image of other sources. Included, it adds the target; as a script (-P) it writes the header.
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_policy(VERSION 3.25)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/core/lockstep/*.hpp" "${ROOT}/firmware/*.hpp"
    "${ROOT}/firmware/*.cpp" "${ROOT}/firmware/*.ld")
  list(SORT files)
  set(all "")
  foreach(file ${files})
    file(SHA256 "${ROOT}/${file}" hash)
    string(APPEND all "${file} ${hash}\n")
  endforeach()
  string(SHA256 hash "${all}")
  string(SUBSTRING "${hash}" 0 8 id)
  file(CONFIGURE OUTPUT "${HEADER}" CONTENT "#define LOCKSTEP_BUILD_ID 0x@id@u\n" @ONLY)
  return()
endif()

set(build_id_folder "${PROJECT_BINARY_DIR}/build_id")
add_custom_target(lockstep_build_id_header
  COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}"
          "-DHEADER=${build_id_folder}/lockstep_build_id.hpp" -P "${CMAKE_CURRENT_LIST_FILE}"
  BYPRODUCTS "${build_id_folder}/lockstep_build_id.hpp" VERBATIM)
add_library(lockstep_build_id INTERFACE)
add_dependencies(lockstep_build_id lockstep_build_id_header)
target_include_directories(lockstep_build_id INTERFACE "${build_id_folder}")
