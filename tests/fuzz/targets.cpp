#include "fuzz/targets.hpp"

#include <cstdio>
#include <cstdlib>

namespace lockstep::fuzz {

namespace {

constexpr Target kTargets[] = {
    {"urdf", urdf},       {"mechanism", mechanism}, {"states", states},
    {"start", start},     {"scenario", scenario},   {"record", record},
    {"torques", torques}, {"heights", heights},     {"stl", stl},
    {"obj", obj},         {"collada", collada},     {"frames", frames},
    {"session", session},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

void complain_unless(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

}  // namespace lockstep::fuzz
