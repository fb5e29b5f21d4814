// The velocities at the end of a step with contacts on fixed things and rows on single joints, as
// the least of a convex function, in linear time: a is the acceleration over the step,
//   c(a) = 1/2 (a - a_free)^T Mh (a - a_free) + sum of the rows' costs (contact/cone_cost.hpp),
// Mh with dampers and springs at its end. A step of Newton's method solves (Mh + K G K^T) a = ...,
// and that is the tree itself with a block on each body that touches and a number on each pivot
// that a row holds (newton_tree.hpp). No matrix of the rows exists. Cost: O(n + k) an iteration.
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
#include "lockstep/rows/held.hpp"
#include "lockstep/rows/warm_start.hpp"

namespace lockstep::auxiliary {

// Shares of the response: what of a row yields. Far above the rounding of a block on a body, far
// below what matters before the forces that are held take it out.
template <class T>
inline constexpr T kYield = sizeof(T) == sizeof(float) ? T(1e-2) : T(1e-3);
// How much of the last step's force is held: rows that rule each other out do not pile up. What
// stands sinks by the rest, within the slop.
template <class T>
inline constexpr T kKept = T(1) - (sizeof(T) == sizeof(float) ? T(1) / T(1024) : T(1) / T(16384));

// How often all searches of a step may look at its rows, for each solve that it has.
inline constexpr int kLooks = 5;

template <class View, class T, int kMaxRows, int kMaxContacts, int kMaxBlocks>
class NewtonStep {
 public:
  using Warm = rows::WarmStart<T, kMaxRows>;
  struct JointRow : NewtonRow<contact::BoundCost<T>> {
    int body;
    T sign, velocity, wanted;  // along the row: at the start, and at the end of the step
    T response;
    bool soft;  // yields on purpose

    T unheld() const { return soft ? T(0) : this->point.force - this->held; }
    T change() const { return this->next_a; }
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
  };

  void begin(const View& model, const PassInput<T>& ask, const Implicit<T>& step,
             std::span<const Responses<T>> responses) {
    model_ = &model, q_ = ask.q, v_ = ask.v, dt_ = step.dt, responses_ = responses;
    joint_count_ = contact_count_ = 0;
    tree_.place(model, ask, step);
  }

  const NewtonTree<View, T, kMaxBlocks>& tree() const { return tree_; }
  const View& model() const { return *model_; }
  const T& q(int body) const { return q_[data(body).q]; }
  const T& v(int body) const { return v_[data(body).v]; }
  bool has(int body) const { return body >= kWorld && body < model().body_count(); }
  int size() const { return joint_count_ + contact::kRowsOfContact * contact_count_; }
  const std::array<RowKey, at(kMaxRows)>& keys() const { return keys_; }

  // A row on a joint of one coordinate; bounds are impulses.
  Status add_joint(const RowKey& key, int body, const T& sign, const rows::RowBound<T>& bound,
                   const T& wanted) {
    if (joint_count_ >= kMaxRows) return Status::kTooManyRows;
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    keys_[at(joint_count_)] = key;
    JointRow& row = joints_[at(joint_count_++)];
    const bool boxed = bound.kind == rows::RowKind::kBoxed;
    const bool one_sided = bound.kind == rows::RowKind::kUnilateral;
    row.body = body, row.sign = sign, row.wanted = wanted;
    row.velocity = sign * v(body);
    if (!boxed && !one_sided) keep_within_limits(row);
    row.response = responses_[at(body)].joint;
    // what yields less than rows do here anyway does not yield
    const T yields = kYield<T> * row.response;
    row.soft = bound.compliance > yields;
    row.cost = {.stiffness = T(1) / (row.soft ? bound.compliance : yields),
                .lower = boxed       ? bound.lower / dt_
                         : one_sided ? T(0)
                                     : -kInfinity,
                .upper = boxed ? bound.upper / dt_ : kInfinity,
                .target = (row.wanted - row.velocity) / dt_};
    return Status::kOk;
  }

  // False if it is on a joint that follows another, or there is no room for one between two bodies.
  bool add_contact(const contact::Contact<T>& own, const RowKey& key) {
    const auto moves = [](int body) { return body != kWorld; };
    const auto follows = [&](int body) { return moves(body) && data(body).leader != kNone; };
    const bool between = moves(own.a) && moves(own.b);
    if ((!moves(own.a) && !moves(own.b)) || follows(own.a) || follows(own.b)) return false;
    if (between && (own.a == own.b || !tree_.connect(own.a, own.b))) return false;
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
    row.idle = tree_.is_held(model(), own.a, own.b, own.point, own.normal);
    return true;
  }
  // After the last contact. False if there is no room for what elimination adds.
  bool fill_in() { return tree_.fill_in(model()); }

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
      tree_.unload(model());
      if (!tree_.solve(model())) return false;
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
  // kSingular: the tree cannot be solved. Not converged: the forces that it came to act, and are
  // allowed.
  Status solve(const NewtonOptions<T>& options, const Warm& warm, Outcome& outcome) {
    outcome = {};
    looks_ = kLooks * options.iterations;
    // a short step changes velocities by less
    const T tolerance = options.tolerance * (dt_ < T(1e-3) ? T(1e3) * dt_ : T(1));
    guess(warm);
    bool again = true;  // with another function
    for (int round = 0; again && outcome.solves < options.iterations; ++outcome.solves) {
      const bool searches = outcome.solves > 0 && !outcome.converged;
      if (!iterate(searches, tolerance, outcome.converged, outcome.violation)) {
        return Status::kSingular;
      }
      if (outcome.converged) {
        const bool more = round < options.rounds && 3 * outcome.solves < 2 * options.iterations;
        // half the way to the lifts after the first: they may turn in circles
        again = more && refine(tolerance, round++ == 0 ? T(1) : T(0.5), outcome.violation);
      }
    }
    if (outcome.converged) return Status::kOk;
    tree_.unload(model());
    for_rows([&](auto& row) { row.settle(); });
    for_rows([&](const auto& row) { load(row); });
    return tree_.solve(model()) ? Status::kOk : Status::kSingular;
  }

  T force(int i) const {
    if (i < joint_count_) return joints_[at(i)].point.force;
    const int row = i - joint_count_;
    const Vec3<T>& f = contacts_[at(row / 3)].point.force;
    return row % 3 == 0 ? f.x : row % 3 == 1 ? f.y : f.z;
  }
  std::span<const JointRow> joints() const { return {joints_.data(), at(joint_count_)}; }

  // Accelerations and reactions of the solution. Unchanged unless kOk.
  template <class Output>
  Status write(Output& out) {
    const T sum = tree_.write(model());
    if (!is_finite(sum)) return Status::kOverflow;
    const PassOutput<T> answer = tree_.output();
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

  // What drives a joint with any force does not drive it past a limit; neither would give way.
  void keep_within_limits(JointRow& drive) const {
    for (int i = 0; i < joint_count_ - 1; ++i) {
      const JointRow& row = joints_[at(i)];
      if (row.body != drive.body || row.cost.lower != T(0)) continue;
      const T end = row.sign * row.wanted, beyond = row.sign * (end - drive.wanted);
      if (beyond > T(0)) drive.wanted = end;
    }
  }

  // One body's share of a contact: it moves with `sign` times the body's velocity there.
  Side take_side(const contact::Contact<T>& own, int i, const T& sign, const T& rolling,
                 ContactRow& row) {
    tree_.expect(model(), i);
    const Placement<T>& X_WB = tree_.pose(i);
    const Vec3<T> n = own.normal, t = contact::across(n), u = cross(n, t);
    const auto axis = [&](const Vec3<T>& a) { return sign * transpose_times(X_WB.R, a); };
    const Placement<T> X = {{axis(n), axis(t), axis(u)},
                            transpose_times(X_WB.R, own.point - X_WB.p)};
    const Vec3<T>& r = X.p;
    const Vec3<T>&w = tree_.twist(i).angular, &v = tree_.twist(i).linear;
    const Vec3<T> carried = r + rolling * X.R.x;
    row.velocity = row.velocity + transpose_times(X.R, v + cross(w, r));
    const bool falls = own.a == kWorld || own.b == kWorld;  // two bodies fall alike
    row.bias = row.bias + transpose_times(X.R, cross(w, cross(w, carried)) + cross(w, v) +
                                                   (falls ? tree_.falling(i) : Vec3<T>{}));
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
    for (int i = 0; i < joint_count_; ++i) f(joints_[at(i)]);
    for (int i = 0; i < contact_count_; ++i) f(contacts_[at(i)]);
  }

  T acceleration(const JointRow& row) const { return row.sign * tree_.vdot(data(row.body).v); }
  Vec3<T> acceleration(const ContactRow& row) const {
    const Vec3<T> a = along(row.on, tree_.acceleration(row.on.body));
    if (row.against.body == kWorld) return a;
    return a + along(row.against, tree_.acceleration(row.against.body));
  }
  void load(const JointRow& row) {
    tree_.load(model(), data(row.body), row.sign * row.load(), row.point.slope);
  }
  void load(const ContactRow& row) {
    if (row.point.place == Place::kApart) return;
    load(row.on, row);
    if (row.against.body == kWorld) return;
    load(row.against, row);
    tree_.load(row.on.body, row.against.body,
               point_block(row.on.X_BC, row.point.slope, row.against.X_BC));
  }
  void load(const Side& side, const ContactRow& row) {
    tree_.load(side.body, wrench_to_parent(side.X_BC, Spatial<T>{row.load(), {}}),
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

  // One solve of the tree and, unless it is the first, the way to its answer. `settled`: the least
  // is found, and the forces are those of the lines.
  bool iterate(bool searches, const T& tolerance, bool& settled, T& violation) {
    tree_.unload(model());
    for_rows([&](const auto& row) { load(row); });
    if (!tree_.solve(model())) return false;
    T first(0), last(0);
    settled = true, violation = T(0);
    for_rows([&](auto& row) {
      row.take(acceleration(row));
      if (searches) row.add_slopes(first, last);
      const T miss = dt_ * row.response * length(row.miss()), speed = length(row.velocity);
      settled &= miss <= within(row, tolerance) + kNoise * speed;
      if (miss > violation) violation = miss;
    });
    if (settled || !searches || last <= T(0.1) * -first) {
      for_rows([&](auto& row) { row.accept(); });
      return true;
    }
    const T t = search_along(first, last, looks_, [&](const T& at, T& slope, T& curvature) {
      for_rows([&](const auto& row) { row.add_derivatives(at, slope, curvature); });
    });
    for_rows([&](auto& row) { row.go(t); });
    return true;
  }

  // What an error of a row may be: some of what its velocity changes by in the step.
  template <class Row>
  T within(const Row& row, const T& tolerance) const {
    return tolerance * (T(1) + T(100) * dt_ * length(row.change()));
  }
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
      judge(dt_ * length(row.cost.yielding(row.unheld())), within(row, tolerance));
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
  const View* model_ = nullptr;
  const T *q_ = nullptr, *v_ = nullptr;
  T dt_{};
  std::span<const Responses<T>> responses_;
  NewtonTree<View, T, kMaxBlocks> tree_;
  int joint_count_ = 0, contact_count_ = 0;
  std::array<RowKey, at(kMaxRows)> keys_;
  std::array<JointRow, at(kMaxRows > 0 ? kMaxRows : 1)> joints_;
  std::array<ContactRow, at(kMaxContacts > 0 ? kMaxContacts : 1)> contacts_;
};

}  // namespace lockstep::auxiliary

#include "lockstep/restore_macros.hpp"
