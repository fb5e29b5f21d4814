#include "system/write_file.hpp"

#include <filesystem>

#include "support/scratch_folder.hpp"
#include "text/error.hpp"

#include <CppUTest/TestHarness.h>

namespace fs = std::filesystem;
using lockstep::host::Error;
using lockstep::host::write_file;

TEST_GROUP(WriteFile) {
  lockstep::test::ScratchFolder scratch;
  const fs::path& folder = scratch.path();
};

TEST(WriteFile, ReplacesAFileWhole) {
  write_file(folder / "a", "a long first text");
  write_file(folder / "a", "second");
  STRCMP_EQUAL("second", scratch.read("a").c_str());
  LONGS_EQUAL(1, scratch.files());
}

TEST(WriteFile, LinkStaysALinkToTheNewText) {
  write_file(folder / "target", "old");
  fs::create_symlink("target", folder / "link");
  write_file(folder / "link", "new");
  CHECK_TRUE(fs::is_symlink(folder / "link"));
  STRCMP_EQUAL("new", scratch.read("target").c_str());
  LONGS_EQUAL(2, scratch.files());
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
  LONGS_EQUAL(0, scratch.files());
}

TEST(WriteFile, FolderAsTargetIsAnErrorThatLeavesNothingBehind) {
  fs::create_directory(folder / "a");
  CHECK_THROWS(Error, write_file(folder / "a", "text"));
  LONGS_EQUAL(1, scratch.files());
}
