// Where the file is that a robot calls package://robot/meshes/arm.stl.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::host {

// What comes after package:// or model://; empty of other names.
std::string_view below_packages(std::string_view name);

// "robot" of package://robot/meshes/arm.stl; empty of names that are paths or of other places.
std::string package_of(std::string_view name);

// Packages (package:// and model://) are looked for in the given folders, in and above the robot's
// own, then in those of ROS_PACKAGE_PATH and in share/ of those of AMENT_PREFIX_PATH; a folder of
// the package's name is the package itself. Other names are paths, from the robot's folder on, with
// or without file://. None: not there.
std::optional<std::filesystem::path> locate_mesh(
    const std::string& name, const std::filesystem::path& robot,
    const std::vector<std::filesystem::path>& package_paths);

}  // namespace lockstep::host
