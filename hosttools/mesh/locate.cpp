#include "mesh/locate.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace lockstep::host {

namespace fs = std::filesystem;

namespace {

std::optional<fs::path> existing(const fs::path& path) {
  std::error_code status;
  return fs::is_regular_file(path, status) ? std::optional(path) : std::nullopt;
}

// A folder that holds the package, or is it.
std::optional<fs::path> in_folder(const fs::path& folder, const fs::path& package,
                                  const fs::path& rest) {
  if (auto found = existing(folder / package / rest)) return found;
  if (folder.filename() == package) return existing(folder / rest);
  return std::nullopt;
}

// Those that a variable names, apart by colons, each with `below` after it.
void add_folders(const char* variable, const char* below, std::vector<fs::path>& folders) {
  const char* value = std::getenv(variable);
  std::string_view rest = value ? value : "";
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    if (!one.empty()) folders.push_back((fs::path(one) / below).lexically_normal());
  }
}

std::optional<fs::path> in_package(std::string_view name, const fs::path& robot,
                                   const std::vector<fs::path>& package_paths) {
  const std::size_t slash = name.find('/');
  if (slash == 0 || slash == std::string_view::npos) return std::nullopt;
  const fs::path package(name.substr(0, slash)), rest(name.substr(slash + 1));
  std::vector<fs::path> folders;
  for (const fs::path& given : package_paths) {
    const fs::path folder = fs::path(given).lexically_normal();
    folders.push_back(folder.has_filename() ? folder : folder.parent_path());
  }
  std::error_code status;
  for (fs::path folder = fs::absolute(robot, status).lexically_normal().parent_path();;
       folder = folder.parent_path()) {
    folders.push_back(folder);
    if (folder == folder.parent_path()) break;
  }
  add_folders("ROS_PACKAGE_PATH", "", folders);
  add_folders("AMENT_PREFIX_PATH", "share", folders);
  for (const fs::path& folder : folders) {
    if (auto found = in_folder(folder, package, rest)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<fs::path> locate_mesh(const std::string& name, const fs::path& robot,
                                    const std::vector<fs::path>& package_paths) {
  if (const auto below = below_packages(name); !below.empty()) {
    return in_package(below, robot, package_paths);
  }
  const std::string_view kFile = "file://";
  const fs::path path = name.starts_with(kFile) ? name.substr(kFile.size()) : name;
  return existing(robot.parent_path() / path);
}

}  // namespace lockstep::host
