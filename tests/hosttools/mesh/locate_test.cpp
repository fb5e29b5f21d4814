#include "mesh/locate.hpp"

#include <cstdlib>

#include "support/scratch_folder.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
namespace fs = std::filesystem;

TEST_GROUP(Locate) {
  test::ScratchFolder folder;

  void setup() override {
    ::unsetenv("ROS_PACKAGE_PATH");
    ::unsetenv("AMENT_PREFIX_PATH");
    for (const char* part : {"ws/arm_pkg/urdf", "ws/arm_pkg/meshes", "else/hand_pkg", "ros"}) {
      fs::create_directories(folder.path() / part);
    }
    for (const char* file :
         {"ws/arm_pkg/meshes/a.stl", "else/hand_pkg/b.stl", "ws/arm_pkg/urdf/c.stl"}) {
      folder.write(file, "x");
    }
  }
  void teardown() override {
    ::unsetenv("ROS_PACKAGE_PATH");
    ::unsetenv("AMENT_PREFIX_PATH");
  }

  std::string find(const std::string& name, std::vector<fs::path> paths = {}) {
    const auto found = host::locate_mesh(name, folder.path() / "ws/arm_pkg/urdf/arm.urdf", paths);
    return found ? found->lexically_normal().lexically_relative(folder.path()).string() : "";
  }
};

TEST(Locate, PackagesAreFoundAboveTheRobotInGivenFoldersAndInRos) {
  STRCMP_EQUAL("ws/arm_pkg/meshes/a.stl", find("package://arm_pkg/meshes/a.stl").c_str());
  STRCMP_EQUAL("", find("package://hand_pkg/b.stl").c_str());
  const std::string elsewhere = folder.path("else");
  STRCMP_EQUAL("else/hand_pkg/b.stl", find("package://hand_pkg/b.stl", {elsewhere}).c_str());
  STRCMP_EQUAL("else/hand_pkg/b.stl", find("model://hand_pkg/b.stl", {elsewhere + "/"}).c_str());
  STRCMP_EQUAL("else/hand_pkg/b.stl",
               find("package://hand_pkg/b.stl", {elsewhere + "/hand_pkg/"}).c_str());
  ::setenv("ROS_PACKAGE_PATH", (folder.path("ros") + "::" + elsewhere).c_str(), 1);
  STRCMP_EQUAL("else/hand_pkg/b.stl", find("package://hand_pkg/b.stl").c_str());
}

TEST(Locate, PackagesAreFoundInShareOfAmentsPrefixes) {
  fs::create_directories(folder.path() / "opt/share/hand_pkg");
  folder.write("opt/share/hand_pkg/d.stl", "x");
  STRCMP_EQUAL("", find("package://hand_pkg/d.stl").c_str());
  ::setenv("AMENT_PREFIX_PATH", (folder.path("ros") + ":" + folder.path("opt")).c_str(), 1);
  STRCMP_EQUAL("opt/share/hand_pkg/d.stl", find("package://hand_pkg/d.stl").c_str());
}

TEST(Locate, OtherNamesArePaths) {
  STRCMP_EQUAL("ws/arm_pkg/urdf/c.stl", find("c.stl").c_str());
  STRCMP_EQUAL("ws/arm_pkg/meshes/a.stl", find("../meshes/a.stl").c_str());
  STRCMP_EQUAL("else/hand_pkg/b.stl", find("file://" + folder.path("else/hand_pkg/b.stl")).c_str());
  for (const char* name : {"", ".", "package://", "package://arm_pkg", "package:///a", "no.stl",
                           "http://x/c.stl", "../meshes"}) {
    STRCMP_EQUAL_TEXT("", find(name).c_str(), name);
  }
}

TEST(Locate, OnlyPackagesHaveAName) {
  STRCMP_EQUAL("arm_pkg", host::package_of("package://arm_pkg/meshes/a.stl").c_str());
  STRCMP_EQUAL("arm_pkg", host::package_of("model://arm_pkg").c_str());
  for (const char* name :
       {"a.stl", "http://example.org/a.stl", "file://host/a.stl", "package://"}) {
    STRCMP_EQUAL_TEXT("", host::package_of(name).c_str(), name);
  }
}
