#include "print.hpp"

#include <cstdio>

#include "hashes.hpp"

namespace lockstep::test {

namespace {

bool good = true;

}  // namespace

bool all_went() { return good; }

void tell(const char* what, const char* scalar, std::uint64_t hash, Status worst) {
  std::printf("%s, %s %016llx\n", what, scalar, static_cast<unsigned long long>(hash));
  std::fflush(stdout);
  if (has_moved(worst)) return;
  std::printf("%s, %s: %s\n", what, scalar, to_string(worst));
  good = false;
}

}  // namespace lockstep::test
