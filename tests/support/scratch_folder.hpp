// A folder for a test's files that vanishes with the test.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "system/temporary_folder.hpp"

namespace lockstep::test {

class ScratchFolder {
 public:
  const std::filesystem::path& path() const { return folder_.path(); }
  std::string path(const std::string& name) const { return (path() / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path() / name, std::ios::binary) << text;
    return path(name);
  }
  std::string read(const std::string& name) const {
    std::ifstream stream(path() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path()), {}));
  }

 private:
  host::TemporaryFolder folder_;
};

}  // namespace lockstep::test
