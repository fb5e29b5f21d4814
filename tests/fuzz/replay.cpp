// Runs every file of the corpora through its target, and each cut short and with bits turned
// besides.
//   lockstep_fuzz_replay CORPUS_FOLDER
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz/targets.hpp"

namespace fs = std::filesystem;

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: lockstep_fuzz_replay CORPUS_FOLDER\n");
    return 1;
  }
  std::size_t runs = 0;
  for (const auto& target : lockstep::fuzz::targets()) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(words[1]) / target.name)) {
      files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    if (files.empty()) {
      std::fprintf(stderr, "lockstep_fuzz_replay: no corpus for %s\n", target.name);
      return 1;
    }
    target.run({});
    bool taken = false;
    for (const fs::path& file : files) {
      std::ifstream stream(file, std::ios::binary);
      std::vector<char> read{std::istreambuf_iterator<char>(stream), {}};
      std::vector<std::uint8_t> bytes(read.begin(), read.end());
      taken = target.run(bytes) || taken;
      for (std::size_t i = 1; i < 8; ++i) {
        target.run(std::span(bytes).first(bytes.size() * i / 8));
        if (bytes.empty()) continue;
        std::uint8_t& byte = bytes[bytes.size() * i / 8];
        byte ^= static_cast<std::uint8_t>(1u << i);
        target.run(bytes);
        byte ^= static_cast<std::uint8_t>(1u << i);
      }
      runs += 15;
    }
    if (!taken) {
      std::fprintf(
          stderr,
          "lockstep_fuzz_replay: no file of %s is taken: nothing behind its first check is tried\n",
          target.name);
      return 1;
    }
  }
  std::printf("%zu runs of %zu targets\n", runs, lockstep::fuzz::targets().size());
}
