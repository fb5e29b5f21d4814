// Rows that come and go at run time, with bounds on their forces: contacts, limits, dry friction
// (Baraff 1996, section 8). Each one's response is anticipated on a factored system, joints and
// loops held, by sweeps along the ways from the rows' bodies to their roots; a k x k system with
// bounds is left. What does not fit is counted.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/maximal/body_row.hpp"
#include "lockstep/maximal/sparse_system.hpp"
#include "lockstep/rows/pivoting.hpp"

namespace lockstep::maximal {

template <class Mechanism, int kMaxRows>
class BoundedRows {
 public:
  using T = typename Mechanism::Scalar;
  using State = maximal::State<Mechanism>;
  using Velocities = VelocitiesOf<Mechanism>;
  using Row = rows::RowBound<T>;
  using Values = rows::Values<T, kMaxRows>;

  void clear() { system_.count = dropped_ = 0; }
  int count() const { return system_.count; }
  int dropped() const { return dropped_; }  // rows without room

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
    put_on_bodies(constraint.rows(A.kinematics.frame, B.kinematics.frame, state.time), A.kinematics,
                  B.kinematics, blocks);
    const int first = system_.count;
    for (int i = 0; i < C::kDimension; ++i) {
      Entry& entry = entries_[at(system_.count)];
      system_.rows[at(system_.count++)] = {};
      entry.c = sign * blocks.c[at(i)];
      entry.phi_t = sign * blocks.phi_t[at(i)];
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
    return entries_[at(i)].row.rate_of(v) + entries_[at(i)].phi_t;
  }

  // What a unit force along each row does to all of them; the system is factored at their state.
  Status anticipate(const SparseSystem<Mechanism>& system) {
    const Status status = rows::anticipate<T, kMaxRows>(Sweeps{*this, system}, count(), system_.A);
    if (status != Status::kOk) return status;
    system.template hold_loops<kMaxRows>({sweeps_.data(), at(count())}, pushed_, system_.A);
    drop_held();
    return Status::kOk;
  }

  // Forces (impulses) mu within their bounds so that rates (of velocities) A mu + b obey them,
  // where b is what they are without. `mu` is also where Gauss-Seidel begins. kNotConverged is an
  // answer too; after any other failure mu is as it was.
  Status solve(const Values& b, const rows::SolverOptions<T>& options, Values& mu) {
    system_.b = b;
    solution_.mu = mu;
    const Status status = solver_.solve_as_chosen(system_, options, solution_);
    if (status == Status::kOk || status == Status::kNotConverged) mu = solution_.mu;
    return status;
  }
  rows::Stop stop() const { return solution_.stop; }
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
  using Sweep = typename SparseSystem<Mechanism>::Sweep;

  // For rows::anticipate.
  struct Sweeps {
    BoundedRows& own;
    const SparseSystem<Mechanism>& system;

    static bool works(int) { return false; }
    bool sweep(int i) { return system.sweep(own.entries_[at(i)].row, own.sweeps_[at(i)]); }
    T product(int i, int j) const { return system.product(own.sweeps_[at(i)], own.sweeps_[at(j)]); }
  };

  struct Entry {
    BodyRow<T> row;
    T value, phi_t, c;
    T alone;  // about the row's response if its bodies were free
  };
  // One end's body at a state.
  struct Held {
    AnyKinematics<T, kColumns> kinematics;
    std::array<T, at(kColumns)> mass;  // the diagonal
    int node = kNone, x = 0, v = 0;
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
      held.node = place.number, held.x = place.node.x, held.v = place.v;
    });
    return held;
  }

  template <class Numbers>
  static T put_end(const Held& held, const Numbers& J, const T& sign,
                   typename BodyRow<T>::End& end) {
    end.node = held.node, end.x = held.x, end.v = held.v, end.dimension = held.kinematics.dimension;
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
      if (!rows::is_held(system_.A[at(i)][at(i)], entries_[at(i)].alone,
                         rows::kHeldByMechanism<T>)) {
        continue;
      }
      for (int j = 0; j < system_.count; ++j) {
        system_.A[at(i)][at(j)] = system_.A[at(j)][at(i)] = T(0);
      }
    }
  }

  rows::System<T, kMaxRows> system_;
  std::array<Entry, at(kMaxRows)> entries_;
  std::array<Sweep, at(kMaxRows)> sweeps_;
  std::array<typename SparseSystem<Mechanism>::LoopValues, at(kMaxRows)> pushed_;
  rows::Solution<T, kMaxRows> solution_;
  rows::PivotingSolver<T, kMaxRows> solver_;
  int dropped_ = 0;
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
