// What a run in joint space is judged by: its energy, at every state that is shown.
#pragma once

#include "robot/balance.hpp"
#include "robot/joint_record.hpp"

namespace lockstep::host::sim {

class JointWatch {
 public:
  // Both outlive the watch.
  JointWatch(const Tree& whole, const Bounds& bounds) : tree_(whole), pushed_(bounds.position) {}

  // Energy and momentum of a state, in springs and in contacts that yield too.
  Mechanics add(const JointMoment& now);

  const Balance& balance() const { return balance_; }

 private:
  const Tree& tree_;
  Balance balance_;
  bool pushed_;  // back into the limits, from a start beyond them
};

}  // namespace lockstep::host::sim
