#include "system/read_file.hpp"

#include <filesystem>

#include "support/scratch_folder.hpp"
#include "text/error.hpp"

#include <CppUTest/TestHarness.h>

using lockstep::host::kMebibyte;
using lockstep::host::read_file;
using lockstep::host::try_read_file;

namespace {

std::string refusal(const std::filesystem::path& file, std::size_t most = kMebibyte) {
  try {
    read_file(file, most, "give a file of heights");
  } catch (const lockstep::host::Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_GROUP(ReadFile) { lockstep::test::ScratchFolder scratch; };

TEST(ReadFile, GivesEveryByteUpToTheLimit) {
  const std::string text = std::string("a\0b\r\n", 5) + std::string(kMebibyte - 5, 'x');
  const std::string file = scratch.write("a", text);
  CHECK_TRUE(read_file(file, kMebibyte, "") == text);
  STRCMP_EQUAL((file + ": is larger than 0 MiB; give a file of heights").c_str(),
               refusal(file, kMebibyte - 1).c_str());
}

TEST(ReadFile, EndlessFilesEnd) {
  if (!std::filesystem::exists("/dev/zero")) return;
  STRCMP_EQUAL("/dev/zero: is larger than 1 MiB; give a file of heights",
               refusal("/dev/zero").c_str());
  CHECK_TRUE(try_read_file("/dev/zero", 10).bytes.size() > 10);
}

TEST(ReadFile, FailureIsNotTheEndOfTheFile) {
  STRCMP_EQUAL((scratch.path("none") +
                ": cannot be read (No such file or directory); give a file of heights")
                   .c_str(),
               refusal(scratch.path("none")).c_str());
  STRCMP_CONTAINS("cannot be read (Is a directory)", refusal(scratch.path()).c_str());
  // opens, and fails at the first byte
  if (!std::filesystem::exists("/proc/self/mem")) return;
  STRCMP_CONTAINS("/proc/self/mem: cannot be read (", refusal("/proc/self/mem").c_str());
}
