// The core's solvers over any robot on the host. Their verbs are not inline, so that those who call
// them do not compile the passes again: each is compiled once, in runtime_float.cpp and
// runtime_double.cpp, inverse dynamics in driven.cpp.
#pragma once

#include "lockstep/auxiliary/closed_solver.hpp"
#include "lockstep/auxiliary/constrained_solver.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/solver.hpp"
#include "model/table.hpp"
#include "model/tree_rows.hpp"

namespace lockstep::host {

template <class T>
using HostModel = TableModel<T, kHostBodies>;

template <class T>
class HostSolver : public Solver<HostModel<T>, T> {
  using Base = Solver<HostModel<T>, T>;

 public:
  using Base::Base;
  using typename Base::Input;
  using typename Base::Output;
  using typename Base::Wrenches;

  [[nodiscard]] Status forward_dynamics(const Input& in, Output& out);
  [[nodiscard]] Status forward_dynamics(const Input& in, const Wrenches& external, Output& out);
};

// With a tree's loops and couplings.
template <class T>
class HostClosedSolver : public ClosedSolver<HostModel<T>, T, kHostRows, TreeRows<T>> {
  using Base = ClosedSolver<HostModel<T>, T, kHostRows, TreeRows<T>>;

 public:
  using Base::Base;
  using typename Base::Forces;
  using typename Base::Input;
  using typename Base::Output;

  [[nodiscard]] Status forward_dynamics(const Input& in, Output& out, Forces& forces);
};

// With wrenches on the bodies too.
template <class T>
class HostConstrainedSolver : public ConstrainedSolver<HostModel<T>, T, kHostRows> {
  using Base = ConstrainedSolver<HostModel<T>, T, kHostRows>;

 public:
  using Base::Base;
  using typename Base::Forces;
  using typename Base::Input;
  using typename Base::Output;
  using typename Base::Wrenches;

  [[nodiscard]] Status forward_dynamics(const Input& in, const Wrenches& external,
                                        const TreeRows<T>& rows, Output& out, Forces& forces);

 private:
  auxiliary::RowErrors<HostModel<T>, T, kHostRows> errors_;
};

template <class T>
class HostInverseDynamics : public InverseDynamics<HostModel<T>, T> {
  using Base = InverseDynamics<HostModel<T>, T>;

 public:
  using Base::Base;
  using typename Base::Dofs;
  using typename Base::Input;
  using typename Base::Wrenches;

  [[nodiscard]] Status inverse_dynamics(const Input& in, const Wrenches& external, Dofs& tau);
};

template <class T>
Status HostSolver<T>::forward_dynamics(const Input& in, Output& out) {
  return Base::forward_dynamics(in, out);
}
template <class T>
Status HostSolver<T>::forward_dynamics(const Input& in, const Wrenches& external, Output& out) {
  return Base::forward_dynamics(in, external, out);
}
template <class T>
Status HostClosedSolver<T>::forward_dynamics(const Input& in, Output& out, Forces& forces) {
  return Base::forward_dynamics(in, out, forces);
}
template <class T>
Status HostConstrainedSolver<T>::forward_dynamics(const Input& in, const Wrenches& external,
                                                  const TreeRows<T>& rows, Output& out,
                                                  Forces& forces) {
  return Base::forward_dynamics(in, &external, rows, errors_, out, forces);
}
template <class T>
Status HostInverseDynamics<T>::inverse_dynamics(const Input& in, const Wrenches& external,
                                                Dofs& tau) {
  return Base::inverse_dynamics(in, external, tau);
}

extern template class HostSolver<float>;
extern template class HostSolver<double>;
extern template class HostClosedSolver<float>;
extern template class HostClosedSolver<double>;
extern template class HostConstrainedSolver<float>;
extern template class HostConstrainedSolver<double>;
extern template class HostInverseDynamics<float>;
extern template class HostInverseDynamics<double>;

}  // namespace lockstep::host
