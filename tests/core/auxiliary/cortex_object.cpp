// Forward dynamics with loops and couplings as a board would hold it, in both forms of a model.
#include "lockstep/auxiliary/bounded_stepper.hpp"
#include "lockstep/auxiliary/closed_solver.hpp"
#include "lockstep/auxiliary/closed_stepper.hpp"
#include "lockstep/table_model.hpp"

namespace lockstep {

constexpr constraint::ConstraintRecord pinned() {
  constraint::ConstraintRecord record{static_cast<int>(constraint::ConstraintType::kBall), 1,
                                      kWorld};
  for (const std::size_t i : {0u, 4u, 8u, 12u, 16u, 20u}) record.numbers[i] = 1;
  return record;
}

// Not in an anonymous namespace: what only this file can see, compilers leave out.
struct ClosedArm {
  static constexpr std::uint64_t kHash = 0;
  static constexpr std::array<Node, 0> kForward = {};
  static constexpr std::array<Body, 2> kBodies = {{
      {.mass = 1, .h = {0.1, 0, 0}, .inertia = {0.1, 0, 0, 0.2, 0, 0.2}},
      {.parent = 0, .joint = JointType::kPrismatic, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}},
  }};
  static constexpr std::array<constraint::ConstraintRecord, 1> kLoops = {pinned()};
  static constexpr std::array<Coupling, 1> kCouplings = {{{.first = 0, .count = 2}}};
  static constexpr std::array<CouplingTerm, 2> kCouplingTerms = {{{.body = 0}, {.body = 1}}};
};

template <class T>
using ClosedTable = TableModel<T, 4>;

template <class T>
struct ClosedFunctions {
  using Fixed = ConstrainedSolver<ClosedArm, T, 4>;
  using AtRunTime = ConstrainedSolver<ClosedTable<T>, T, 4, 1>;

  static Status call(Fixed& solver, const typename Fixed::Input& in, typename Fixed::Output& out,
                     typename Fixed::Forces& forces) {
    const auto add = [](Fixed& rows) { return add_model_rows(rows); };
    return solver.forward_dynamics(in, add, out, forces);
  }
  static Status call(AtRunTime& solver, const typename AtRunTime::Input& in,
                     const constraint::Between<constraint::Revolute<T>>& loop,
                     typename AtRunTime::Output& out, typename AtRunTime::Forces& forces) {
    const auto add = [&](AtRunTime& rows) { return rows.add(loop, 1, kWorld); };
    return solver.forward_dynamics(in, add, out, forces);
  }
  static Status call(ClosedSolver<ClosedArm, T>& solver, const typename Fixed::Input& in,
                     typename Fixed::Output& out, rows::Solution<T, 4>& forces) {
    return solver.forward_dynamics(in, out, forces);
  }
  static Status call(ClosedStepper<ClosedArm, T, 4>& stepper, typename Fixed::Input& state,
                     const StepSettings<T>& settings) {
    return stepper.step(state, settings);
  }

  using Bounded = BoundedStepper<ClosedArm, T, Room{12, 2}>;
  static Status call(Bounded& stepper, typename Bounded::Input& state,
                     const BoundedSettings<T>& settings, const typename Bounded::Demands& demands) {
    return stepper.step(state, settings, demands);
  }
  using BoundedTable =
      BoundedStepper<ClosedTable<T>, T, Room{12, 2}, NoRows, contact::HeightField<T>>;
  static Status call(BoundedTable& stepper, typename BoundedTable::Input& state,
                     const BoundedSettings<T>& settings) {
    return stepper.step(state, settings);
  }
};

template struct ClosedFunctions<float>;
#if LOCKSTEP_DOUBLE_FPU
template struct ClosedFunctions<double>;
#endif

}  // namespace lockstep
