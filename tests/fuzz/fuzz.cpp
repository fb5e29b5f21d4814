// libFuzzer's entry: `lockstep_fuzz TARGET [options and corpora of libFuzzer]`. toolchain/run-fuzz
// calls it.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "fuzz/targets.hpp"

namespace {
const lockstep::fuzz::Target* chosen = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  for (const auto& target : lockstep::fuzz::targets()) {
    if (*count > 1 && std::strcmp(target.name, (*words)[1]) == 0) chosen = &target;
  }
  if (chosen == nullptr) {
    std::fprintf(stderr, "lockstep_fuzz: give a target first; one of");
    for (const auto& target : lockstep::fuzz::targets()) std::fprintf(stderr, " %s", target.name);
    std::fprintf(stderr, "\n");
    std::exit(1);
  }
  // the name is none of libFuzzer's files
  (*words)[1] = (*words)[0];
  ++*words;
  --*count;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({data, size});
  return 0;
}
