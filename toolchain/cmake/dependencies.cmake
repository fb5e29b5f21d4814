# Finds Eigen and ETL, all that core needs, and offers them as lockstep::dependencies; docs/versions.md has
# the versions that will do. The two arrive through a directory that holds nothing else: the host's include
# root breaks newlib in a cross build. Installed packages use this file as well.
include_guard(GLOBAL)

set(LOCKSTEP_ETL_DIR "$ENV{LOCKSTEP_ETL_DIR}" CACHE PATH "folder of ETL, where it is not found")

# Stops where what was found is older than what is tested, or does not tell its version. Notes what the
# SBOM names: LOCKSTEP_VERSION_OF_<name>.
macro(lockstep_require_version name found oldest)
  if("${found}" STREQUAL "")
    message(FATAL_ERROR "${name} does not tell its version; ${oldest} or newer is needed")
  elseif("${found}" VERSION_LESS "${oldest}")
    message(FATAL_ERROR "${name} ${found} is too old: ${oldest} or newer is needed (toolchain/setup)")
  endif()
  set(LOCKSTEP_VERSION_OF_${name} "${found}")
endmacro()

# find_package that tells what to install.
macro(lockstep_require package oldest debian_package)
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} not found: run toolchain/setup, or install ${debian_package}")
  endif()
  # urdfdom tells its version to pkg-config alone
  if(NOT ${package}_VERSION AND EXISTS "${${package}_DIR}/../../pkgconfig/${package}.pc")
    file(STRINGS "${${package}_DIR}/../../pkgconfig/${package}.pc" ${package}_VERSION REGEX "^Version:")
    string(REGEX REPLACE "^Version: *" "" ${package}_VERSION "${${package}_VERSION}")
  endif()
  lockstep_require_version(${package} "${${package}_VERSION}" ${oldest})
endmacro()

# Sets `result` to the numbers that a header defines as macros, with points between.
function(lockstep_version_in result header)
  file(STRINGS "${header}" lines REGEX "^ *# *define ")
  set(version "")
  foreach(macro IN LISTS ARGN)
    if(NOT "${lines}" MATCHES "# *define ${macro} +([0-9]+)")
      set(${result} "" PARENT_SCOPE)
      return()
    endif()
    list(APPEND version "${CMAKE_MATCH_1}")
  endforeach()
  list(JOIN version "." version)
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

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
lockstep_version_in(etl_version "${LOCKSTEP_ETL_INCLUDE_DIR}/etl/version.h"
  ETL_VERSION_MAJOR ETL_VERSION_MINOR ETL_VERSION_PATCH)
lockstep_require_version(ETL "${etl_version}" 20.39)
lockstep_version_in(eigen_version "${LOCKSTEP_EIGEN_INCLUDE_DIR}/Eigen/src/Core/util/Macros.h"
  EIGEN_WORLD_VERSION EIGEN_MAJOR_VERSION EIGEN_MINOR_VERSION)
lockstep_require_version(Eigen "${eigen_version}" 3.4)
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/deps/include")
file(CREATE_LINK "${LOCKSTEP_ETL_INCLUDE_DIR}/etl" "${CMAKE_BINARY_DIR}/deps/include/etl" SYMBOLIC)
file(CREATE_LINK "${LOCKSTEP_EIGEN_INCLUDE_DIR}/Eigen" "${CMAKE_BINARY_DIR}/deps/include/Eigen"
  SYMBOLIC)
add_library(lockstep::dependencies INTERFACE IMPORTED GLOBAL)
target_include_directories(lockstep::dependencies INTERFACE "${CMAKE_BINARY_DIR}/deps/include")
