// Files of users, read whole and never without a bound: what is endless, too large or fails on the
// way is told, not taken for its end.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace lockstep::host {

inline constexpr std::size_t kMebibyte = std::size_t{1} << 20;

struct FileText {
  std::string bytes;
  std::string trouble;  // why they are not the whole file: "cannot be read (Is a directory)"
};

// Of a larger file, `most` + 1 bytes at least, and no trouble: who reads it judges the size.
FileText try_read_file(const std::filesystem::path& file, std::size_t most);

// Throws Error with the trouble, or the limit in MiB, and the remedy.
std::string read_file(const std::filesystem::path& file, std::size_t most,
                      const std::string& remedy);

}  // namespace lockstep::host
