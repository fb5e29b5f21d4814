// Where firmware is built and kept. In the user's cache a folder for each source tree, version and
// compiler, so that two checkouts and an installed package do not meet; without a home directory a
// private folder that vanishes with the run. Locked while somebody builds in it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "system/temporary_folder.hpp"

namespace lockstep::host::hil {

// What an image comes from, beside the options in its folder's name.
struct BuiltFrom {
  std::string root;      // of the sources
  std::string version;   // of the program
  std::string compiler;  // and its version

  std::string key() const;  // a word that tells them apart
};

// A hash over what firmware is made of: times of files say little where packages put them.
std::string hash_of_sources(const std::filesystem::path& root);

class FirmwareFolder {
 public:
  // `chosen` is the user's own, which is only locked; empty: the cache, where what was built from
  // other sources is removed. Waits for whoever builds there. Throws Error.
  FirmwareFolder(const std::string& chosen, const std::string& name, const BuiltFrom& from,
                 bool quiet);
  ~FirmwareFolder();
  FirmwareFolder(const FirmwareFolder&) = delete;
  FirmwareFolder& operator=(const FirmwareFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void unlock();  // others may build there; what is built stays

 private:
  void lock(bool quiet);

  std::unique_ptr<TemporaryFolder> own_;  // where there is no cache
  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace lockstep::host::hil
