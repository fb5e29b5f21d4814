// Steps a robot with everything that the tree cannot hold, in one k x k system of velocities and
// impulses (Anitescu and Potra 1997): loops and couplings, the limits and greatest speeds of
// joints, dry friction, drives, tendons, rows of the caller's own, contacts with friction and
// impacts.
//   v+ = v + dt vdot_free + M^-1 K p,   q+ = q (+) dt v+
// What cannot be met within the step gets no row. Cost: one factor, O(k^2 depth), and the solver's.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <optional>
#include <span>
#include <utility>

#include "lockstep/auxiliary/joint_rows.hpp"
#include "lockstep/auxiliary/newton_step.hpp"
#include "lockstep/auxiliary/row_errors.hpp"
#include "lockstep/auxiliary/tendon.hpp"
#include "lockstep/contact/found_contacts.hpp"
#include "lockstep/integrate/floating_base.hpp"
#include "lockstep/joint_space.hpp"
#include "lockstep/rows/pivoting.hpp"

namespace lockstep {

// How much a stepper holds. `contacts` may be zero.
struct Room {
  int rows, contacts;
  int working_rows = 0;  // own rows that push elsewhere than they measure
  // between bodies that touch each other, in Newton's method: off_diagonal_blocks<Model>(); a step
  // that has more goes by pivoting
  int blocks = 0;
};

using contact::Scene;

// Model and T as for Anticipation. Rows: a class with ModelRows' visit, for a table.
template <class Model, class T, Room kRoom, class Rows = ModelRows<Model, T>,
          contact::Ground<T> Ground = contact::Plane<T>>
class BoundedStepper : public Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Dofs;
  using typename Problem<View, T>::Input;
  using typename Problem<View, T>::Output;
  using typename Problem<View, T>::Wrenches;
  using Settings = BoundedSettings<T>;
  using Result = StepResult<T, kRoom.rows, kRoom.contacts>;
  using Solver = Anticipation<Model, T, kRoom.rows, kRoom.working_rows, 4 * kRoom.rows,
                              auxiliary::NewtonTree<View, T, kRoom.blocks>>;
  using Collected = StepRows<Solver, View, T, kRoom.rows>;

  // What acts in a step beside the state's efforts.
  struct Demands {
    std::span<const Drive<T>> drives = {};
    std::span<const Tendon<T>> tendons = {};
    std::span<const contact::Contact<T>> contacts = {};  // beside those of the scene
    const Wrenches* external = nullptr;  // on every body: at its link's origin, in link axes
    // of drives whose efforts at the start are in state.tau, which becomes what they did
    DriveGains<T> gains = {};
  };

  explicit BoundedStepper(const Scene<T, Ground>& scene = {}) requires View::kIsStatic
      : bounds_(kJointLimits<Model, T>),
        contacts_(scene),
        tables_(check()) {
    weigh();
  }
  // `bounds`: one a body, or none at all.
  BoundedStepper(const View& model, const Rows& rows, std::span<const JointLimits<T>> bounds,
                 const Scene<T, Ground>& scene = {})
      : Problem<View, T>(model),
        rows_(rows),
        bounds_(bounds),
        contacts_(scene),
        solver_(model),
        tables_(check()) {
    weigh();
  }

  // Advances state.q and state.v. kStoppedShort: it did, but the rows' solver used up its bound,
  // and the result tells by how much rows fail. On any other status but kOk they and the result are
  // as they were. `own(rows)` adds rows by rows.add_own(...) and returns a status; where Newton's
  // method has no place for them it is asked twice.
  [[nodiscard]] Status step(Input& state, const Settings& settings, const Demands& demands = {}) {
    return step(state, settings, demands, NoOwnRows{});
  }
  template <class Own>
  [[nodiscard]] Status step(Input& state, const Settings& settings, const Demands& demands,
                            Own&& own) {
    const Status status = tables_ == Status::kOk ? settings.check() : tables_;
    if (status != Status::kOk) return status;
    const Implicit<T> implicit = {settings.dt, settings.dt, demands.gains};
    if (settings.solver == RowSolver::kNewton) {
      const std::optional<Status> done = minimize(state, settings, demands, implicit, own);
      if (done) return *done;
    }
    return pivot(state, settings, demands, implicit, own);
  }

  // Of the last step that was kOk, or stopped short. Accelerations and reactions include the rows'
  // forces.
  const Result& result() const { return result_; }
  const Output& output() const { return output_; }

  // Lets Gauss-Seidel start from nothing, as the first step does.
  void forget() { result_.forget(); }
  // Lets it start from the rows of a result that was kept, as if their step had been the last.
  [[nodiscard]] Status recall(std::span<const RowKey> keys, std::span<const T> forces) {
    return result_.recall(keys, forces);
  }

 private:
  using Row = rows::RowBound<T>;
  struct NoOwnRows {
    Status operator()(const auto&) const { return Status::kOk; }
  };

  // All rows in one system.
  template <class Own>
  Status pivot(Input& state, const Settings& settings, const Demands& demands,
               const Implicit<T>& implicit, Own& own) {
    const Input& start = with_moments(state, settings.dt);
    Status status = demands.external != nullptr ? solver_.begin(start, *demands.external, implicit)
                                                : solver_.begin(start, implicit);
    if (status != Status::kOk) return status;
    Collected rows(solver_, this->model(), state.q.data(), state.v.data(), settings.dt);
    status = collect(rows, state, settings, demands, own);
    if (status == Status::kOk) status = solver_.anticipate(system_);
    if (status == Status::kOk) status = rows.to_impulses(contacts_.span(), settings, system_);
    if (status == Status::kOk) status = solve(rows, settings);
    if (status == Status::kOk) status = move(state, rows, settings.dt);
    if (status != Status::kOk) return status;
    return finish(rows, state, implicit);
  }
  // The state, with floating bodies' velocity terms of the step's middle among the efforts.
  const Input& with_moments(const Input& state, const T& dt) {
    const View& model = this->model();
    const auto count = next_.v.size();
    if (!kFloats || state.q.size() != next_.q.size() || state.v.size() != count ||
        state.tau.size() != count) {
      return state;
    }
    next_ = state;
    add_moments_of_middle(model, state.v.data(), dt, next_.tau.data());
    if (!all_finite(next_.tau.data(), model.counts().v)) next_.tau = state.tau;
    return next_;
  }
  // They are no efforts.
  void take_moments_out(const Input& state) {
    if constexpr (kFloats) {
      for_floating(this->model(), [&](int i, const BodyData<T>& body) {
        const auto moment = [&](int k) { return next_.tau[body.v + k] - state.tau[body.v + k]; };
        const Vec3<T> m = body.R_LB * Vec3<T>{moment(3), moment(4), moment(5)};
        auto reaction = output_.reaction.col(i);
        reaction[3] = reaction[3] - m.x, reaction[4] = reaction[4] - m.y;
        reaction[5] = reaction[5] - m.z;
      });
    }
  }
  // What is left of a step whose end is in next_.
  template <class Step>
  Status finish(const Step& rows, Input& state, const Implicit<T>& implicit) {
    if (model_rows_ > 0) {
      if (const Status status = evaluate(next_); status != Status::kOk) return status;
    }
    report(rows);
    take_moments_out(state);
    follow(implicit, state.v, next_.v, state.tau);
    state.q = next_.q;
    state.v = next_.v;
    return solution_.stop == rows::Stop::kSweepsUsedUp ? Status::kStoppedShort : Status::kOk;
  }

  Status check() const {
    const int bodies = this->model().body_count();
    if (!bounds_.empty() && bounds_.size() != at(bodies)) return Status::kWrongSize;
    for (const JointLimits<T>& bounds : bounds_) {
      if (const Status status = bounds.check(); status != Status::kOk) return status;
    }
    return contacts_.check(bodies);
  }

  template <class Own>
  Status collect(Collected& rows, const Input& state, const Settings& settings,
                 const Demands& demands, Own& own) {
    Status status = add_model_rows(rows, state, settings);
    if (status == Status::kOk) status = auxiliary::add_bounds(rows, bounds_, settings);
    if (status == Status::kOk) status = auxiliary::add_drives(rows, demands.drives, settings);
    if (status == Status::kOk) status = add_tendons(rows, settings, demands.tendons);
    if (status == Status::kOk) status = own(rows);
    return status == Status::kOk ? add_contacts(rows, settings, demands.contacts) : status;
  }

  Status add_tendons(Collected& rows, const Settings& settings,
                     std::span<const Tendon<T>> tendons) {
    Status status = Status::kOk;
    for (int i = 0; status == Status::kOk && i < static_cast<int>(tendons.size()); ++i) {
      status = auxiliary::add_tendon(rows, i, tendons[at(i)], settings);
    }
    return status;
  }

  // Loops and couplings, with Baumgarte's terms.
  Status add_model_rows(Collected& rows, const Input& state, const Settings& settings) {
    const Status status =
        add_rows(solver_, this->model(), rows_, state.q.data(), state.v.data(), errors_);
    model_rows_ = solver_.row_count();
    const Gains<T> gains = settings.pull();
    for (int i = 0; status == Status::kOk && i < model_rows_; ++i) {
      const T pull = gains.position * errors_.value(i) + gains.velocity * errors_.rate(i);
      rows.note({.of = RowOf::kModel, .number = i}, errors_.rate(i), {},
                errors_.rate(i) - settings.dt * pull);
    }
    if (status != Status::kOk) return status;
    for_soft_rows<T>(rows_, [&](int i, const SoftRows<T>& own) {
      rows.yield(i, own.compliance(settings.dt), own.target(errors_.value(i), settings.dt));
    });
    return Status::kOk;
  }

  Status evaluate(const Input& state) {
    return errors_.evaluate(this->model(), rows_, state.q.data(), state.v.data());
  }

  Status add_contacts(Collected& rows, const Settings& settings,
                      std::span<const contact::Contact<T>> given) {
    const int bodies = this->model().body_count();
    for (int i = 0; i < bodies; ++i) X_WB_[at(i)] = solver_.motion(i).X_WB;
    const Status found = contacts_.find({X_WB_.data(), at(bodies)}, settings.margin(T(0)), given,
                                        settings.contacts_within(kRoom.rows - rows.size()));
    if (found != Status::kOk) return found;
    for (int i = 0; i < contacts_.size(); ++i) {
      const contact::Contact<T>& own = contacts_[i];
      RowKey key = contacts_.key(i);
      const Status status = auxiliary::close_loop(
          contact::touching(own), own.a, solver_.motion(own.a), own.b, solver_.motion(own.b), T(0),
          [&](const auto& row) {
            const Status added = rows.add(key, row.terms(), row.bias(), {}, T(0));
            ++key.count;
            return added;
          });
      if (status != Status::kOk) return status;
    }
    return Status::kOk;
  }

  Status solve(const Collected& rows, const Settings& settings) {
    solution_ = {};
    for (int i = 0; settings.solver == RowSolver::kGaussSeidel && i < rows.size(); ++i) {
      solution_.mu[at(i)] = settings.dt * result_.of(rows.keys()[at(i)]);
    }
    const Status status = row_solver_.solve_as_chosen(system_, settings.row_solver(), solution_);
    return status == Status::kNotConverged ? Status::kOk : status;
  }

  Status move(const Input& state, const Collected& rows, const T& dt) {
    for (int i = 0; i < rows.size(); ++i) forces_[at(i)] = solution_.mu[at(i)] / dt;
    Status status = solver_.finish(forces_, next_output_);
    if (status != Status::kOk) return status == Status::kNotFinite ? Status::kOverflow : status;
    next_.v = state.v + dt * next_output_.vdot;
    hold(rows);
    return go(state, dt);
  }
  // q (+) dt v
  Status go(const Input& state, const T& dt) {
    const View& model = this->model();
    if (!all_finite(next_.v.data(), static_cast<int>(next_.v.size()))) return Status::kOverflow;
    const Status status = add_motion(model, state.q.data(), next_.v.data(), dt, next_.q.data());
    if (!kFloats || status != Status::kOk) return status;
    go_straight(model, state.q.data(), state.v.data(), dt, next_.q.data(), next_.v.data());
    const bool finite = all_finite(next_.q.data(), model.counts().q) &&
                        all_finite(next_.v.data(), model.counts().v);
    return finite ? Status::kOk : Status::kOverflow;
  }

  // A joint whose own row has what it asks for has it to the last bit: friction that holds does not
  // creep, and a drive does not lag.
  void hold(const Collected& rows) {
    for (int i = 0; i < rows.size(); ++i) {
      const RowKey& key = rows.keys()[at(i)];
      const bool upper = key.of == RowOf::kUpper;
      if (!upper && key.of != RowOf::kLower && key.of != RowOf::kFriction &&
          key.of != RowOf::kDrive) {
        continue;
      }
      if (system_.rows[at(i)].compliance > T(0)) continue;
      const rows::Bounds<T> bounds = rows::bounds(system_, solution_.mu, i);
      const T mu = solution_.mu[at(i)];
      const T scale = rows::magnitude(rows.velocity(i)) + rows::magnitude(rows.target(i)) +
                      rows::magnitude(system_.b[at(i)]);
      const bool has = rows::magnitude(solution_.a[at(i)]) <= rows::kTolerance<T> * scale;
      if (!has || !(mu > bounds.lower) || !(mu < bounds.upper)) continue;
      snap(key.number, upper ? -rows.target(i) : rows.target(i));
    }
  }
  // With the joints that follow it.
  void snap(int body, const T& velocity) {
    const std::span<const BodyData<T>> bodies = this->model().bodies();
    next_.v[bodies[at(body)].v] = velocity;
    if constexpr (View::kHasRotors) {
      for (const BodyData<T>& follower : bodies) {
        if (follower.leader == body) next_.v[follower.v] = follower.ratio * velocity;
      }
    }
  }

  template <class Step>
  void report(const Step& rows) {
    std::swap(output_, next_output_);
    result_.row_count = rows.size();
    result_.keys = rows.keys();
    result_.forces = forces_;
    contacts_.report(forces_.data() + rows.size() - contact::kRowsOfContact * contacts_.size(),
                     result_);
    result_.violation = solution_.violation;
    result_.redundant = solution_.redundant;
    result_.pivots = solution_.pivots;
    result_.sweeps = solution_.sweeps;
    result_.stop = solution_.stop;
    result_.gave_up = solution_.gave_up;
    result_.errors = model_rows_ > 0 ? errors_.largest(soft_rows<T>(rows_)) : ConstraintErrors<T>{};
  }

  void weigh() {
    couples_ = rows_.visit([](const auto&...) { return Status::kTooManyRows; },
                           [](const auto&...) { return Status::kTooManyRows; }) != Status::kOk;
    if (solver_.begin(this->make_input()) != Status::kOk) return;  // and neither will a step
    auxiliary::find_responses<T>(solver_, this->model(), responses_);
  }

  // The rows over several bodies or joints, for Newton's method; nothing if one has no place in it.
  template <class Own>
  std::optional<Status> couple(const Input& state, const Settings& settings,
                               std::span<const Tendon<T>> tendons, Own& own) {
    Collected rows(solver_, this->model(), state.q.data(), state.v.data(), settings.dt);
    Status status = add_model_rows(rows, state, settings);
    if (status == Status::kOk) status = add_tendons(rows, settings, tendons);
    if (status == Status::kOk) status = own(rows);
    if (status != Status::kOk) return status;
    if (!newton_.couple(rows, {&system_, &row_solver_, &solution_, settings.pivoting.tolerance})) {
      return {};
    }
    return Status::kOk;
  }

  // As the least of a function; nothing if a row has no place in it.
  template <class Own>
  std::optional<Status> minimize(Input& state, const Settings& settings, const Demands& demands,
                                 const Implicit<T>& implicit, Own& own) {
    const bool has_own = !std::is_same_v<std::remove_cvref_t<Own>, NoOwnRows>;
    const bool couples = couples_ || has_own || !demands.tendons.empty();
    const Input& start = with_moments(state, settings.dt);
    Status status = solver_.place(start, demands.external, implicit, couples);
    if (status != Status::kOk) return status;
    newton_.rows().begin(solver_, this->model(), state.q.data(), state.v.data(), settings.dt,
                         responses_);
    model_rows_ = 0;
    if (couples) {
      const std::optional<Status> coupled = couple(state, settings, demands.tendons, own);
      if (!coupled || *coupled != Status::kOk) return coupled;
    }
    typename Newton::Rows& rows = newton_.rows();
    status = auxiliary::add_bounds(rows, bounds_, settings);
    if (status == Status::kOk) status = auxiliary::add_drives(rows, demands.drives, settings);
    if (status == Status::kOk) {
      status = contacts_.find({solver_.tree().poses(), at(this->model().body_count())},
                              settings.margin(T(0)), demands.contacts,
                              settings.contacts_within(kRoom.rows - rows.size()));
    }
    for (int i = 0; status == Status::kOk && i < contacts_.size(); ++i) {
      const contact::Contact<T>& own_contact = contacts_[i];
      status = contact::Touch<T>{own_contact}.check();
      if (status == Status::kOk && !rows.add_contact(own_contact, contacts_.key(i))) return {};
    }
    if (status != Status::kOk) return status;
    if (!rows.fill_in()) return {};
    if (!rows.set_targets(contacts_.span(), settings.contact, settings.newton)) {
      return Status::kSingular;
    }
    typename Newton::Outcome outcome;
    status = newton_.solve(settings.newton, result_, outcome);
    if (status == Status::kOk) status = newton_.write(next_output_);
    if (status != Status::kOk) return status;
    next_.v = state.v + settings.dt * next_output_.vdot;
    for (const auto& row : rows.joints()) {
      if (row.holds()) snap(row.body, row.sign * row.wanted);
    }
    status = go(state, settings.dt);
    if (status != Status::kOk) return status;
    for (int i = 0; i < rows.size(); ++i) forces_[at(i)] = rows.force(i);
    solution_.pivots = 0;
    solution_.redundant = outcome.redundant;
    solution_.gave_up = rows::GaveUp::kNo;
    solution_.violation = outcome.violation;
    solution_.sweeps = outcome.solves;
    solution_.stop = !outcome.converged     ? rows::Stop::kSweepsUsedUp
                     : outcome.contradicted ? rows::Stop::kInconsistent
                                            : rows::Stop::kConverged;
    return finish(rows, state, implicit);
  }

  using Newton = auxiliary::NewtonStep<Solver, T, kRoom.rows, kRoom.contacts>;
  static constexpr bool kFloats = may_float<View>();

  [[no_unique_address]] Rows rows_;
  std::span<const JointLimits<T>> bounds_;
  contact::FoundContacts<T, Ground, kRoom.contacts> contacts_;
  Solver solver_;
  Status tables_;
  bool couples_ = false;  // whether loops and couplings do
  std::array<auxiliary::Responses<T>, at(View::kMaxBodies)> responses_ = {};
  Newton newton_;
  int model_rows_ = 0;
  auxiliary::RowErrors<View, T, kRoom.rows> errors_;
  std::array<Placement<T>, at(View::kMaxBodies)> X_WB_;
  typename Solver::System system_;
  rows::PivotingSolver<T, kRoom.rows> row_solver_;
  rows::Solution<T, kRoom.rows> solution_;
  rows::Values<T, kRoom.rows> forces_ = {};
  Result result_;
  Output output_ = this->make_output(), next_output_ = output_;
  Input next_ = this->make_input();
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
