// A tree of 31 ball joints under impulses for a second, at 1 kHz: the same on a host and on a chip.
#pragma once

#include "lockstep/hash.hpp"
#include "lockstep/maximal/impulse_stepper.hpp"
#include "support/ball_tree.hpp"

namespace lockstep::test {

inline constexpr int kTreeJoints = 31, kTreeSteps = 1000, kTreePushed = 33;

struct TreeRecords {
  std::array<maximal::BodyRecord, kTreeJoints + 1> bodies;
  std::array<maximal::ConstraintRecord, kTreeJoints> joints;
  std::array<double, 7 * (kTreeJoints + 1)> x;
};
inline constexpr TreeRecords kTree = [] {
  TreeRecords tree{};
  make_ball_tree(tree.bodies, tree.joints, tree.x);
  return tree;
}();

template <class T>
class TreeMotion {
 public:
  // The hash over every state, or 0 if a step failed.
  std::uint64_t run() {
    if (table_.status != Status::kOk) return 0;
    state_ = stepper_.solver().make_state();
    loads_ = stepper_.solver().make_loads();
    for (std::size_t i = 0; i < kTree.x.size(); ++i) {
      state_.x[static_cast<Eigen::Index>(i)] = static_cast<T>(kTree.x[i]);
    }
    maximal::ImpulseSettings<T> settings;
    settings.dt = T(0.001);
    settings.tolerance = T(1e-5);
    Hash hash;
    for (int step = 0; step < kTreeSteps; ++step) {
      loads_.force[4] = step < kTreePushed ? T(kTreeTorque) : T(0);
      if (stepper_.step(state_, loads_, settings) != Status::kOk) return 0;
      hash.add_all(state_.x);
      hash.add_all(state_.v);
    }
    return hash.value();
  }

 private:
  using Table = maximal::TableMechanism<T, kTreeJoints + 1, kTreeJoints, BallTreeTypes, 0>;
  using Stepper = maximal::ImpulseStepper<Table>;
  struct TreeTable : Table {  // a stepper wants to know its size
    Status status = this->assign(kTree.bodies, kTree.joints);
  };

  TreeTable table_;
  Stepper stepper_{table_};
  typename Stepper::State state_;
  typename Stepper::Loads loads_;
};

}  // namespace lockstep::test
