#include "robot/lane_stepping.hpp"

#include <vector>

#include "lockstep/hash.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/lanes.hpp"
#include "model/tree_model.hpp"

namespace lockstep::host {

namespace {

constexpr int kMostLaneBodies = 64;

using StepLanes = Lanes<double, kStepLanes>;
using StepTable = TreeModel<StepLanes, kMostLaneBodies, true>;

// What is no number of a lane's own.
bool is_alike(const Body& a, const Body& b) {
  return a.parent == b.parent && a.joint == b.joint && a.armature == b.armature &&
         a.spin == b.spin && a.stiffness == b.stiffness && a.rest == b.rest && !a.leads &&
         !b.leads && a.tie.leader == kNone && b.tie.leader == kNone;
}

// The first tree's, with the others' numbers in their lanes.
StepTable table_of(std::span<const Tree* const> trees) {
  StepTable table(*trees[0]);
  for (int lane = 1; lane < kStepLanes; ++lane) {
    const Tree& tree = *trees[std::min(static_cast<std::size_t>(lane), trees.size() - 1)];
    Counts counts;
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      BodyData<double> own = to_body_data<double>(tree.bodies[i], counts);
      counts.add(tree.bodies[i].joint);
      std::vector<double> numbers;
      for_each_scalar(own, [&](double& x) { numbers.push_back(x); });
      auto next = numbers.begin();
      for_each_scalar(table.bodies()[i], [&](StepLanes& x) { x.set(lane, *next++); });
    }
  }
  return table;
}

template <class Values>
Eigen::VectorXd lane_of(const Values& values, int lane) {
  Eigen::VectorXd own(values.size());
  for (Eigen::Index i = 0; i < own.size(); ++i) own[i] = values[i][lane];
  return own;
}

}  // namespace

struct LaneStepping::Own {
  StepTable table;
  JointStepper<StepTable, StepLanes> stepper;
  JointStepper<StepTable, StepLanes>::Input state;
  std::array<Hash, kStepLanes> hashes = {};

  explicit Own(std::span<const Tree* const> trees)
      : table(table_of(trees)), stepper(table), state(stepper.make_input()) {}
};

bool LaneStepping::fits(const Tree& a, const Tree& b) {
  if (a.bodies.size() > kMostLaneBodies || a.bodies.size() != b.bodies.size()) return false;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    if (!is_alike(a.bodies[i], b.bodies[i])) return false;
  }
  return true;
}

LaneStepping::LaneStepping(std::span<const Tree* const> trees)
    : own_(std::make_unique<Own>(trees)) {}
LaneStepping::~LaneStepping() = default;

void LaneStepping::set(int lane, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                       const std::array<double, 3>& gravity) {
  for (Eigen::Index i = 0; i < q.size(); ++i) own_->state.q[i].set(lane, q[i]);
  for (Eigen::Index i = 0; i < v.size(); ++i) own_->state.v[i].set(lane, v[i]);
  for (int i = 0; i < 3; ++i) own_->state.gravity[i].set(lane, gravity[at(i)]);
}

std::array<Status, kStepLanes> LaneStepping::step(double dt, Integrator integrator) {
  const std::array<Status, kStepLanes> statuses = own_->stepper.step(own_->state, dt, integrator);
  // a hash waits for itself at every byte: four side by side do not wait for each other
  const auto add = [this](const auto& values) {
    for (const StepLanes& value : values) {
      for (int lane = 0; lane < kStepLanes; ++lane) own_->hashes[at(lane)].add(value[lane]);
    }
  };
  add(own_->state.q);
  add(own_->state.v);
  return statuses;
}

Eigen::VectorXd LaneStepping::q(int lane) const { return lane_of(own_->state.q, lane); }
Eigen::VectorXd LaneStepping::v(int lane) const { return lane_of(own_->state.v, lane); }
std::uint64_t LaneStepping::hash(int lane) const { return own_->hashes[at(lane)].value(); }

}  // namespace lockstep::host
