// What firmware/apps/report_hash.hpp reports, from the host.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>

namespace lockstep::test {

template <class Motion>
void print_hash(const char* name) {
  const std::uint64_t hash = std::make_unique<Motion>()->run();
  std::printf("%s 0x%016llx\n", name, static_cast<unsigned long long>(hash));
}

}  // namespace lockstep::test
