// A folder of the system's temporary ones that vanishes with this object.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "text/error.hpp"

namespace lockstep::host {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    // mkdtemp puts letters of its own in the place of the six X
    std::string name = (std::filesystem::temp_directory_path() / "lockstep_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error(name + ": cannot make this folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace lockstep::host
