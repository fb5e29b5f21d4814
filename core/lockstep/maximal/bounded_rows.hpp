// Rows that come and go at run time, with bounds on their forces: contacts, limits, dry friction
// (Baraff 1996, section 8). Each one's response is anticipated on a factored system, joints and
// loops held, by sweeps along the ways from the rows' bodies to their roots; a k x k system with
// bounds is left. What does not fit is counted.
#pragma once

#include <bitset>

#include "lockstep/maximal/body_row.hpp"
#include "lockstep/maximal/system.hpp"
#include "lockstep/rows/pivoting.hpp"

namespace lockstep::maximal {

enum class RowMethod : std::uint8_t {
  kPivoting,     // exact, friction in a pyramid
  kGaussSeidel,  // friction in a cone; starts from the last answer, needs one matrix instead of two
};

namespace detail {

// The nodes of a mechanism on the ways from some bodies to their roots.
template <int kMaxUnknowns>
class Ways {
 public:
  explicit Ways(std::span<const NodeShape> nodes) : nodes_(nodes) { marks_.reset(); }

  void mark(int x) { marks_[at(x)] = true; }  // a node, by its first unknown
  void complete() {
    for (const NodeShape& n : nodes_) {
      if (n.parent != kNone && marks_[at(n.x)]) mark(n.parent_x);
    }
  }

  template <class F>
  void forward(F&& f) const {
    for (const NodeShape& n : nodes_) visit(n, f);
  }
  template <class F>
  void backward(F&& f) const {
    for (std::size_t i = nodes_.size(); i-- > 0;) visit(nodes_[i], f);
  }

 private:
  template <class F>
  void visit(const NodeShape& n, F& f) const {
    if (marks_[at(n.x)]) NodeSpan{{&n, 1}}.forward(f);
  }

  std::span<const NodeShape> nodes_;
  std::bitset<at(kMaxUnknowns)> marks_;
};

// A stack of five boxes settles in some tens of sweeps; the last answer saves most of them.
template <class T>
inline constexpr rows::GaussSeidelOptions<T> kSweeping = {.sweeps = 200};

template <class T, int kMaxRows, RowMethod kMethod>
struct RowSolver {
  using Solution = rows::Solution<T, kMaxRows>;

  // Where pivoting gives up, it may leave Gauss-Seidel a poor start: then zero is the better one.
  // Not the last answer: what a step gives depends on nothing before it.
  Status solve(const rows::System<T, kMaxRows>& system, Solution& solution) {
    swept.mu = {};
    const Status status = pivoting.solve(system, {}, solution);
    if (status != Status::kNotConverged) return status;
    const Status again = rows::gauss_seidel(system, kSweeping<T>, swept);
    if (again != Status::kOk && again != Status::kNotConverged) return status;
    if (!(swept.violation < solution.violation)) return status;
    solution = swept;
    return again;
  }
  rows::PivotingSolver<T, kMaxRows> pivoting;
  Solution swept;
};
template <class T, int kMaxRows>
struct RowSolver<T, kMaxRows, RowMethod::kGaussSeidel> {
  Status solve(const rows::System<T, kMaxRows>& system, rows::Solution<T, kMaxRows>& solution) {
    return rows::gauss_seidel(system, kSweeping<T>, solution);
  }
};

}  // namespace detail

template <class Mechanism, int kMaxRows, RowMethod kMethod = RowMethod::kPivoting>
class BoundedRows {
 public:
  using T = typename Mechanism::Scalar;
  using State = maximal::State<Mechanism>;
  using Velocities = VelocitiesOf<Mechanism>;
  using Row = rows::Row<T>;
  using Values = rows::Values<T, kMaxRows>;

  void clear() { system_.count = dropped_ = 0; }
  int count() const { return system_.count; }
  int dropped() const { return dropped_; }    // rows without room
  int unsolved() const { return unsolved_; }  // answers that stopped short of the tolerance, in all

  // Rows of a frame constraint on two bodies, or a body and the world (kWorld), at a state: all of
  // them or none. They move with `sign` times their rates. Returns the first one's number, or
  // kNone.
  template <FrameConstraint C>
  int add(const Mechanism& mechanism, const State& state, const Between<C>& constraint, int a,
          int b, const T& sign = T(1)) {
    if (system_.count + C::kDimension > kMaxRows) {
      dropped_ += C::kDimension;
      return kNone;
    }
    const Held A = hold(mechanism, state, a, constraint.X_A);
    const Held B = hold(mechanism, state, b, constraint.X_B);
    Blocks<T, C::kDimension, kColumns, kColumns> blocks;
    constraint.combine(A.kinematics, B.kinematics, state.time, blocks);
    const int first = system_.count;
    for (int i = 0; i < C::kDimension; ++i) {
      Entry& entry = entries_[at(system_.count)];
      system_.rows[at(system_.count++)] = {};
      entry.c = sign * blocks.c[at(i)];
      entry.drift = sign * blocks.drift[at(i)];
      entry.value = sign * blocks.value[at(i)];
      entry.alone = put_end(A, blocks.J_A[at(i)], sign, entry.row.ends[0]) +
                    put_end(B, blocks.J_B[at(i)], sign, entry.row.ends[1]);
    }
    return first;
  }
  // Takes back rows from `first` on.
  void remove_from(int first) { system_.count = first; }

  Row& bound(int i) { return system_.rows[at(i)]; }
  const T& value(int i) const { return entries_[at(i)].value; }
  const T& bias(int i) const { return entries_[at(i)].c; }
  // The row's rate at velocities of the bodies.
  T rate(int i, const Velocities& v) const {
    return entries_[at(i)].row.rate_of(v) + entries_[at(i)].drift;
  }

  // What a unit force along each row does to all of them; the system is factored at their state.
  void anticipate(System<Mechanism>& system) {
    if (system_.count == 0) return;
    detail::Ways<Mechanism::kMaxUnknowns> ways(system.mechanism().forward());
    for (const NodeShape& n : system.mechanism().auxiliary_nodes().shapes) ways.mark(n.x);
    for (int i = 0; i < system_.count; ++i) {
      for (const auto& end : entries_[at(i)].row.ends) {
        if (end.dimension > 0) ways.mark(end.x);
      }
    }
    ways.complete();
    for (int j = 0; j < system_.count; ++j) {
      ways.forward([&](const auto& n) { std::fill_n(x_.data() + n.x, n.dimension, T(0)); });
      entries_[at(j)].row.push(T(1), x_.data());
      system.respond(ways, x_.data());
      for (int i = j; i < system_.count; ++i) {
        system_.A[at(i)][at(j)] = system_.A[at(j)][at(i)] = entries_[at(i)].row.rate(x_.data());
      }
    }
    drop_held();
  }

  // Forces (impulses) mu within their bounds so that rates (of velocities) A mu + b obey them,
  // where b is what they are without. `mu` is also where Gauss-Seidel begins. Unchanged unless kOk.
  Status solve(const Values& b, Values& mu) {
    system_.b = b;
    solution_.mu = mu;
    const Status status = solver_.solve(system_, solution_);
    if (status != Status::kOk && status != Status::kNotConverged) return status;
    unsolved_ += status == Status::kOk ? 0 : 1;
    mu = solution_.mu;
    return Status::kOk;
  }
  // Row i of A mu.
  T answer(int i, const Values& mu) const {
    T sum(0);
    for (int j = 0; j < system_.count; ++j) sum = sum + system_.A[at(i)][at(j)] * mu[at(j)];
    return sum;
  }
  void add_force(int i, const T& mu, Velocities& force) const {
    entries_[at(i)].row.add_force(mu, force);
  }

  const rows::System<T, kMaxRows>& system() const { return system_; }

 private:
  static constexpr int kColumns = lockstep::detail::kMaxColumns;
  // As in System: what is left of a row that joints hold.
  static constexpr T kHeld = sizeof(T) == sizeof(float) ? T(3e-5) : T(1e-8);

  struct Entry {
    BodyRow<T> row;
    T value, drift, c;
    T alone;  // about the row's response if its bodies were free
  };
  // One end's body at a state.
  struct Held {
    AnyKinematics<T, kColumns> kinematics;
    std::array<T, at(kColumns)> mass;  // the diagonal
    int x = 0, v = 0;
  };

  static Held hold(const Mechanism& mechanism, const State& state, int index,
                   const Placement<T>& X) {
    Held held;
    if (index == kWorld) {
      held.kinematics.take(World<T>{}.kinematics({}, {}, X));
      return held;
    }
    mechanism.body(index, [&]<class B>(const B& body, const BodyPlace& place) {
      const auto pose = load<typename B::Pose>(state.x.data() + place.x);
      const auto v = load<detail::VelocityOf<B>>(state.v.data() + place.v);
      held.kinematics.take(body.kinematics(pose, v, X));
      const auto M = body.mass_matrix(pose);
      for (int i = 0; i < B::kDimension; ++i) held.mass[at(i)] = M[at(i)][at(i)];
      held.x = place.node.x, held.v = place.v;
    });
    return held;
  }

  template <class Numbers>
  static T put_end(const Held& held, const Numbers& J, const T& sign,
                   typename BodyRow<T>::End& end) {
    end.x = held.x, end.v = held.v, end.dimension = held.kinematics.dimension;
    T alone(0);
    for (int i = 0; i < end.dimension; ++i) {
      end.J[at(i)] = sign * J[at(i)];
      alone = alone + J[at(i)] * J[at(i)] / held.mass[at(i)];
    }
    return alone;
  }

  // A row that joints or loops hold by themselves has no force that could move it.
  void drop_held() {
    for (int i = 0; i < system_.count; ++i) {
      if (system_.A[at(i)][at(i)] > kHeld * entries_[at(i)].alone) continue;
      for (int j = 0; j < system_.count; ++j) {
        system_.A[at(i)][at(j)] = system_.A[at(j)][at(i)] = T(0);
      }
    }
  }

  rows::System<T, kMaxRows> system_;
  std::array<Entry, at(kMaxRows)> entries_;
  std::array<T, at(Mechanism::kMaxUnknowns)> x_;
  rows::Solution<T, kMaxRows> solution_;
  detail::RowSolver<T, kMaxRows, kMethod> solver_;
  int dropped_ = 0, unsolved_ = 0;
};

}  // namespace lockstep::maximal
