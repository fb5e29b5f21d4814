#include "sim/joint_watch.hpp"

#include "model/loop_rows.hpp"
#include "robot/placement.hpp"

namespace lockstep::host::sim {

Mechanics JointWatch::add(const JointMoment& now) {
  Mechanics own = mechanics(tree_.bodies, now);
  own.potential += soft_row_energy(tree_, now.q) + now.stored;
  pushed_ = pushed_ && is_outside(tree_, now.q);
  if (pushed_) balance_.forgive();
  balance_.add(own, now.work, now.q, now.v, now.damped);
  return own;
}

}  // namespace lockstep::host::sim
