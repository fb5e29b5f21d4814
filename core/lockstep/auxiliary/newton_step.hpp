// The velocities at the end of a step with contacts and rows on joints, as the least of a convex
// function, in linear time: a is the acceleration over the step,
//   c(a) = 1/2 (a - a_free)^T Mh (a - a_free) + sum of the rows' costs (contact/cone_cost.hpp),
// Mh with dampers and springs at its end. A step of Newton's method solves (Mh + K G K^T) a = ...,
// and that is the tree itself with a block on each body that touches and a number on each pivot
// that a row holds (newton_tree.hpp). No matrix of these rows exists. Cost: O(n + k) an iteration.
// Rows over several bodies or joints (loops, couplings, tendons, the caller's own) are anticipated
// on the eliminated tree: c rows cost O(c depth + c^2 depth + c^3) more.
// Around it, few rounds take out what the costs have and rows have not: the compliance, by the
// forces of the last round or step, and the lift m |slip| of a cone's cost, by asking for as much
// less (De Saxce's bipotential, as in Acary, Cadoux, Lemarechal, Malick 2011).
#pragma once

#include "lockstep/hide_macros.hpp"

#include <limits>
#include <span>

#include "lockstep/auxiliary/bounded_settings.hpp"
#include "lockstep/auxiliary/newton_rows.hpp"
#include "lockstep/auxiliary/newton_tree.hpp"
#include "lockstep/auxiliary/responses.hpp"
#include "lockstep/contact/contact_step.hpp"
#include "lockstep/rows/pivoting.hpp"
#include "lockstep/rows/warm_start.hpp"

namespace lockstep::auxiliary {

// Shares of the response: what of a row yields. Far above the rounding of a block on a body, far
// below what matters before the forces that are held take it out.
template <class T>
inline constexpr T kYield = sizeof(T) == sizeof(float) ? T(1e-2) : T(1e-3);
// What rows yield once a round has had so many solves: it ends the sooner, and the next ones take
// more out.
inline constexpr int kPatience = 6;
template <class T>
inline constexpr T kYieldAtLast = T(3e-2);
// The same of rows over several joints, which a direct solver has, and the share of the tolerance
// that may be left of it.
template <class T>
inline constexpr T kCoupledYield = sizeof(T) == sizeof(float) ? T(1e-2) : T(1e-7);
template <class T>
inline constexpr T kCoupledShare = sizeof(T) == sizeof(float) ? T(1e-2) : T(1e-5);
// How much of the last step's force is held: rows that rule each other out do not pile up. What
// stands sinks by the rest, within the slop.
template <class T>
inline constexpr T kKept = T(1) - (sizeof(T) == sizeof(float) ? T(1) / T(1024) : T(1) / T(16384));

// How often all searches of a step may look at its rows, for each solve that it has.
inline constexpr int kLooks = 3;

// Solver: an Anticipation over a NewtonTree.
template <class Solver, class T, int kMaxRows, int kMaxContacts>
class NewtonStep {
 public:
  using View = typename Solver::View;
  // Where rows over several bodies or joints are solved.
  struct Direct {
    rows::System<T, kMaxRows>* system;
    rows::PivotingSolver<T, kMaxRows>* solver;
    rows::Solution<T, kMaxRows>* solution;
    T tolerance;
  };
  using Warm = rows::WarmStart<T, kMaxRows>;
  // On a joint; or over several, which is the solver's row of the same number.
  struct JointRow : NewtonRow<contact::BoundCost<T>> {
    int body;
    T sign, velocity, wanted;  // along the row: at the start, and at the end of the step
    T response;
    bool soft;  // yields on purpose
    // Without bounds, over several joints: no cost, it has what it asks for but for its compliance.
    bool exact;
    T compliance;
    T solved;  // over several joints: the direct solver's force

    T unheld() const { return soft ? T(0) : this->point.force - this->held; }
    T change() const { return this->next_a; }
    T within_bounds() const {
      const T &least = this->cost.lower, &most = this->cost.upper;
      return solved < least ? least : solved > most ? most : solved;
    }
    // Whether the joint has what the row asks for.
    bool holds() const { return !soft && this->point.place == contact::Place::kSticks; }
  };
  struct Side {
    int body = kWorld;
    Placement<T> X_BC;  // x along the normal, where a force pushes the body
  };
  struct ContactRow : NewtonRow<contact::ConeCost<T>> {
    Side on, against;  // a body, and what it touches: another, or the world
    Vec3<T> velocity;  // at the start
    Vec3<T> bias;      // of its acceleration beside the bodies'
    T least, lift;     // normal velocity at the end; what is asked for less
    T response;
    bool soft;
    bool idle;  // joints hold it by themselves: no force can move it

    // The force that is not held; along the normal of soft ground nothing is to be.
    Vec3<T> unheld() const {
      const Vec3<T> rest = this->point.force - this->held;
      return soft ? Vec3<T>{T(0), rest.y, rest.z} : rest;
    }
    Vec3<T> change() const { return this->next_a + bias; }
    Vec3<T> end(const Vec3<T>& acceleration, const T& dt) const {
      return velocity + dt * (acceleration + bias);
    }
  };
  struct Outcome {
    int solves = 0;
    bool converged = false;
    T violation{};
    int redundant = 0;          // of the coupled rows
    bool contradicted = false;  // some of them
  };

  // After the solver's `place`.
  void begin(Solver& solver, const View& model, const T* q, const T* v, const T& dt,
             std::span<const Responses<T>> responses) {
    solver_ = &solver, model_ = &model, q_ = q, v_ = v, dt_ = dt, responses_ = responses;
    coupled_count_ = joint_count_ = contact_count_ = 0;
  }

  const View& model() const { return *model_; }
  auto& tree() const { return solver_->tree(); }
  const T& q(int body) const { return q_[data(body).q]; }
  const T& v(int body) const { return v_[data(body).v]; }
  bool has(int body) const { return body >= kWorld && body < model().body_count(); }
  int size() const { return joint_count_ + contact::kRowsOfContact * contact_count_; }
  const std::array<RowKey, at(kMaxRows)>& keys() const { return keys_; }

  // The rows that the solver has, before any other: `rows` is a StepRows of them. False if one has
  // no cost.
  template <class Rows>
  bool couple(const Rows& rows, const Direct& direct) {
    direct_ = direct;
    if (solver_->has_working_rows()) return false;
    for (int i = 0; i < rows.size(); ++i) {
      const rows::RowBound<T>& bound = rows.bound(i);
      if (bound.kind == rows::RowKind::kFriction) return false;
      JointRow& row = take_row(rows.keys()[at(i)], bound, rows.velocity(i), rows.target(i),
                               response_of(solver_->row(i)), kCoupledYield<T>);
      row.body = kNone, row.sign = T(1);
      row.exact = bound.kind == rows::RowKind::kEquality;
      row.compliance = bound.compliance;
      row.point = {};
    }
    coupled_count_ = joint_count_;
    return true;
  }
  // A row on a joint of one coordinate; bounds are impulses.
  Status add_joint(const RowKey& key, int body, const T& sign, const rows::RowBound<T>& bound,
                   const T& wanted) {
    if (joint_count_ >= kMaxRows) return Status::kTooManyRows;
    const bool bounded = bound.kind != rows::RowKind::kEquality;
    const T end = bounded ? wanted : within_limits(body, sign, wanted);
    JointRow& row =
        take_row(key, bound, sign * v(body), end, responses_[at(body)].joint, kYield<T>);
    row.body = body, row.sign = sign;
    row.exact = false;
    return Status::kOk;
  }

  // False if there is no room for one between two bodies.
  bool add_contact(const contact::Contact<T>& own, const RowKey& key) {
    const auto moves = [](int body) { return body != kWorld; };
    const bool between = moves(own.a) && moves(own.b);
    if (own.a == own.b || (between && !tree().connect(own.a, own.b))) return false;
    const int first = size();
    for (int i = 0; i < contact::kRowsOfContact; ++i) {
      keys_[at(first + i)] = key;
      keys_[at(first + i)].count += i;
    }
    ContactRow& row = contacts_[at(contact_count_++)];
    row.velocity = row.bias = {};
    row.response = T(0);
    row.on = row.against = {};
    if (moves(own.a)) row.on = take_side(own, own.a, T(1), own.rolling_a, row);
    if (moves(own.b)) {
      (between ? row.against : row.on) = take_side(own, own.b, T(-1), own.rolling_b, row);
    }
    if (!(row.response > T(0))) row.response = T(1);  // it is held, and has no force
    const T stiffness = T(1) / (kYield<T> * row.response);
    row.cost = {
        .normal = stiffness, .tangent = stiffness, .friction = own.material.friction, .target = {}};
    row.soft = false;
    row.idle = tree().is_held(model(), own.a, own.b, own.point, own.normal);
    return true;
  }
  // After the last contact. False if there is no room for what elimination adds.
  bool fill_in() { return tree().fill_in(model()); }

  // The least normal velocities at the end of the step, from the contacts in the order in which
  // they were added. False if the tree cannot be solved.
  bool set_targets(std::span<const contact::Contact<T>> own, const contact::StepOptions<T>& options,
                   const NewtonOptions<T>& newton) {
    bool bounces = false;
    for (int i = 0; i < contact_count_; ++i) {
      const ContactRow& row = contacts_[at(i)];
      bounces |= own[at(i)].material.restitution > T(0) && row.velocity.x < -options.bounce_speed;
    }
    if (bounces) {
      tree().unload(model());
      if (!tree().solve(model())) return false;
    }
    for (int i = 0; i < contact_count_; ++i) {
      ContactRow& row = contacts_[at(i)];
      const T free = bounces ? row.end(acceleration(row), dt_).x : T(0);
      row.least = contact::least_velocity(own[at(i)], row.velocity.x, free, dt_, options);
      const T& d = own[at(i)].distance;
      if (newton.softness > T(0) && d <= T(0) && !(row.least > T(0) && bounces)) {
        const T time = dt_ + newton.settling;
        row.soft = true;
        row.least = -d / time;
        row.cost.normal = dt_ * time / newton.softness;
      }
      if (row.idle) row.least = -kFar;
      row.lift = row.cost.friction * slip(row.velocity);
      aim(row);
    }
    return true;
  }

  // The forces of the last step, where their rows are still there, are where it starts from.
  // kSingular: the tree cannot be solved. A round that does not end leaves the forces of the one
  // before. Not converged: not one round did, and the forces that it came to act, and are allowed.
  Status solve(const NewtonOptions<T>& options, const Warm& warm, Outcome& outcome) {
    outcome = {};
    looks_ = kLooks * options.iterations;
    // a short step changes velocities by less
    const T tolerance = options.tolerance * (dt_ < T(1e-3) ? T(1e3) * dt_ : T(1));
    guess(warm);
    bool again = true, found = false;  // with another function; forces of one
    T left(0);                         // the violation of those
    bool yields = false;
    int tried = 0;  // solves in this round
    for (int round = 0; again && outcome.solves < options.iterations; ++outcome.solves) {
      const bool yield = tried == kPatience && !yields;
      if (yield) yield_more();
      yields |= yield;
      const Status status = iterate(tried > 0 && !yield, tolerance, outcome);
      if (status != Status::kOk) return status;
      ++tried;
      if (outcome.converged) {
        tried = 0;
        const bool more = round < options.rounds && outcome.solves + 1 < options.iterations &&
                          3 * outcome.solves < 2 * options.iterations;
        // half the way to the lifts after the first: they may turn in circles
        again = more && refine(tolerance, round++ == 0 ? T(1) : T(0.5), outcome.violation);
        found = true;
        left = outcome.violation;
      }
    }
    if (outcome.converged) return Status::kOk;
    tree().unload(model());
    for_rows([&](auto& row) { row.settle(found ? row.found : row.lambda); });
    for_rows([&](const auto& row) { load(row); });
    const T violation = found ? left : outcome.violation;
    const Status status = solve_tree(outcome);
    outcome.converged = found, outcome.violation = violation;
    return status;
  }

  T force(int i) const {
    if (i < coupled_count_) return joints_[at(i)].within_bounds();
    if (i < joint_count_) return joints_[at(i)].point.force;
    const int row = i - joint_count_;
    const Vec3<T>& f = contacts_[at(row / 3)].point.force;
    return row % 3 == 0 ? f.x : row % 3 == 1 ? f.y : f.z;
  }
  // Those on single joints.
  std::span<const JointRow> joints() const {
    return std::span(joints_.data(), at(joint_count_)).subspan(at(coupled_count_));
  }

  // Accelerations and reactions of the solution. Unchanged unless kOk.
  template <class Output>
  Status write(Output& out) {
    const T sum = tree().write(model());
    if (!is_finite(sum)) return Status::kOverflow;
    const PassOutput<T> answer = tree().output();
    const auto hand_out = [](const T* from, auto& to) {
      for (Eigen::Index i = 0; i < to.size(); ++i) to.data()[i] = from[i] + T(0);
    };
    hand_out(answer.vdot, out.vdot);
    hand_out(answer.reaction, out.reaction);
    hand_out(answer.lambda, out.lambda);
    return Status::kOk;
  }

 private:
  using Place = contact::Place;

  JointRow& take_row(const RowKey& key, const rows::RowBound<T>& bound, const T& velocity,
                     const T& wanted, const T& response, const T& share) {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    keys_[at(joint_count_)] = key;
    JointRow& row = joints_[at(joint_count_++)];
    const bool boxed = bound.kind == rows::RowKind::kBoxed;
    const bool one_sided = bound.kind == rows::RowKind::kUnilateral;
    row.velocity = velocity, row.wanted = wanted, row.response = response;
    // what yields less than rows do here anyway does not yield
    const T yields = share * response;
    row.soft = bound.compliance > yields;
    row.cost = {.stiffness = T(1) / (row.soft ? bound.compliance : yields),
                .lower = boxed       ? bound.lower / dt_
                         : one_sided ? T(0)
                                     : -kInfinity,
                .upper = boxed ? bound.upper / dt_ : kInfinity,
                .target = (wanted - velocity) / dt_};
    return row;
  }
  // What drives a joint with any force does not drive it past a limit; neither would give way.
  T within_limits(int body, const T& sign, const T& wanted) const {
    T least = wanted;
    for (const JointRow& row : joints()) {
      if (row.body != body || row.cost.lower != T(0)) continue;
      const T end = row.sign * row.wanted, beyond = row.sign * (end - sign * least);
      if (beyond > T(0)) least = sign * end;
    }
    return least;
  }
  // How a row over several bodies answers to a unit force, if each answered by itself.
  T response_of(const Row<T>& row) const {
    T sum(0);
    for (const Term<T>& term : row.terms) {
      if (term.body == kWorld) continue;
      const Responses<T>& own = responses_[at(term.body)];
      const Vec3<T>&f = term.value.linear, &m = term.value.angular;
      if (term.joint) {
        sum = sum + (dot(f, f) + dot(m, m)) * own.joint;
        continue;
      }
      const BodyData<T>& body = data(term.body);
      const Vec3<T> c = body.mass > T(0) ? (T(1) / body.mass) * body.h : Vec3<T>{};
      const Vec3<T> turn = m - cross(c, f);
      sum = sum + dot(f, f) * own.linear + T(1.5) * dot(turn, turn) * own.angular;
    }
    return sum > T(0) ? sum : T(1);
  }

  // One body's share of a contact: it moves with `sign` times the body's velocity there.
  Side take_side(const contact::Contact<T>& own, int i, const T& sign, const T& rolling,
                 ContactRow& row) {
    tree().expect(model(), i);
    const Placement<T>& X_WB = tree().pose(i);
    const Vec3<T> n = own.normal, t = contact::across(n), u = cross(n, t);
    const auto axis = [&](const Vec3<T>& a) { return sign * transpose_times(X_WB.R, a); };
    const Placement<T> X = {{axis(n), axis(t), axis(u)},
                            transpose_times(X_WB.R, own.point - X_WB.p)};
    const Vec3<T>& r = X.p;
    const Vec3<T>&w = tree().twist(i).angular, &v = tree().twist(i).linear;
    const Vec3<T> carried = r + rolling * X.R.x;
    row.velocity = row.velocity + transpose_times(X.R, v + cross(w, r));
    const bool falls = own.a == kWorld || own.b == kWorld;  // two bodies fall alike
    row.bias = row.bias + transpose_times(X.R, cross(w, cross(w, carried)) + cross(w, v) +
                                                   (falls ? tree().falling(i) : Vec3<T>{}));
    const Responses<T>& response = responses_[at(i)];
    const BodyData<T>& body = data(i);
    const Vec3<T> arm = body.mass > T(0) ? r - (T(1) / body.mass) * body.h : r;
    row.response = row.response + (response.linear + dot(arm, arm) * response.angular);
    return {i, X};
  }
  // What moves along a contact when a side's body moves with A.
  static Vec3<T> along(const Side& side, const Spatial<T>& A) {
    return transpose_times(side.X_BC.R, A.linear + cross(A.angular, side.X_BC.p));
  }

  const BodyData<T>& data(int body) const { return model().bodies()[at(body)]; }
  static T slip(const Vec3<T>& v) { return sqrt(v.y * v.y + v.z * v.z); }

  template <class F>
  void for_rows(F&& f) {
    for (int i = 0; i < joint_count_; ++i) {
      if (!joints_[at(i)].exact) f(joints_[at(i)]);
    }
    for (int i = 0; i < contact_count_; ++i) f(contacts_[at(i)]);
  }

  void yield_more() {
    constexpr T kShare = kYield<T> / kYieldAtLast<T>;
    for (int i = coupled_count_; i < joint_count_; ++i) {
      JointRow& row = joints_[at(i)];
      if (!row.soft) row.cost.stiffness = kShare * row.cost.stiffness;
    }
    for (int i = 0; i < contact_count_; ++i) {
      ContactRow& row = contacts_[at(i)];
      if (!row.soft) row.cost.normal = kShare * row.cost.normal;
      row.cost.tangent = kShare * row.cost.tangent;
    }
    for_rows([](auto& row) { row.draw(); });
  }

  T acceleration(const JointRow& row) const {
    if (row.body == kNone) return solver_->acceleration(static_cast<int>(&row - joints_.data()));
    return row.sign * tree().vdot(data(row.body).v);
  }
  Vec3<T> acceleration(const ContactRow& row) const {
    const Vec3<T> a = along(row.on, tree().acceleration(row.on.body));
    if (row.against.body == kWorld) return a;
    return a + along(row.against, tree().acceleration(row.against.body));
  }
  void load(const JointRow& row) {
    if (row.body == kNone) return;  // solve_tree does
    tree().load(model(), data(row.body), row.sign * row.load(), row.point.slope);
  }
  void load(const ContactRow& row) {
    if (row.point.place == Place::kApart) return;
    load(row.on, row);
    if (row.against.body == kWorld) return;
    load(row.against, row);
    tree().load(row.on.body, row.against.body,
                point_block(row.on.X_BC, row.point.slope, row.against.X_BC));
  }
  void load(const Side& side, const ContactRow& row) {
    tree().load(side.body, wrench_to_parent(side.X_BC, Spatial<T>{row.load(), {}}),
                point_inertia_to_parent(side.X_BC, row.point.slope));
  }

  void aim(ContactRow& row) const {
    row.cost.target = {(row.least - row.lift - row.velocity.x) / dt_ - row.bias.x,
                       -row.velocity.y / dt_ - row.bias.y, -row.velocity.z / dt_ - row.bias.z};
  }

  void guess(const Warm& warm) {
    int hint = 0;
    for (int i = 0; i < joint_count_; ++i) {
      JointRow& row = joints_[at(i)];
      if (row.exact) continue;
      const bool known = warm.find(keys_[at(i)], hint, row.lambda);
      row.guess(known ? row.cost.at(row.lambda).force : T(0), row.soft ? T(0) : kKept<T>, T(0));
    }
    for (int i = 0; i < contact_count_; ++i) {
      ContactRow& row = contacts_[at(i)];
      const int first = joint_count_ + contact::kRowsOfContact * i;
      Vec3<T> force{};
      if (warm.find(keys_[at(first)], hint, force.x)) {
        warm.find(keys_[at(first + 1)], hint, force.y);
        warm.find(keys_[at(first + 2)], hint, force.z);
      }
      row.guess(force, kKept<T>, -row.bias);
      if (row.soft) row.held.x = T(0);
    }
  }

  // With the rows' lines. Coupled ones: f = load - slope a, or a + compliance f = target, with
  // a = A f + b of the tree that has all others on it.
  Status solve_tree(Outcome& outcome) {
    if (coupled_count_ == 0) return tree().solve(model()) ? Status::kOk : Status::kSingular;
    if (!tree().eliminate(model())) return Status::kSingular;
    auto& [count, bounds, A, b] = *direct_.system;
    Status status = solver_->anticipate(*direct_.system);
    if (status != Status::kOk) return status;
    for (int i = 0; i < count; ++i) {
      JointRow& row = joints_[at(i)];
      bounds[at(i)] = {};
      if (!row.exact && A[at(i)][at(i)] == T(0)) {  // joints hold it by themselves
        row.cost.lower = row.cost.upper = T(0);
        row.settle(T(0));
      }
      if (row.exact) {
        b[at(i)] = b[at(i)] - row.cost.target;
        A[at(i)][at(i)] = A[at(i)][at(i)] + row.compliance;
      } else if (row.point.slope > T(0)) {
        b[at(i)] = b[at(i)] - row.load() / row.point.slope;
        A[at(i)][at(i)] = A[at(i)][at(i)] + T(1) / row.point.slope;
      }
    }
    for (int i = 0; i < count; ++i) {
      const JointRow& row = joints_[at(i)];
      if (row.exact || row.point.slope > T(0)) continue;
      for (int j = 0; j < count; ++j) {
        b[at(j)] = b[at(j)] + A[at(j)][at(i)] * row.point.force;
        A[at(i)][at(j)] = A[at(j)][at(i)] = T(0);
      }
      A[at(i)][at(i)] = T(1), b[at(i)] = -row.point.force;
    }
    const rows::Solution<T, kMaxRows>& solution = *direct_.solution;
    status =
        direct_.solver->solve_equalities(*direct_.system, direct_.tolerance, *direct_.solution);
    if (status != Status::kOk && status != Status::kNotConverged) return status;
    for (int i = 0; i < count; ++i) {
      joints_[at(i)].solved = solution.mu[at(i)];
    }
    outcome.redundant = solution.redundant;
    outcome.contradicted = solution.stop == rows::Stop::kInconsistent;
    outcome.violation = dt_ * solution.violation;
    solver_->push(solution.mu);
    tree().accelerate(model());
    return Status::kOk;
  }

  // One solve of the tree and, unless it is the first, the way to its answer. `settled`: the least
  // is found, and the forces are those of the lines.
  Status iterate(bool searches, const T& tolerance, Outcome& outcome) {
    tree().unload(model());
    for_rows([&](const auto& row) { load(row); });
    bool& settled = outcome.converged;
    T& violation = outcome.violation;
    violation = T(0);
    if (const Status status = solve_tree(outcome); status != Status::kOk) return status;
    T first(0), last(0);
    settled = true;
    for_rows([&](auto& row) {
      take(row);
      if (searches) row.add_slopes(first, last);
      const T miss = dt_ * row.response * length(row.miss()), speed = length(row.velocity);
      settled &= miss <= within(row, tolerance) + kNoise * speed;
      if (miss > violation) violation = miss;
    });
    if (settled || !searches || last <= T(0.1) * -first) {
      for_rows([&](auto& row) { row.accept(); });
      return Status::kOk;
    }
    const T t = search_along(first, last, looks_, [&](const T& at, T& slope, T& curvature) {
      for_rows([&](const auto& row) { row.add_derivatives(at, slope, curvature); });
    });
    for_rows([&](auto& row) { row.go(t); });
    return Status::kOk;
  }

  void take(ContactRow& row) const { row.take(acceleration(row)); }
  void take(JointRow& row) const {
    row.take(acceleration(row));
    if (row.body == kNone) row.next_lambda = row.solved;  // not by a line so steep that it rounds
  }

  // What an error of a row may be: some of what its velocity changes by in the step.
  template <class Row>
  T within(const Row& row, const T& tolerance) const {
    return tolerance * (T(1) + T(100) * dt_ * length(row.change()));
  }
  static T left_of(const JointRow& row) { return row.body == kNone ? kCoupledShare<T> : T(1); }
  static T left_of(const ContactRow&) { return T(1); }
  static T length(const T& x) { return rows::magnitude(x); }
  static T length(const Vec3<T>& x) { return sqrt(dot(x, x)); }

  // Whether there is something to take out, which is then done. The violation is what there was.
  bool refine(const T& tolerance, const T& share, T& violation) {
    bool again = false;
    const auto judge = [&](const T& error, const T& most) {
      again |= !(error <= most);
      if (error > violation) violation = error;
    };
    for_rows([&](const auto& row) {
      judge(dt_ * length(row.cost.yielding(row.unheld())), left_of(row) * within(row, tolerance));
    });
    for (int i = 0; i < contact_count_; ++i) {
      ContactRow& row = contacts_[at(i)];
      const Vec3<T> end = row.end(row.a, dt_);
      const T lift = row.cost.friction * slip(end);
      const bool bears = row.point.place != Place::kApart || end.x < row.least;
      if (row.idle || !bears) continue;
      const T error = length(lift - row.lift), most = kLift * tolerance * (T(1) + T(2) * lift);
      if (error <= most) continue;
      judge(error, most);
      const T change = share * (lift - row.lift);
      row.a.x = row.a.x - change / dt_;
      row.lift = row.lift + change;
      aim(row);
    }
    if (!again) return false;
    for_rows([&](auto& row) { row.restart(row.unheld()); });
    return true;
  }

  static constexpr T kFar = T(1e6);  // m/s
  // the rounding of velocities, in forces of a row that yields so little
  static constexpr T kNoise = T(16) * std::numeric_limits<T>::epsilon() / kYield<T>;
  // a lift may be off by so many tolerances, and twice as many of itself: what slides smoothly has
  // it from the start of the step and is steady; what comes to a halt has not
  static constexpr T kLift = T(1000);

  int looks_ = 0;  // that searches have left
  Solver* solver_ = nullptr;
  const View* model_ = nullptr;
  const T *q_ = nullptr, *v_ = nullptr;
  T dt_{};
  std::span<const Responses<T>> responses_;
  Direct direct_{};
  int coupled_count_ = 0, joint_count_ = 0, contact_count_ = 0;  // coupled: the first joints_
  std::array<RowKey, at(kMaxRows)> keys_;
  std::array<JointRow, at(kMaxRows > 0 ? kMaxRows : 1)> joints_;
  std::array<ContactRow, at(kMaxContacts > 0 ? kMaxContacts : 1)> contacts_;
};

}  // namespace lockstep::auxiliary

#include "lockstep/restore_macros.hpp"
