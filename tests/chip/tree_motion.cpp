// What firmware/apps/impulses reports, from the host.
#include "chip/tree_motion.hpp"

#include <cstdio>
#include <memory>

template <class T>
void report(const char* name) {
  const std::uint64_t hash = std::make_unique<lockstep::test::TreeMotion<T>>()->run();
  std::printf("%s 0x%016llx\n", name, static_cast<unsigned long long>(hash));
}

int main() {
  report<float>("float");
  report<double>("double");
}
