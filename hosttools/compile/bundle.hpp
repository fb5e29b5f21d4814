// A folder to copy into any project: the model and every header that it needs, found by following
// #includes. Headers include one another relative to themselves, so no include path is needed.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lockstep::host {

using Files = std::map<std::string, std::string>;  // text by path in the folder

// What is bundled beside own files: `headers` (lockstep/solver.hpp) and what they include.
// `eigen` is the folder that holds Eigen/Core; empty: the usual ones. Throws Error.
Files bundle(const Files& own, const std::vector<std::string>& headers, const std::string& eigen);

// Writes the folder whole or not at all. One that is there is replaced if a bundle was written
// there and nothing in it was added or changed since; otherwise throws Error.
void write_bundle(const std::filesystem::path& target, const Files& files);

}  // namespace lockstep::host
