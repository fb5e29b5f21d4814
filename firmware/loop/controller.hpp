// The application that drives a robot: what was measured and what is wanted in, torques out.
#pragma once

#include <cstdint>

#include "lockstep/hash.hpp"
#include "loop/computed_torque.hpp"

namespace lockstep::firmware {

template <class Model, class T>
class Controller {
 public:
  using View = typename Robot<Model, T>::View;
  using Law = ComputedTorque<Model, T>;

  struct Incoming {
    typename Law::Configs q;
    typename Law::Dofs v;
    typename Law::Reference reference;
  };

  // Nothing of this goes over the stack, where a large table would take 8 KB.
  explicit Controller(const Robot<Model, T>& robot)
      : law_(robot), incoming_{.q = {}, .v = {}, .reference = law_.make_reference()} {
    incoming_.q = incoming_.reference.q;
    incoming_.v = incoming_.reference.v;
    start();
  }

  // From the first step again, without torques.
  void start() {
    release();
    step_ = 0;
    hash_ = Hash();
  }

  Incoming& incoming() { return incoming_; }  // where messages may be unpacked
  const typename Law::Dofs& torque() const { return torque_; }
  std::uint64_t step() const { return step_; }  // the next
  std::uint64_t hash() const { return hash_.value(); }
  std::uint32_t limited() const { return law_.limited(); }

  // The torques for `incoming`. On failure they stay as they were.
  Status control(const Settings<View, T>& settings, std::uint64_t step) {
    const Status status =
        law_.control(settings, incoming_.q, incoming_.v, incoming_.reference, torque_);
    if (status != Status::kOk) return status;
    step_ = step + 1;
    hash_.add_all(torque_);
    return Status::kOk;
  }

  // The same by springs and dampers; no tick of the controller's own. Torques last a tick: what is
  // stiff for that shakes, where a plant that holds itself does not.
  Status hold(const Settings<View, T>& settings) {
    const typename Law::Dofs before = torque_;
    const Status status =
        law_.hold(settings, incoming_.q, incoming_.v, incoming_.reference, torque_);
    if (status == Status::kOk) law_.limit(settings, before, torque_);
    return status;
  }

  // Lets the robot go.
  void release() { torque_ = Law::Dofs::Zero(incoming_.v.size()); }

 private:
  Law law_;
  Incoming incoming_;
  typename Law::Dofs torque_;
  std::uint64_t step_ = 0;
  Hash hash_;
};

}  // namespace lockstep::firmware
