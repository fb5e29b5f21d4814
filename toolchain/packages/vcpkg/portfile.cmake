# An overlay port that brings its source: vcpkg install lockstep --overlay-ports=<the folder above>
set(VCPKG_BUILD_TYPE release)  # headers alone
vcpkg_cmake_configure(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/source")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/lockstep/cmake)
vcpkg_install_copyright(FILE_LIST "${CMAKE_CURRENT_LIST_DIR}/source/LICENSE")
