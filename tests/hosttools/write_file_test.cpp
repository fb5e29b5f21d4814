#include "write_file.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "error.hpp"

#include <CppUTest/TestHarness.h>

namespace fs = std::filesystem;
using lockstep::host::Error;
using lockstep::host::write_file;

namespace {

std::string read_file(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_GROUP(WriteFile) {
  fs::path folder;

  void setup() override {
    std::string name = (fs::temp_directory_path() / "lockstep_write_XXXXXX").string();
    folder = ::mkdtemp(name.data());
  }
  void teardown() override { fs::remove_all(folder); }

  long files() const {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  }
};

TEST(WriteFile, ReplacesAFileWhole) {
  write_file(folder / "a", "a long first text");
  write_file(folder / "a", "second");
  STRCMP_EQUAL("second", read_file(folder / "a").c_str());
  LONGS_EQUAL(1, files());
}

TEST(WriteFile, LinkStaysALinkToTheNewText) {
  write_file(folder / "target", "old");
  fs::create_symlink("target", folder / "link");
  write_file(folder / "link", "new");
  CHECK_TRUE(fs::is_symlink(folder / "link"));
  STRCMP_EQUAL("new", read_file(folder / "target").c_str());
  LONGS_EQUAL(2, files());
}

TEST(WriteFile, FullDeviceIsAnErrorAndStaysADevice) {
  if (!fs::exists("/dev/full")) return;
  CHECK_THROWS(Error, write_file("/dev/full", "text"));
  CHECK_TRUE(fs::is_character_file("/dev/full"));
  write_file("/dev/null", "text");
  CHECK_TRUE(fs::is_character_file("/dev/null"));
}

TEST(WriteFile, MissingFolderIsAnError) {
  CHECK_THROWS(Error, write_file(folder / "missing" / "a", "text"));
  LONGS_EQUAL(0, files());
}

TEST(WriteFile, FolderAsTargetIsAnErrorThatLeavesNothingBehind) {
  fs::create_directory(folder / "a");
  CHECK_THROWS(Error, write_file(folder / "a", "text"));
  LONGS_EQUAL(1, files());
}
