// The rows of a step that minimizes, collected: what joints and contacts ask for at its end, and
// what each costs (contact/cone_cost.hpp); where they act on the tree (newton_tree.hpp), as a block
// on each body that touches and a number on each pivot, and how the tree's answer moves them.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <limits>
#include <span>

#include "lockstep/auxiliary/bounded_settings.hpp"
#include "lockstep/auxiliary/newton_rows.hpp"
#include "lockstep/auxiliary/newton_tree.hpp"
#include "lockstep/auxiliary/responses.hpp"
#include "lockstep/contact/contact_step.hpp"
#include "lockstep/rows/warm_start.hpp"

namespace lockstep::auxiliary {

// Shares of the response: what of a row yields. Far above the rounding of a block on a body, far
// below what matters before the forces that are held take it out.
template <class T>
inline constexpr T kYield = sizeof(T) == sizeof(float) ? T(1e-2) : T(1e-3);
// What they yield once a round has taken long.
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

// Solver: an Anticipation over a NewtonTree.
template <class Solver, class T, int kMaxRows, int kMaxContacts>
class NewtonStepRows {
 public:
  using View = typename Solver::View;
  using Warm = rows::WarmStart<T, kMaxRows>;
  using JointRow = NewtonJointRow<T>;
  using ContactRow = NewtonContactRow<T>;

  // After the solver's `place`.
  void begin(Solver& solver, const View& model, const T* q, const T* v, const T& dt,
             std::span<const Responses<T>> responses) {
    solver_ = &solver, model_ = &model, q_ = q, v_ = v, dt_ = dt, responses_ = responses;
    coupled_count_ = joint_count_ = contact_count_ = 0;
  }

  const View& model() const { return *model_; }
  Solver& solver() const { return *solver_; }
  auto& tree() const { return solver_->tree(); }
  const T& dt() const { return dt_; }
  const T& q(int body) const { return q_[data(body).q]; }
  const T& v(int body) const { return v_[data(body).v]; }
  bool has(int body) const { return body >= kWorld && body < model().body_count(); }
  int size() const { return joint_count_ + contact::kRowsOfContact * contact_count_; }
  const std::array<RowKey, at(kMaxRows)>& keys() const { return keys_; }

  // The rows that the solver has, before any other: `rows` is a StepRows of them. False if one has
  // no cost.
  template <class Rows>
  bool couple(const Rows& rows) {
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

  // From the forces of the last step, where their rows are still there.
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
  // From now on.
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

  // f(row), of all that have a cost.
  template <class F>
  void for_rows(F&& f) {
    for (int i = 0; i < joint_count_; ++i) {
      if (!joints_[at(i)].exact) f(joints_[at(i)]);
    }
    for (int i = 0; i < contact_count_; ++i) f(contacts_[at(i)]);
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
    if (row.point.place == contact::Place::kApart) return;
    load(row.on, row);
    if (row.against.body == kWorld) return;
    load(row.against, row);
    tree().load(row.on.body, row.against.body,
                point_block(row.on.X_BC, row.point.slope, row.against.X_BC));
  }
  // What a contact asks for, beside its lift.
  void aim(ContactRow& row) const {
    row.cost.target = {(row.least - row.lift - row.velocity.x) / dt_ - row.bias.x,
                       -row.velocity.y / dt_ - row.bias.y, -row.velocity.z / dt_ - row.bias.z};
  }

  T force(int i) const {
    if (i < coupled_count_) return joints_[at(i)].within_bounds();
    if (i < joint_count_) return joints_[at(i)].point.force;
    const int row = i - joint_count_;
    const Vec3<T>& f = contacts_[at(row / 3)].point.force;
    return row % 3 == 0 ? f.x : row % 3 == 1 ? f.y : f.z;
  }
  std::span<JointRow> coupled() { return std::span(joints_.data(), at(coupled_count_)); }
  std::span<ContactRow> contacts() { return std::span(contacts_.data(), at(contact_count_)); }
  // Those on single joints.
  std::span<const JointRow> joints() const {
    return std::span(joints_.data(), at(joint_count_)).subspan(at(coupled_count_));
  }

  static T slip(const Vec3<T>& v) { return sqrt(v.y * v.y + v.z * v.z); }

 private:
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
  ContactSide<T> take_side(const contact::Contact<T>& own, int i, const T& sign, const T& rolling,
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
  static Vec3<T> along(const ContactSide<T>& side, const Spatial<T>& A) {
    return transpose_times(side.X_BC.R, A.linear + cross(A.angular, side.X_BC.p));
  }

  const BodyData<T>& data(int body) const { return model().bodies()[at(body)]; }
  void load(const ContactSide<T>& side, const ContactRow& row) {
    tree().load(side.body, wrench_to_parent(side.X_BC, Spatial<T>{row.load(), {}}),
                point_inertia_to_parent(side.X_BC, row.point.slope));
  }

  static constexpr T kFar = T(1e6);  // m/s

  Solver* solver_ = nullptr;
  const View* model_ = nullptr;
  const T *q_ = nullptr, *v_ = nullptr;
  T dt_{};
  std::span<const Responses<T>> responses_;
  int coupled_count_ = 0, joint_count_ = 0, contact_count_ = 0;  // coupled: the first joints_
  std::array<RowKey, at(kMaxRows)> keys_;
  std::array<JointRow, at(kMaxRows > 0 ? kMaxRows : 1)> joints_;
  std::array<ContactRow, at(kMaxContacts > 0 ? kMaxContacts : 1)> contacts_;
};

}  // namespace lockstep::auxiliary

#include "lockstep/restore_macros.hpp"
