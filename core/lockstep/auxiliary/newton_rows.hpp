// The rows of a step that minimizes, as Newton's method sees them. After a solve of the tree with
// the rows linearized, Mh (a - a_free) = K lambda holds with lambda the forces of the lines, and so
// it does anywhere between two such solves. The gradient of the cost is K (lambda - f), and the
// search along a step needs the rows alone:
//   c'(t) = (lambda + t dlambda - f(a + t da)) . da,   c'' = (dlambda + G da) . da.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/contact/cone_cost.hpp"
#include "lockstep/rows/row.hpp"

namespace lockstep::auxiliary {

template <class Cost>
struct NewtonRow {
  using Value = typename Cost::Value;
  using Point = typename Cost::Point;

  Cost cost;
  Value held;       // the force that takes the compliance out
  Value a, lambda;  // the iterate
  Value found;      // the force of the last round that had one
  Point point;      // the cost there
  Value next_a, next_lambda;
  Point next;

  // The first line: by the force that was there, or else by where the row was at the start.
  template <class T>
  void guess(const Value& force, const T& kept, const Value& at_rest) {
    held = kept * force;
    const Value y = cost.guess(force, at_rest);
    a = cost.where(held, y);
    point = cost.at(y);
  }
  // The same anew, with more of the force held.
  void restart(const Value& unheld) {
    found = point.force;
    held = held + unheld;
    draw();
  }
  // The line of where it is.
  void draw() {
    const Value y = cost.bears(point.force) ? point.force : cost.trial(held, a);
    a = cost.where(held, y);
    point = cost.at(y);
  }
  // f = load - slope a on the line.
  Value load() const { return point.force + point.slope * a; }
  // The answer of the tree.
  void take(const Value& acceleration) {
    next_a = acceleration;
    next_lambda = load() - point.slope * next_a;
    evaluate();
  }
  void evaluate() { next = cost.at(cost.trial(held, next_a)); }
  // By how much the line missed the force.
  Value miss() const { return next_lambda - next.force; }
  // A force, whether the cost would have it or not.
  void settle(const Value& force) { point = {contact::Place::kSlides, force, {}}; }
  void accept() { a = next_a, lambda = next_lambda, point = next; }

  template <class T>
  void add_slopes(T& first, T& last) const {
    const Value da = next_a - a;
    first = first + contact::product(Value(lambda - point.force), da);
    last = last + contact::product(miss(), da);
  }
  // c' and c'' at t.
  template <class T>
  void add_derivatives(const T& t, T& slope, T& curvature) const {
    const Value da = next_a - a, dlambda = next_lambda - lambda;
    const Point at = cost.at(cost.trial(held, Value(a + t * da)));
    slope = slope + contact::product(Value(lambda + t * dlambda - at.force), da);
    curvature = curvature + contact::product(Value(dlambda + at.slope * da), da);
  }
  template <class T>
  void go(const T& t) {
    a = a + t * (next_a - a);
    lambda = lambda + t * (next_lambda - lambda);
    point = cost.at(cost.trial(held, a));
  }
};

// On a joint; or over several, which is the solver's row of the same number.
template <class T>
struct NewtonJointRow : NewtonRow<contact::BoundCost<T>> {
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

template <class T>
struct ContactSide {
  int body = kWorld;
  Placement<T> X_BC;  // x along the normal, where a force pushes the body
};

template <class T>
struct NewtonContactRow : NewtonRow<contact::ConeCost<T>> {
  ContactSide<T> on, against;  // a body, and what it touches: another, or the world
  Vec3<T> velocity;            // at the start
  Vec3<T> bias;                // of its acceleration beside the bodies'
  T least, lift;               // normal velocity at the end; what is asked for less
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

// How far to go along a step, from the derivatives there: the least of a convex function in (0, 1),
// whose slopes at both ends are known. Newton's method within a shrinking interval. `looks` are
// left to all searches of a step.
inline constexpr int kMostLooks = 12;
template <class T, class Derivatives>
T search_along(const T& first, const T& last, int& looks, Derivatives&& derivatives) {
  T low(0), high(1), t = first / (first - last);
  for (int i = 0; i < kMostLooks && looks > 0; ++i, --looks) {
    T slope(0), curvature(0);
    derivatives(t, slope, curvature);
    if (rows::magnitude(slope) <= T(0.01) * rows::magnitude(first)) break;
    (slope < T(0) ? low : high) = t;
    const T next = t - slope / curvature;
    t = next > low && next < high ? next : T(0.5) * (low + high);
  }
  return t;
}

}  // namespace lockstep::auxiliary

#include "lockstep/restore_macros.hpp"
