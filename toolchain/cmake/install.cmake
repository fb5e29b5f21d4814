# What `cmake --install` puts down: core's headers, the tool, and a package for find_package.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/lockstep")
set(version_file "${PROJECT_BINARY_DIR}/lockstep-config-version.cmake")
set(config_file "${PROJECT_BINARY_DIR}/lockstep-config.cmake")

# headers and a host program: a cross build may use the package as well
write_basic_package_version_file("${version_file}" COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
configure_package_config_file(toolchain/cmake/lockstep-config.cmake.in "${config_file}"
  INSTALL_DESTINATION "${package_folder}" NO_SET_AND_CHECK_MACRO)

install(TARGETS lockstep_core lockstep EXPORT lockstep FILE_SET HEADERS)
install(EXPORT lockstep NAMESPACE lockstep:: FILE lockstep-targets.cmake
  DESTINATION "${package_folder}")
install(FILES "${config_file}" "${version_file}" toolchain/cmake/dependencies.cmake
  toolchain/add_model.cmake DESTINATION "${package_folder}")
