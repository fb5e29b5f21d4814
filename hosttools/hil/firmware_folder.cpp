#include "hil/firmware_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <vector>

#include "lockstep/hash.hpp"
#include "model/content_hash.hpp"
#include "system/programs.hpp"
#include "system/write_file.hpp"

namespace lockstep::host::hil {

namespace {

namespace fs = std::filesystem;

constexpr const char* kStamp = "built-from.txt";
constexpr const char* kSources[] = {"CMakeLists.txt", "core", "firmware", "toolchain"};

void add(Hash& hash, const std::string& text) {
  hash.add_all(std::vector<std::uint8_t>(text.begin(), text.end()));
  hash.add_all(std::vector<std::uint8_t>{0});
}

// None where there is no home, or nobody may write there.
std::optional<fs::path> cache_folder() {
  const auto absolute = [](const char* variable) -> std::optional<fs::path> {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value != '/') return std::nullopt;
    return value;
  };
  std::optional<fs::path> cache = absolute("XDG_CACHE_HOME");
  if (!cache) {
    if (const auto home = absolute("HOME")) cache = *home / ".cache";
  }
  if (!cache) return std::nullopt;
  std::error_code failed;
  fs::create_directories(*cache / "lockstep", failed);
  if (failed || ::access((*cache / "lockstep").c_str(), W_OK | X_OK) != 0) return std::nullopt;
  return *cache / "lockstep";
}

}  // namespace

std::string BuiltFrom::key() const {
  Hash hash;
  for (const std::string* text : {&root, &version, &compiler}) add(hash, *text);
  return hash_text(hash.value()).substr(2);
}

std::string hash_of_sources(const fs::path& root) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const char* source : kSources) {
    if (fs::is_regular_file(root / source, ignored)) files.push_back(root / source);
    for (fs::recursive_directory_iterator i(root / source, ignored), end; i != end;
         i.increment(ignored)) {
      if (i->is_regular_file(ignored)) files.push_back(i->path());
    }
  }
  std::ranges::sort(files);
  Hash hash;
  for (const fs::path& file : files) {
    add(hash, file.lexically_relative(root).string());
    add(hash, read_text(file.string()));
  }
  return hash_text(hash.value());
}

FirmwareFolder::FirmwareFolder(const std::string& chosen, const std::string& name,
                               const BuiltFrom& from, bool quiet) {
  const std::optional<fs::path> cache = chosen.empty() ? cache_folder() : std::nullopt;
  if (!chosen.empty()) {
    path_ = fs::path(chosen) / name;
  } else if (cache) {
    path_ = *cache / from.key() / name;
  } else {
    own_ = std::make_unique<TemporaryFolder>();
    path_ = own_->path() / name;
  }
  std::error_code failed;
  fs::create_directories(path_, failed);
  if (failed) {
    throw Error(path_.string() + ": cannot make this folder for the firmware: " + failed.message() +
                "; give another with --firmware");
  }
  lock(quiet);
  if (!cache) return;
  const std::string stamp = "sources " + from.root + " " + hash_of_sources(from.root) +
                            "\nversion " + from.version + "\ncompiler " + from.compiler + "\n";
  if (read_text((path_ / kStamp).string()) == stamp) return;
  for (const auto& entry : fs::directory_iterator(path_)) fs::remove_all(entry.path(), failed);
  write_file((path_ / kStamp).string(), stamp);
}

FirmwareFolder::~FirmwareFolder() { unlock(); }

void FirmwareFolder::lock(bool quiet) {
  const std::string file = path_.string() + ".lock";
  // not for the programs that are started meanwhile: the lock ends with this one
  lock_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0) throw Error(file + ": cannot be written; give another folder with --firmware");
  if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
  if (!quiet) std::cerr << "waiting for another run that builds in " << path_.string() << '\n';
  while (::flock(lock_, LOCK_EX) != 0) {
    if (errno != EINTR)
      throw Error(file + ": cannot be locked; give another folder with --firmware");
  }
}

void FirmwareFolder::unlock() {
  if (lock_ >= 0) ::close(lock_);
  lock_ = -1;
}

}  // namespace lockstep::host::hil
