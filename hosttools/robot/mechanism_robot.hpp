// A mechanism at run time on the host: its table, the core's Lagrange over it, a state, what acts,
// and the answer. Its verbs are not inline, so that they are compiled once: in maximal_float.cpp
// and maximal_double.cpp.
#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>
#include <memory>

#include "mechanism/table.hpp"

namespace lockstep::host {

template <class T>
class MechanismRobot {
  using Solver = maximal::Lagrange<HostMechanism<T>>;

 public:
  explicit MechanismRobot(const Mechanism& mechanism);
  ~MechanismRobot();

  const HostMechanism<T>& table() const { return *table_; }
  const Solver& solver() const { return *solver_; }  // for errors and redundant rows
  typename Solver::State state;
  typename Solver::Loads loads;
  typename Solver::Solution out;

  void set(const Eigen::VectorXd& x, const Eigen::VectorXd& v);
  void set_loads(const Eigen::VectorXd& force, const std::array<double, 3>& gravity);
  Status solve();     // for accelerations, multipliers and errors
  Status respond();   // the same with other loads, at the state that was solved
  Status evaluate();  // errors alone
  // Adds J_B^T lambda of each constraint to the six numbers that `wrench` has for it, if any.
  void add_forces(const std::function<double*(std::size_t constraint)>& wrench) const;

 private:
  std::unique_ptr<HostMechanism<T>> table_;
  std::unique_ptr<Solver> solver_;
};

template <class T>
MechanismRobot<T>::MechanismRobot(const Mechanism& mechanism)
    : table_(to_table<T>(mechanism)), solver_(std::make_unique<Solver>(*table_)) {
  state = solver_->make_state();
  loads = solver_->make_loads();
  out = solver_->make_solution();
}
template <class T>
MechanismRobot<T>::~MechanismRobot() = default;

template <class T>
void MechanismRobot<T>::set(const Eigen::VectorXd& x, const Eigen::VectorXd& v) {
  state.x = x.cast<T>();
  state.v = v.cast<T>();
}
template <class T>
void MechanismRobot<T>::set_loads(const Eigen::VectorXd& force,
                                  const std::array<double, 3>& gravity) {
  loads.force = force.cast<T>();
  loads.gravity = Eigen::Vector3d(gravity.data()).cast<T>();
}

template <class T>
Status MechanismRobot<T>::solve() {
  const Status status = solver_->factor(state);
  return status == Status::kOk ? solver_->accelerations(state, loads, out) : status;
}
template <class T>
Status MechanismRobot<T>::respond() {
  return solver_->accelerations(state, loads, out);
}
template <class T>
Status MechanismRobot<T>::evaluate() {
  return solver_->evaluate(state);
}

template <class T>
void MechanismRobot<T>::add_forces(
    const std::function<double*(std::size_t constraint)>& wrench) const {
  std::size_t next = 0;
  table_->constraints([&](const maximal::ConstraintPlace& place, const auto& evaluate) {
    double* const own = wrench(next++);
    if (own == nullptr) return;
    const auto blocks = evaluate(state.x.data(), state.v.data(), state.time);
    for (int row = 0; row < place.dimension; ++row) {
      const auto lambda = static_cast<double>(out.lambda[place.lambda + row]);
      for (int axis = 0; axis < 6; ++axis) {
        own[axis] += lambda * static_cast<double>(blocks.J_B[at(row)][at(axis)]);
      }
    }
  });
}

extern template class MechanismRobot<float>;
extern template class MechanismRobot<double>;

}  // namespace lockstep::host
