// The core as a board would hold it, in the two forms and the scalars that the board computes
// with. toolchain/check-no-heap reads the symbols of what comes out.
#include "lockstep/direct.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/kinematics.hpp"
#include "lockstep/mass_matrix.hpp"
#include "lockstep/solver.hpp"
#include "lockstep/table_model.hpp"

namespace lockstep {

// Not in an anonymous namespace: what only this file can see, compilers leave out.
struct Arm {
  static constexpr std::uint64_t kHash = 0;
  static constexpr std::array<Node, 0> kForward = {};
  static constexpr std::array<Body, 3> kBodies = {{
      {.mass = 1, .h = {0.1, 0, 0}, .inertia = {0.1, 0, 0, 0.2, 0, 0.2}},
      {.parent = 0, .joint = JointType::kPrismatic, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}},
      {.parent = 1, .joint = JointType::kBall, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}},
  }};
};

template <class T>
using Table = TableModel<T, 8>;

// What is a function template and no class.
template <class Model, class T>
struct Functions {
  using Mass = MassMatrix<Model, T>;
  static Status call(const typename ViewOf<Model, T>::Type& model, Mass& mass,
                     typename Solver<Model, T>::Input& in, typename Mass::Matrix& M) {
    const auto from = in.q;
    Status status = integrate(model, in.q, in.v, T(1));
    if (status == Status::kOk) status = difference(model, from, in.q, in.v);
    return status == Status::kOk ? mass.mass_matrix(in.q, M) : status;
  }
};

#define LOCKSTEP_INSTANTIATE_MODEL(Model, T) \
  template class Solver<Model, T>;           \
  template class JointStepper<Model, T>;     \
  template class InverseDynamics<Model, T>;  \
  template class Kinematics<Model, T>;       \
  template struct Functions<Model, T>;

#define LOCKSTEP_INSTANTIATE(T)           \
  LOCKSTEP_INSTANTIATE_MODEL(Arm, T)      \
  LOCKSTEP_INSTANTIATE_MODEL(Table<T>, T) \
  template class DirectSolver<Table<T>, T>;

LOCKSTEP_INSTANTIATE(float)
#if LOCKSTEP_DOUBLE_FPU
LOCKSTEP_INSTANTIATE(double)
#endif

}  // namespace lockstep
