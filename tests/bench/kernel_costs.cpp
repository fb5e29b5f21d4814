// Prints the floating-point operations of each kernel; run by the script kernel-costs beside it,
// which lets callgrind count the instructions of the functions below.
#include <cstdio>
#include <cstring>

#include "inspect/counted.hpp"
#include "lockstep/lanes.hpp"
#include "lockstep/nullspace.hpp"

namespace {

using namespace lockstep;
using host::Counted;
using Four = Lanes<double, 4>;

// A body in general position: no zero and no one makes anything cheaper.
template <class T>
struct Bench {
  BodyData<T> body = to_body_data<T>({.parent = 0,
                                      .R_PJ = {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6},
                                      .p_PJ = {0.1, 0.2, 0.3},
                                      .mass = 2,
                                      .h = {0.2, 0.1, 0.3},
                                      .inertia = {0.5, 0.01, 0.02, 0.6, 0.03, 0.7},
                                      .damping = 0.1},
                                     {});
  BodyState<T> parent{}, state{};
  T q[7] = {T(0.1), T(0.2), T(0.3), T(0), T(0.6), T(0), T(0.8)};
  T v[6] = {T(0.1), T(0.2), T(0.3), T(0.4), T(0.5), T(0.6)};
  T joint[6] = {T(1), T(2), T(3), T(4), T(5), T(6)};
  Vec3<T> gravity = {T(0.1), T(0.2), T(-9.8)};
};

void print(const char* kernel) {
  const host::OperationCount& count = Counted::operations;
  std::printf("%s %lld %lld %lld\n", kernel, count.adds + count.negations, count.multiplies,
              count.divides);
}

}  // namespace

#define LOCKSTEP_KERNELS(name, type, Scalar)                                            \
  extern "C" [[gnu::noinline]] void advance_##name(Bench<Scalar>& b) {                  \
    advance<JointType::type>(b.body, b.q, b.v, &b.parent, b.state);                     \
  }                                                                                     \
  extern "C" [[gnu::noinline]] void eliminate_##name(Bench<Scalar>& b) {                \
    static_cast<void>(eliminate<JointType::type>(b.body, b.joint, &b.parent, b.state)); \
  }                                                                                     \
  extern "C" [[gnu::noinline]] void resolve_##name(Bench<Scalar>& b) {                  \
    resolve<JointType::type>(b.body, b.gravity, &b.parent, b.state, b.joint);           \
  }

#define LOCKSTEP_JOINT(name, type)                                                                \
  LOCKSTEP_KERNELS(name, type, double)                                                            \
  LOCKSTEP_KERNELS(name##_lanes, type, Four)                                                      \
  namespace {                                                                                     \
  void run_##name(int calls) {                                                                    \
    static Bench<double> one;                                                                     \
    static Bench<Four> four;                                                                      \
    for (int i = 0; i < calls; ++i) {                                                             \
      one = {}, four = {};                                                                        \
      advance_##name(one), advance_##name##_lanes(four);                                          \
      eliminate_##name(one), eliminate_##name##_lanes(four);                                      \
      resolve_##name(one), resolve_##name##_lanes(four);                                          \
    }                                                                                             \
    Bench<Counted> counted;                                                                       \
    Counted::operations = {};                                                                     \
    advance<JointType::type>(counted.body, counted.q, counted.v, &counted.parent, counted.state); \
    print("advance_" #name), Counted::operations = {};                                            \
    static_cast<void>(                                                                            \
        eliminate<JointType::type>(counted.body, counted.joint, &counted.parent, counted.state)); \
    print("eliminate_" #name), Counted::operations = {};                                          \
    resolve<JointType::type>(counted.body, counted.gravity, &counted.parent, counted.state,       \
                             counted.joint);                                                      \
    print("resolve_" #name);                                                                      \
  }                                                                                               \
  }

LOCKSTEP_JOINT(revolute, kRevolute)
LOCKSTEP_JOINT(prismatic, kPrismatic)
LOCKSTEP_JOINT(ball, kBall)
LOCKSTEP_JOINT(planar, kPlanar)
LOCKSTEP_JOINT(floating, kFloating)

int main() {
  constexpr int kCalls = 100;  // kernel-costs divides by it
  run_revolute(kCalls), run_prismatic(kCalls), run_ball(kCalls), run_planar(kCalls);
  run_floating(kCalls);
}
