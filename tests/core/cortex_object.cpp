// The solver as a board would hold it, in the two forms and the scalars that the board computes
// with. toolchain/check-no-heap reads the symbols of what comes out.
#include "lockstep/direct.hpp"
#include "lockstep/solver.hpp"

namespace {

struct Arm {
  static constexpr std::uint64_t kHash = 0;
  static constexpr std::array<lockstep::Node, 0> kForward = {};
  static constexpr std::array<lockstep::Body, 3> kBodies = {{
      {.mass = 1, .h = {0.1, 0, 0}, .inertia = {0.1, 0, 0, 0.2, 0, 0.2}},
      {.parent = 0,
       .joint = lockstep::JointType::kPrismatic,
       .mass = 1,
       .inertia = {1, 0, 0, 1, 0, 1}},
      {.parent = 1, .joint = lockstep::JointType::kBall, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}},
  }};
};

template <class T>
using Table = lockstep::TableModel<T, 8>;

}  // namespace

#define LOCKSTEP_INSTANTIATE(T)                 \
  template class lockstep::Solver<Arm, T>;      \
  template class lockstep::Solver<Table<T>, T>; \
  template class lockstep::DirectSolver<Table<T>, T>;

LOCKSTEP_INSTANTIATE(float)
#if LOCKSTEP_DOUBLE_FPU
LOCKSTEP_INSTANTIATE(double)
#endif
