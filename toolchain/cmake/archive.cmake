# Run by cpack on what it staged: one .tar.gz by GNU tar and gzip, names in order, the release's date, no owner,
# no umask; and its SHA-256 beside it.
cmake_policy(VERSION 3.25)
set(archive "${CPACK_PACKAGE_DIRECTORY}/${CPACK_PACKAGE_FILE_NAME}.tar.gz")
get_filename_component(parent "${CPACK_TEMPORARY_DIRECTORY}" DIRECTORY)
get_filename_component(name "${CPACK_TEMPORARY_DIRECTORY}" NAME)
execute_process(
  COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C tar --sort=name --format=ustar "--mtime=${CPACK_LOCKSTEP_DATE} 00:00:00Z"
    --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -C "${parent}" -cf - "${name}"
  COMMAND gzip -9n
  OUTPUT_FILE "${archive}" RESULTS_VARIABLE results ERROR_VARIABLE problem)
if(NOT results STREQUAL "0;0")
  file(REMOVE "${archive}")
  message(FATAL_ERROR "${archive}: ${problem}")
endif()
file(SHA256 "${archive}" hash)
file(WRITE "${archive}.sha256" "${hash}  ${CPACK_PACKAGE_FILE_NAME}.tar.gz\n")
set(CPACK_EXTERNAL_BUILT_PACKAGES "${archive}")
