from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, cmake_layout


class Lockstep(ConanFile):
    name = "lockstep"
    version = "@VERSION@"
    license = "Apache-2.0"
    url = "@URL@"
    description = "Robot dynamics in linear time, without heap, with the same bits everywhere"
    topics = ("robotics", "dynamics", "urdf")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeToolchain", "CMakeDeps"
    exports_sources = "CMakeLists.txt", "lockstep-config.cmake.in", "include/*", "LICENSE"

    def requirements(self):
        self.requires("eigen/3.4.0", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()

    def package(self):
        CMake(self).install()

    def package_id(self):
        self.info.clear()

    def package_info(self):
        # the package's own lockstep-config.cmake knows the flags
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["share/lockstep/cmake"]
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
