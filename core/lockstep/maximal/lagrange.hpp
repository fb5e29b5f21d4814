// Lagrange multipliers for any mechanism, in linear time where it has no loops (Baraff 1996,
// sections 3 to 8). At a state, M, J and the factor of H are computed once; then three kinds of
// problems have the same solution, each one pass down and up the tree:
//   second order   M vdot = force + J^T lambda,      J vdot + c = 0            accelerations
//   first order    M v = force + J^T lambda,         J v + phi_t = 0           velocities, f = m v
//   impulsive      M (v+ - v) = impulse + J^T lambda,  J v+ + phi_t = 0        velocity changes
// Forces are along the velocities of each body: world axes, at the centre of mass. Method says how
// the system is solved.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/integrate/settings.hpp"
#include "lockstep/maximal/sparse_system.hpp"

namespace lockstep::maximal {

template <class Mechanism, Equations Method = SparseSystem<Mechanism>>
class Lagrange {
 public:
  using T = typename Mechanism::Scalar;
  using State = maximal::State<Mechanism>;
  using Velocities = VelocitiesOf<Mechanism>;
  using Multipliers = MultipliersOf<Mechanism>;
  using Loads = maximal::Loads<Mechanism>;
  using Solution = maximal::SystemSolution<Mechanism>;

  Lagrange() requires Mechanism::kIsStatic = default;
  explicit Lagrange(const Mechanism& mechanism) : system_(mechanism) {}

  // Each body at the origin of its type's Pose, at rest.
  State make_state() const {
    const MechanismCounts counts = mechanism().counts();
    State state = {PosesOf<Mechanism>::Zero(counts.x), Velocities::Zero(counts.v), T(0)};
    mechanism().bodies([&]<class B>(const B&, const BodyPlace& place) {
      store(typename B::Pose{}, state.x.data() + place.x);
    });
    return state;
  }
  Loads make_loads() const {
    return {Velocities::Zero(mechanism().counts().v), {T(0), T(0), T(-9.81)}};
  }
  Solution make_solution() const {
    return {Velocities::Zero(mechanism().counts().v),
            Multipliers::Zero(mechanism().counts().lambda)};
  }

  // Whether rows of it do; without any, nothing is asked of the solver.
  bool yields() const { return Mechanism::kMayYield && mechanism().counts().soft > 0; }

  // Evaluates M, J, c and the rows' errors at the state, and factors H. The solutions below are of
  // this state, until the next, and rows that yield do so as the step says. Form::kAlone: for
  // displacements and velocity changes, of errors that were evaluated before.
  template <Form kForm = Form::kWithValues>
  Status factor(const State& state, const SoftStep<T>& step = {}) {
    if (yields()) soften(step);
    const Status status = system_.template form<kForm>(state);
    if (status != Status::kOk) return status;
    if constexpr (kForm == Form::kWithValues) take_soft();
    return system_.factor();
  }

  // Accelerations and velocities shall pull back the errors that the rows have now, until told
  // otherwise; at first they pull nothing back.
  void pull_back(const Gains<T>& gains) {
    pull_ = gains.velocity * rows().velocity_error + gains.position * rows().value;
  }

  // `state` is the one that was factored.
  Status accelerations(const State& state, const Loads& loads, Solution& out) {
    if (const Status status = check(loads); status != Status::kOk) return status;
    system_.set_bodies([&]<class B>(const B& body, const BodyPlace& place) {
      const auto pose = load<typename B::Pose>(state.x.data() + place.x);
      auto force =
          body.inertial_force(pose, load<Vector<T, B::kDimension>>(state.v.data() + place.v));
      add_loads(body, pose, place, loads, force);
      return force;
    });
    if (yields()) {
      pull_softly(loads);
      system_.set_rows([&](int i) { return rows().c[i] + pull_[i] + soft_pull(i); });
    } else {
      system_.set_rows([&](int i) { return rows().c[i] + pull_[i]; });
    }
    return system_.solve(out);
  }
  // Those that forces cause in a world without inertia: f = m v. `state` was factored.
  Status velocities(const State& state, const Loads& loads, Solution& out) {
    if (const Status status = check(loads); status != Status::kOk) return status;
    system_.set_bodies([&]<class B>(const B& body, const BodyPlace& place) {
      Vector<T, B::kDimension> force{};
      add_loads(body, load<typename B::Pose>(state.x.data() + place.x), place, loads, force);
      return force;
    });
    if (yields()) {
      drag_softly(loads);
      system_.set_rows([&](int i) { return rows().phi_t[i] + pull_[i] + soft_pull(i); });
    } else {
      system_.set_rows([&](int i) { return rows().phi_t[i] + pull_[i]; });
    }
    return system_.solve(out);
  }
  // With no impulses: to the nearest velocities, as the mass matrix measures, that the rows allow.
  Status velocity_changes(const Velocities& impulse, Solution& out) {
    return strike(
        impulse, [&](int i) { return rows().velocity_error[i]; }, out);
  }
  // What impulses change, whatever the rows' errors are.
  Status response(const Velocities& impulse, Solution& out) {
    return strike(
        impulse, [](int) { return T(0); }, out);
  }
  // The nearest displacement that brings the rows' values to zero, to first order.
  Status displacements(Solution& out) { return displacements(rows().value, out); }
  // The same for errors that are not the rows' values.
  Status displacements(const Multipliers& errors, Solution& out) {
    system_.set_bodies(
        []<class B>(const B&, const BodyPlace&) { return Vector<T, B::kDimension>{}; });
    system_.set_rows([&](int i) { return errors[i]; });
    return system_.solve(out);
  }

  // The rows' errors alone, at another state than the factor's.
  Status evaluate(const State& state) {
    const Status status = system_.evaluate(state);
    if (status == Status::kOk) take_soft();
    return status;
  }
  const Multipliers& position_errors() const { return rows().value; }
  const Multipliers& velocity_errors() const { return rows().velocity_error; }
  ConstraintErrors<T> errors() const {
    return {largest(rows().value), largest(rows().velocity_error)};
  }

  // Rows of closed loops that others settle, at the state that was factored.
  int redundant_rows() const { return system_.redundant_rows(); }

  // After kSingular: the constraint whose child cannot follow it at that state (Standing), or
  // kNone.
  int singular_constraint() const { return system_.singular_constraint(); }

  const Mechanism& mechanism() const { return system_.mechanism(); }
  // Values and rates of rows that yield, at the state that was evaluated last.
  auto& soft() { return soft_; }

  // Of the state that was factored, for rows beyond the mechanism's own.
  SparseSystem<Mechanism>& system() { return system_; }

  // Whether loads fit and are finite.
  Status check(const Loads& loads) const {
    const int size = mechanism().counts().v;
    if (loads.force.size() != size) return Status::kWrongSize;
    bool finite = all_finite(loads.force.data(), size) && all_finite(loads.gravity.data(), 3);
    if (yields() && !loads.near.empty()) {
      const int rows = mechanism().counts().lambda;
      if (loads.near.size() != at(rows)) return Status::kWrongSize;
      finite = finite && all_finite(loads.near.data(), rows);
    }
    return finite ? Status::kOk : Status::kNotFinite;
  }

  // Adds the force of gravity and of `loads` on a body at a pose.
  template <class B, class Force>
  static void add_loads(const B& body, const typename B::Pose& pose, const BodyPlace& place,
                        const Loads& loads, Force& force) {
    const auto own = weight(body, pose, {loads.gravity[0], loads.gravity[1], loads.gravity[2]});
    for (int i = 0; i < B::kDimension; ++i) {
      force[at(i)] = force[at(i)] + (own[at(i)] + loads.force[place.v + i]);
    }
  }

 private:
  const auto& rows() const { return system_.rows(); }

  // Methods that know no rows that yield are not asked for any.
  void soften(const SoftStep<T>& step) {
    if constexpr (Mechanism::kMayYield) soft_step_ = step;
    if constexpr (requires { system_.soften(step); }) system_.soften(step);
  }
  void take_soft() {
    if constexpr (Mechanism::kMayYield && requires { system_.editable_rows(); }) {
      if (yields()) soft_.take(mechanism(), system_.editable_rows());
    }
  }
  T soft_pull([[maybe_unused]] int i) const {
    if constexpr (Mechanism::kMayYield) return soft_pull_[i];
    return T(0);
  }
  void pull_softly([[maybe_unused]] const Loads& loads) {
    if constexpr (Mechanism::kMayYield) {
      soft_pull_.setZero(mechanism().counts().lambda);
      soft_.turn_near(mechanism(), loads.near);
      soft_.add_pull(mechanism(), soft_step_.damping, soft_step_, soft_pull_);
    }
  }
  void drag_softly([[maybe_unused]] const Loads& loads) {
    if constexpr (Mechanism::kMayYield) {
      soft_pull_.setZero(mechanism().counts().lambda);
      soft_.turn_near(mechanism(), loads.near);
      soft_.add_drag(mechanism(), soft_step_, soft_pull_);
    }
  }

  // What impulses change where the rows lack lack(i).
  template <class F>
  Status strike(const Velocities& impulse, F&& lack, Solution& out) {
    if (impulse.size() != mechanism().counts().v) return Status::kWrongSize;
    if (!all_finite(impulse.data(), mechanism().counts().v)) return Status::kNotFinite;
    system_.set_bodies([&]<class B>(const B&, const BodyPlace& place) {
      return load<Vector<T, B::kDimension>>(impulse.data() + place.v);
    });
    system_.set_rows(lack);
    return system_.solve(out);
  }

  Method system_;
  Multipliers pull_ = Multipliers::Zero(mechanism().counts().lambda);
  std::conditional_t<Mechanism::kMayYield, SoftStep<T>, NoSoftRows> soft_step_;
  std::conditional_t<Mechanism::kMayYield, Multipliers, NoSoftRows> soft_pull_;
  std::conditional_t<Mechanism::kMayYield, SoftRows<Mechanism>, NoSoftRows> soft_;
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
