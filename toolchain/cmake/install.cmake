# What `cmake --install` puts down: core's headers, the tool, and a package for find_package. It may be
# moved as a whole, and needs nothing of the tree that it was built from.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/lockstep")
set(version_file "${PROJECT_BINARY_DIR}/lockstep-config-version.cmake")
set(config_file "${PROJECT_BINARY_DIR}/lockstep-config.cmake")

set(share "${CMAKE_INSTALL_DATADIR}/lockstep")
set(etl_folder "${CMAKE_INSTALL_DATADIR}/lockstep-etl")

# headers and a host program: a cross build may use the package as well
write_basic_package_version_file("${version_file}" COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
configure_package_config_file(toolchain/cmake/lockstep-config.cmake.in "${config_file}"
  INSTALL_DESTINATION "${package_folder}" PATH_VARS etl_folder NO_SET_AND_CHECK_MACRO)

install(TARGETS lockstep_core lockstep EXPORT lockstep FILE_SET HEADERS)
install(EXPORT lockstep NAMESPACE lockstep:: FILE lockstep-targets.cmake
  DESTINATION "${package_folder}")
install(FILES "${config_file}" "${version_file}" toolchain/cmake/dependencies.cmake
  toolchain/add_model.cmake DESTINATION "${package_folder}")

# A controller of one's own for `lockstep sim` and `lockstep hil` includes it: docs/controllers.md.
install(FILES hosttools/robot/lockstep_controller.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

# What `lockstep inspect --target` and `lockstep hil` build images from: a source tree without the host's part.
install(DIRECTORY core firmware DESTINATION "${share}")
install(FILES CMakeLists.txt LICENSE DESTINATION "${share}")
install(PROGRAMS toolchain/build-firmware toolchain/check-no-heap toolchain/emulate toolchain/measure-chip
  DESTINATION "${share}/toolchain")
install(FILES toolchain/add_model.cmake DESTINATION "${share}/toolchain")
install(FILES toolchain/cmake/dependencies.cmake toolchain/cmake/build_id.cmake
  toolchain/cmake/arm-none-eabi.cmake toolchain/cmake/arm-none-eabi-cortex-m4f.cmake
  toolchain/cmake/arm-none-eabi-cortex-m7.cmake toolchain/cmake/arm-none-eabi-cortex-m55.cmake
  toolchain/cmake/riscv64-unknown-elf.cmake toolchain/cmake/riscv64-unknown-elf-riscv32.cmake
  toolchain/cmake/riscv64-unknown-elf-riscv64.cmake
  DESTINATION "${share}/toolchain/cmake")

# The page of --report with the licences of what is in it, where there was a node to bundle it.
install(DIRECTORY "${PROJECT_BINARY_DIR}/share/lockstep-view" DESTINATION "${CMAKE_INSTALL_DATADIR}"
  OPTIONAL)

# And the module that joins the ranks of mpirun, where there was an MPI.
install(DIRECTORY "${PROJECT_BINARY_DIR}/share/lockstep-mpi" DESTINATION "${CMAKE_INSTALL_DATADIR}"
  OPTIONAL)

# ETL, which core includes and few machines have. Its licence, MIT, is at the top of its headers.
install(DIRECTORY "${LOCKSTEP_ETL_INCLUDE_DIR}/etl" DESTINATION "${etl_folder}")

# What all of this is made of, in a form that programs read: SPDX.
install(FILES "${LOCKSTEP_SBOM}" DESTINATION "${share}")
