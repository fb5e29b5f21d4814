// Bender 2007, sections 3 and 4: a step by impulses instead of forces. Every body is predicted to
// move freely over the step (positions under constant acceleration, rotations by Runge-Kutta); the
// rows' errors e there ask for velocity changes e / h at its start, which one solve gives for all
// of them at once; again until no row is off by more than the tolerance. At the end velocities are
// made to fit, with a factor that serves the next step's positions too: one factor a step, no
// stabilization, no drift beyond the tolerance, however long it runs.
#pragma once

#include "lockstep/maximal/lagrange.hpp"

namespace lockstep::maximal {

template <class T>
struct ImpulseSettings {
  T dt{};
  T tolerance = T(1e-6);  // of every row, in its own unit (m, rad); of rates, per dt
  int max_solves = 20;    // of positions, and again of velocities
};

template <class Mechanism, Equations Method = System<Mechanism>>
class ImpulseStepper {
 public:
  using Solver = Lagrange<Mechanism, Method>;
  using T = typename Solver::T;
  using State = typename Solver::State;
  using Loads = typename Solver::Loads;
  using Solution = typename Solver::Solution;
  using Velocities = typename Solver::Velocities;
  using Multipliers = typename Solver::Multipliers;

  ImpulseStepper() requires Mechanism::kIsStatic = default;
  explicit ImpulseStepper(const Mechanism& mechanism) : solver_(mechanism) {}

  Solver& solver() { return solver_; }

  // On any status but kOk the state is as it was; kNotConverged: more solves, or a smaller step,
  // would be needed.
  [[nodiscard]] Status step(State& state, const Loads& loads, const ImpulseSettings<T>& settings) {
    const T h = settings.dt;
    if (!is_finite(h) || !(h > T(0))) return Status::kBadTimeStep;
    if (!(settings.tolerance > T(0))) return Status::kBadTolerance;
    Status status = solver_.check(loads);
    // the factor of the last step's end, unless someone has moved the state since
    if (status == Status::kOk &&
        !(factored_ && state.x == end_.x && state.v == end_.v && state.time == end_.time)) {
      status = solver_.factor(state);
    }
    factored_ = false;
    if (status != Status::kOk) return status;
    impulse_.setZero(solver_.mechanism().counts().lambda);
    start_ = state;
    status = correct_positions(loads, settings);
    if (status == Status::kOk) status = correct_velocities(settings);
    if (status != Status::kOk) return status == Status::kNotFinite ? Status::kOverflow : status;
    factored_ = true;
    state = end_;
    return Status::kOk;
  }

  // Of the last step that was kOk: what each row passed on, in N s or N m s, how many solves it
  // took, and how far the state is from its rows.
  const Multipliers& impulse() const { return impulse_; }
  int solves() const { return solves_; }
  Drift<T> drift() const { return solver_.drift(); }

 private:
  // start_.v changes until end_, a free motion later, is on the constraints.
  Status correct_positions(const Loads& loads, const ImpulseSettings<T>& settings) {
    for (solves_ = 0;; ++solves_) {
      Status status = predict(loads, settings.dt);
      if (status == Status::kOk) status = solver_.evaluate(end_);
      if (status != Status::kOk) return status;
      if (!(drift().position > settings.tolerance)) return Status::kOk;
      if (solves_ == settings.max_solves) return Status::kNotConverged;
      status = solver_.displacements(change_);
      if (status != Status::kOk) return status;
      const T per_step = T(1) / settings.dt;
      start_.v += per_step * change_.v;
      impulse_ += per_step * change_.lambda;
    }
  }

  Status correct_velocities(const ImpulseSettings<T>& settings) {
    const T tolerance = settings.tolerance / settings.dt;
    Status status = solver_.factor(end_);
    for (int i = 0; status == Status::kOk && drift().velocity > tolerance; ++i, ++solves_) {
      if (i == settings.max_solves) return Status::kNotConverged;
      none_.setZero(end_.v.size());
      status = solver_.velocity_changes(none_, change_);
      end_.v += change_.v;
      impulse_ += change_.lambda;
      if (status == Status::kOk) status = solver_.evaluate(end_);
    }
    return status;
  }

  // end_ = start_ after a time h of free motion, body by body.
  Status predict(const Loads& loads, const T& h) {
    Status status = Status::kOk;
    end_.time = start_.time + h;
    solver_.mechanism().bodies([&]<class B>(const B& body, const BodyPlace& place) {
      const Status own = move_freely(body, place, loads, h);
      if (status == Status::kOk) status = own;
    });
    return status;
  }

  template <class B>
  Status move_freely(const B& body, const BodyPlace& place, const Loads& loads, const T& h) {
    using Velocity = Vector<T, B::kDimension>;
    const auto pose = load<typename B::Pose>(start_.x.data() + place.x);
    const auto v = load<Velocity>(start_.v.data() + place.v);
    if constexpr (requires(typename B::Pose & moved, Velocity & then) {
                    body.fly(moved, then, v, h);
                  }) {
      auto moved = pose;
      Velocity then = v, force{};
      Solver::add_loads(body, pose, place, loads, force);
      const Status status = body.fly(moved, then, force, h);
      store(moved, end_.x.data() + place.x);
      store(then, end_.v.data() + place.v);
      return status;
    } else {
      return integrate(body, pose, v, place, loads, h);
    }
  }

  template <class B>
  Status integrate(const B& body, const typename B::Pose& pose, const Vector<T, B::kDimension>& v,
                   const BodyPlace& place, const Loads& loads, const T& h) {
    using Velocity = Vector<T, B::kDimension>;
    const auto plus = [](const Velocity& a, const T& scale, const Velocity& b) {
      Velocity sum;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = a[i] + scale * b[i];
      return sum;
    };
    Velocity vdot;
    if (!acceleration(body, pose, v, place, loads, vdot)) return Status::kSingular;
    Velocity rate = v, rate_sum = v, vdot_sum = vdot;
    struct Stage {
      T time, weight;
    };
    const T half = h * T(0.5);
    for (const Stage& stage : {Stage{half, T(2)}, Stage{half, T(2)}, Stage{h, T(1)}}) {
      auto moved = pose;
      if (const Status status = body.advance(moved, rate, stage.time); status != Status::kOk) {
        return status;
      }
      const Velocity then = plus(v, stage.time, vdot);
      if (!acceleration(body, moved, then, place, loads, vdot)) return Status::kSingular;
      rate = body.rate_along(plus({}, stage.time, rate), then);
      rate_sum = plus(rate_sum, stage.weight, rate);
      vdot_sum = plus(vdot_sum, stage.weight, vdot);
    }
    auto moved = pose;
    const Status status = body.advance(moved, rate_sum, h / T(6));
    store(moved, end_.x.data() + place.x);
    store(plus(v, h / T(6), vdot_sum), end_.v.data() + place.v);
    return status;
  }

  template <class B>
  static bool acceleration(const B& body, const typename B::Pose& pose,
                           const Vector<T, B::kDimension>& v, const BodyPlace& place,
                           const Loads& loads, Vector<T, B::kDimension>& vdot) {
    constexpr NodeShape kShape = {.dimension = B::kDimension};
    vdot = body.inertial_force(pose, v);
    Solver::add_loads(body, pose, place, loads, vdot);
    auto M = body.mass_matrix(pose);
    const bool regular = lockstep::detail::factor_definite(kShape, M[0].data());
    lockstep::detail::apply_inverse(kShape, M[0].data(), vdot.data(), 1);
    return regular;
  }

  Solver solver_;
  State start_ = solver_.make_state(), end_ = start_;
  Solution change_ = solver_.make_solution();
  Velocities none_ = start_.v;
  Multipliers impulse_ = change_.lambda;
  int solves_ = 0;
  bool factored_ = false;  // the solver's factor is of end_
};

}  // namespace lockstep::maximal
