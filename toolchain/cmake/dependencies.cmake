# Finds Eigen and ETL, all that core needs, and offers them as lockstep::dependencies. The two
# arrive through a directory that holds nothing else: the host's include root breaks newlib in a
# cross build. Installed packages use this file as well.
include_guard(GLOBAL)

set(LOCKSTEP_ETL_DIR "$ENV{LOCKSTEP_ETL_DIR}" CACHE PATH "folder of ETL, where it is not found")

# find_package that tells what to install.
macro(lockstep_require package debian_package)
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} not found: run toolchain/setup, or install ${debian_package}")
  endif()
endmacro()

# Sets `result` to the first of the folders that holds `file`, or to nothing.
function(lockstep_find_folder result file)
  set(${result} "" PARENT_SCOPE)
  foreach(folder IN LISTS ARGN)
    if(EXISTS "${folder}/${file}")
      set(${result} "${folder}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Sets LOCKSTEP_ETL_INCLUDE_DIR. Where a LOCKSTEP_ETL_DIR is given, nothing else will do.
function(lockstep_find_etl)
  list(TRANSFORM CMAKE_PREFIX_PATH APPEND /include OUTPUT_VARIABLE folders)
  list(APPEND folders "${PROJECT_SOURCE_DIR}/build/deps/etl/usr/include" "${LOCKSTEP_ETL_HINT}"
    /usr/include /usr/local/include)
  set(problem "ETL (the Embedded Template Library) not found: run toolchain/setup, or configure "
    "with -DLOCKSTEP_ETL_DIR=<the folder that holds etl/version.h>")
  if(LOCKSTEP_ETL_DIR)
    set(folders "${LOCKSTEP_ETL_DIR}" "${LOCKSTEP_ETL_DIR}/include")
    set(problem "LOCKSTEP_ETL_DIR: no etl/version.h in '${LOCKSTEP_ETL_DIR}' or its include folder")
  endif()
  lockstep_find_folder(found etl/version.h ${folders})
  if(NOT found)
    message(FATAL_ERROR ${problem})
  endif()
  set(LOCKSTEP_ETL_INCLUDE_DIR "${found}" PARENT_SCOPE)
endfunction()

# Sets LOCKSTEP_EIGEN_INCLUDE_DIR.
function(lockstep_find_eigen)
  list(TRANSFORM CMAKE_PREFIX_PATH APPEND /include/eigen3 OUTPUT_VARIABLE folders)
  lockstep_find_folder(found Eigen/Core
    ${folders} /usr/include/eigen3 /usr/local/include/eigen3)
  if(NOT found)
    message(FATAL_ERROR "Eigen not found: run toolchain/setup, or install libeigen3-dev")
  endif()
  set(LOCKSTEP_EIGEN_INCLUDE_DIR "${found}" PARENT_SCOPE)
endfunction()

lockstep_find_etl()
lockstep_find_eigen()
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/deps/include")
file(CREATE_LINK "${LOCKSTEP_ETL_INCLUDE_DIR}/etl" "${CMAKE_BINARY_DIR}/deps/include/etl" SYMBOLIC)
file(CREATE_LINK "${LOCKSTEP_EIGEN_INCLUDE_DIR}/Eigen" "${CMAKE_BINARY_DIR}/deps/include/Eigen"
  SYMBOLIC)
add_library(lockstep::dependencies INTERFACE IMPORTED GLOBAL)
target_include_directories(lockstep::dependencies INTERFACE "${CMAKE_BINARY_DIR}/deps/include")
