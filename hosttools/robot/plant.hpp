// The firmware's loop for any robot on the host: the plant and the controller that a board runs,
// with the same bits. Their verbs are not inline, so that they are compiled once: in driven.cpp.
#pragma once

#include <memory>

#include "loop/controller.hpp"
#include "loop/plant.hpp"
#include "model/content_hash.hpp"
#include "robot/solvers.hpp"
#include "robot/stepping.hpp"

namespace lockstep::host {

template <class T>
std::unique_ptr<LoopRobot<T>> make_loop_robot(const Tree& tree) {
  auto robot = std::make_unique<LoopRobot<T>>();
  robot->table() = *to_table<T>(tree);
  robot->set_hash(content_hash(tree));
  return robot;
}

// Made with a robot, its tree, its bounds, and how its loops are stabilized.
template <class T>
class HostPlant : public firmware::Plant<HostModel<T>, T, HostStepping<T>> {
  using Base = firmware::Plant<HostModel<T>, T, HostStepping<T>>;

 public:
  using Base::Base;
  using typename Base::Configs;
  using typename Base::Dofs;
  Status advance(const LoopSettings<T>& settings);
  Status advance_under(const LoopSettings<T>& settings, const Dofs& tau);

 protected:
  Status drive(const LoopSettings<T>& settings, const Configs& q, const Dofs& v, const Dofs& before,
               Dofs& tau);
};

template <class T>
class HostController : public firmware::Controller<HostModel<T>, T> {
  using Base = firmware::Controller<HostModel<T>, T>;

 public:
  using Base::Base;
  Status control(const LoopSettings<T>& settings, std::uint64_t step);
  Status hold(const LoopSettings<T>& settings);
};

template <class T>
Status HostPlant<T>::advance(const LoopSettings<T>& settings) {
  return Base::advance(settings);
}
template <class T>
Status HostPlant<T>::advance_under(const LoopSettings<T>& settings, const Dofs& tau) {
  return Base::advance_under(settings, tau);
}
template <class T>
Status HostPlant<T>::drive(const LoopSettings<T>& settings, const Configs& q, const Dofs& v,
                           const Dofs& before, Dofs& tau) {
  return Base::drive(settings, q, v, before, tau);
}
template <class T>
Status HostController<T>::control(const LoopSettings<T>& settings, std::uint64_t step) {
  return Base::control(settings, step);
}
template <class T>
Status HostController<T>::hold(const LoopSettings<T>& settings) {
  return Base::hold(settings);
}

extern template class HostPlant<float>;
extern template class HostPlant<double>;
extern template class HostController<float>;
extern template class HostController<double>;

}  // namespace lockstep::host
