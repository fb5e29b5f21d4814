#include "hil/firmware_folder.hpp"

#include <CppUTest/TestHarness.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "support/scratch_folder.hpp"
#include "system/programs.hpp"
#include "system/write_file.hpp"

using namespace lockstep::host;
using namespace lockstep::host::hil;
namespace fs = std::filesystem;

namespace {

// The environment as it was, afterwards.
class Variable {
 public:
  explicit Variable(const char* name) : name_(name) {
    if (const char* value = ::getenv(name)) before_ = value;
  }
  ~Variable() { before_ ? set(*before_) : unset(); }
  void set(const std::string& value) { ::setenv(name_, value.c_str(), 1); }
  void unset() { ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

constexpr const char* kName = "host-float-64-bodies";

}  // namespace

TEST_GROUP(FirmwareFolder) {
  lockstep::test::ScratchFolder scratch;
  Variable home{"HOME"}, cache{"XDG_CACHE_HOME"};
  BuiltFrom from;

  void setup() override {
    home.set(scratch.path("home"));
    cache.unset();
    from = {.root = scratch.path("sources"), .version = "1.0", .compiler = "c++ 12"};
    fs::create_directories(from.root + "/core");
    write_file(from.root + "/core/a.hpp", "one");
  }
  fs::path folder_of(const BuiltFrom& other) {
    return FirmwareFolder("", kName, other, true).path();
  }
};

TEST(FirmwareFolder, IsAnotherForEachCheckoutVersionAndCompiler) {
  const fs::path first = folder_of(from);
  CHECK_TRUE(first == folder_of(from));
  CHECK_TRUE(first.string().starts_with(scratch.path("home") + "/.cache/lockstep/"));
  for (std::string BuiltFrom::*part :
       {&BuiltFrom::root, &BuiltFrom::version, &BuiltFrom::compiler}) {
    BuiltFrom other = from;
    other.*part += "x";
    CHECK_TRUE(first != folder_of(other));
  }
}

TEST(FirmwareFolder, WhatWasBuiltStaysUntilItsSourcesChange) {
  const fs::path built = folder_of(from) / "image.elf";
  write_file(built.string(), "image");
  folder_of(from);
  CHECK_TRUE(fs::exists(built));
  // as a package does it: newer text in an older file
  const auto before = fs::last_write_time(from.root + "/core/a.hpp");
  write_file(from.root + "/core/a.hpp", "two");
  fs::last_write_time(from.root + "/core/a.hpp", before - std::chrono::hours(1));
  folder_of(from);
  CHECK_FALSE(fs::exists(built));
}

TEST(FirmwareFolder, AFolderOfTheUsersIsNotEmptied) {
  const std::string mine = scratch.path("mine");
  const fs::path path = FirmwareFolder(mine, kName, from, true).path();
  STRCMP_EQUAL((mine + "/" + kName).c_str(), path.c_str());
  write_file((path / "image.elf").string(), "image");
  FirmwareFolder(mine, kName, {.root = "/other", .version = "2", .compiler = "cc"}, true);
  CHECK_TRUE(fs::exists(path / "image.elf"));
}

TEST(FirmwareFolder, OfTwoRunsAtOnceOneWaits) {
  FirmwareFolder first("", kName, from, true);
  std::atomic<bool> entered = false;
  std::thread second([&] {
    FirmwareFolder own("", kName, from, true);
    entered = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK_FALSE(entered);
  first.unlock();
  second.join();
  CHECK_TRUE(entered);
}

// No folder can be made there, not even by root.
TEST(FirmwareFolder, ACacheThatCannotBeWrittenIsNotUsed) {
  cache.set("/proc/self");
  fs::path path;
  {
    FirmwareFolder folder("", kName, from, true);
    path = folder.path();
    CHECK_TRUE(path.string().starts_with(fs::temp_directory_path().string()));
    write_file((path / "image.elf").string(), "image");
  }
  CHECK_FALSE(fs::exists(path));
}

TEST(FirmwareFolder, AChosenFolderThatCannotBeWrittenIsToldWithTheRemedy) {
  try {
    FirmwareFolder("/proc/self/here", kName, from, true);
    FAIL("no complaint");
  } catch (const Error& error) {
    const std::string told = error.what();
    CHECK_TRUE(told.starts_with("/proc/self/here/") &&
               told.ends_with("give another with --firmware"));
  }
}

TEST(FirmwareFolder, WithoutAHomeItIsPrivateAndVanishes) {
  fs::path path;
  for (const char* value : {"", "not/absolute", "/proc/nowhere"}) {
    home.set(value);
    FirmwareFolder folder("", kName, from, true), another("", kName, from, true);
    path = folder.path();
    CHECK_TRUE(path != another.path());  // nobody can tell its name before
    struct stat status;
    LONGS_EQUAL(0, ::stat(path.parent_path().c_str(), &status));
    LONGS_EQUAL(0700, status.st_mode & 0777);
  }
  home.unset();
  path = folder_of(from);
  CHECK_FALSE(fs::exists(path.parent_path()));
}
