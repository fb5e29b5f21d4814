# cpack in a build folder: the program with its package, built before. With --config CPackSourceConfig.cmake:
# the sources. Both by archive.cmake, the same bytes for the same input: CPack's own archives keep times and owners.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # a release is not made of tests
set(CPACK_GENERATOR External)
set(CPACK_SOURCE_GENERATOR External)
set(CPACK_EXTERNAL_ENABLE_STAGING ON)
set(CPACK_EXTERNAL_PACKAGE_SCRIPT "${PROJECT_SOURCE_DIR}/toolchain/cmake/archive.cmake")
set(CPACK_PACKAGE_FILE_NAME "lockstep-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_SOURCE_PACKAGE_FILE_NAME "lockstep-${PROJECT_VERSION}")
set(CPACK_SOURCE_IGNORE_FILES "${PROJECT_SOURCE_DIR}/build/" "/[.]git(/|$)" "/__pycache__/" "/node_modules/")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_LOCKSTEP_DATE "${LOCKSTEP_RELEASE_DATE}")
include(CPack)
