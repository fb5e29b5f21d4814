// What closed forward dynamics and bounded steps of a robot take, counted, and what share of the
// bound that `lockstep inspect` states it is.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "apps/measure/states.hpp"
#include "inspect/counted.hpp"
#include "inspect/row_bounds.hpp"
#include "lockstep/auxiliary/bounded_stepper.hpp"
#include "lockstep/auxiliary/closed_solver.hpp"
#include "model/table.hpp"
#include "model/tree_colliders.hpp"
#include "model/tree_rows.hpp"

namespace lockstep::test {

using host::Counted;

// The largest share of the bound, and the rows with which it came nearest.
struct Share {
  double largest = 0;
  int rows = 0;
  int refused = 0;
  int most_rows = 0;

  void add(long long operations, long long bound, int count) {
    const double share = static_cast<double>(operations) / static_cast<double>(bound);
    if (share > largest) largest = share, rows = count;
    most_rows = std::max(most_rows, count);
  }
};

class CountedRobot {
 public:
  explicit CountedRobot(const host::Tree& tree)
      : tree_(tree),
        limits_(host::RowBounds::of(tree)),
        model_(host::to_table<Counted, kBodies>(tree)),
        shapes_(tree),
        bounds_(joint_bounds(tree)),
        closed_(std::make_unique<Closed>(*model_, host::TreeRows<Counted>(tree))),
        stepper_(
            std::make_unique<Stepper>(*model_, host::TreeRows<Counted>(tree), bounds_, scene())),
        in_(closed_->make_input()),
        out_(closed_->make_output()),
        forces_(std::make_unique<Closed::Forces>()),
        drawn_{Eigen::VectorXd(in_.q.size()), Eigen::VectorXd(in_.v.size()),
               Eigen::VectorXd(in_.v.size()), Eigen::VectorXd(3)} {}

  const host::RowBounds& bounds() const { return *limits_; }

  Share closed(int states) {
    Share share;
    const long long bound = limits_->closed().total();
    each(states, share, [&] {
      const Status status = closed_->forward_dynamics(in_, out_, *forces_);
      share.add(Counted::operations.total(), bound, limits_->equalities());
      return status;
    });
    return share;
  }

  Share steps(int states, RowSolver solver) {
    Share share;
    each(states, share, [&] {
      const Status status = stepper_->step(in_, {.dt = 1e-3, .solver = solver});
      if (!has_moved(status)) return status;
      const int rows = stepper_->result().row_count;
      share.add(Counted::operations.total(), limits_->step(rows, solver).total(), rows);
      return status;
    });
    return share;
  }

 private:
  static constexpr int kBodies = 32;
  static constexpr Room kRoom = {.rows = 120, .contacts = 24};
  using Table = TableModel<Counted, kBodies>;
  using Closed = ClosedSolver<Table, Counted, kRoom.rows, host::TreeRows<Counted>>;
  using Stepper = BoundedStepper<Table, Counted, kRoom, host::TreeRows<Counted>>;

  struct State {
    Eigen::VectorXd q, v, tau, gravity;
  };

  static std::vector<JointLimits<Counted>> joint_bounds(const host::Tree& tree) {
    std::vector<JointLimits<Counted>> all;
    for (const Body& body : tree.bodies) all.push_back(to_joint_limits<Counted>(body));
    return all;
  }
  Scene<Counted> scene() const {
    Scene<Counted> scene = {.colliders = shapes_.colliders(), .pairs = shapes_.pairs()};
    scene.ground.material.friction = 0.8;
    return scene;
  }

  template <class F>
  void each(int states, Share& share, F&& run) {
    measure::Random random;
    for (int i = 0; i < states; ++i) {
      measure::next_state<double>(random, tree_.bodies, drawn_);
      in_.q = drawn_.q.cast<Counted>();
      in_.v = drawn_.v.cast<Counted>();
      in_.tau = drawn_.tau.cast<Counted>();
      in_.gravity = drawn_.gravity.cast<Counted>();
      Counted::operations = {};
      if (!has_moved(run())) ++share.refused;
    }
  }

  host::Tree tree_;
  std::optional<host::RowBounds> limits_;
  std::unique_ptr<Table> model_;
  host::TreeColliders<Counted> shapes_;
  std::vector<JointLimits<Counted>> bounds_;
  std::unique_ptr<Closed> closed_;
  std::unique_ptr<Stepper> stepper_;
  Closed::Input in_;
  Closed::Output out_;
  std::unique_ptr<Closed::Forces> forces_;
  State drawn_;
};

}  // namespace lockstep::test
