#include "race.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>

#include "lockstep/maximal/impulse_stepper.hpp"
#include "lockstep/maximal/lagrange_stepper.hpp"
#include "methods/dense_system.hpp"
#include "methods/sweep_system.hpp"
#include "support/ball_tree.hpp"

namespace lockstep::bench {

namespace {

constexpr int kMostJoints = 255, kMostSweeps = 100000;

constexpr double kStep = 1.0 / 30;  // s
constexpr int kPushedSteps = 1;     // the paper does not say how long the torque acts

using Table = maximal::TableMechanism<double, kMostJoints + 1, kMostJoints, test::BallTreeTypes, 0>;
using Linear = maximal::SparseSystem<Table>;
using Dense = host::methods::DenseSystem<Table, 3 * kMostJoints>;
using Sweep = host::methods::SweepSystem<Table>;

struct BallTree {
  explicit BallTree(std::size_t count) : bodies(count + 1), joints(count), x(7 * (count + 1)) {
    test::make_ball_tree(bodies, joints, x);
  }
  std::vector<maximal::BodyRecord> bodies;
  std::vector<maximal::ConstraintRecord> joints;
  std::vector<double> x;
};

// Of this thread alone, whatever else the machine does.
double now_ms() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

template <class Stepper, class Settings>
Run run(const BallTree& tree, const Table& table, const Settings& settings) {
  const auto stepper = std::make_unique<Stepper>(table);
  auto state = stepper->solver().make_state();
  auto loads = stepper->solver().make_loads();
  std::copy(tree.x.begin(), tree.x.end(), state.x.begin());
  loads.gravity.setZero();  // nothing holds the tree
  Run result = {.ms = 0, .good = true};
  for (int step = 0; step < kSteps && result.good; ++step) {
    loads.force[4] = step < kPushedSteps ? test::kTreeTorque : 0;
    const double before = now_ms();
    result.good = stepper->step(state, loads, settings) == Status::kOk;
    result.ms += (now_ms() - before) / kSteps;
    result.error = std::max(result.error, stepper->errors().position);
    if constexpr (requires { stepper->solves(); }) {
      result.solves += static_cast<double>(stepper->solves()) / kSteps;
    }
  }
  result.x.assign(state.x.begin(), state.x.end());
  return result;
}

std::string name_with(const char* method, double tolerance) {
  char name[64];
  std::snprintf(name, sizeof name, "impulses, %s, %.0e", method, tolerance);
  return name;
}

}  // namespace

std::string iterative_name(double tolerance) { return name_with("iterative", tolerance); }
std::string dense_name(double tolerance) { return name_with("dense", tolerance); }

const Run& Race::of(const std::string& name) const {
  return std::ranges::find(contenders, name, &Contender::name)->best;
}

Race make_race(int joints) {
  const auto tree = std::make_shared<const BallTree>(static_cast<std::size_t>(joints));
  const auto table = std::make_shared<Table>();
  if (table->assign(tree->bodies, tree->joints) != Status::kOk) return {};
  Race race = {.joints = joints, .contenders = {}};
  const auto impulses = [&]<class Method>(const std::string& name, double tolerance) {
    const maximal::ImpulseSettings<double> settings = {
        .dt = kStep, .tolerance = tolerance, .max_solves = Method::kIsExact ? 50 : kMostSweeps};
    race.contenders.push_back({name, [tree, table, settings] {
                                 return run<maximal::ImpulseStepper<Table, Method>>(*tree, *table,
                                                                                    settings);
                               }});
  };
  const auto lagrange = [&]<class Method>(const std::string& name) {
    StepSettings<double> settings;
    settings.dt = kStep;
    settings.integrator = Integrator::kRungeKutta4;
    race.contenders.push_back({name, [tree, table, settings] {
                                 return run<maximal::LagrangeStepper<Table, Method>>(*tree, *table,
                                                                                     settings);
                               }});
  };
  impulses.operator()<Linear>(kLinear, 1e-6);
  for (const double tolerance : kTolerances) {
    impulses.operator()<Sweep>(iterative_name(tolerance), tolerance);
  }
  for (const double tolerance : kTolerances) {
    impulses.operator()<Dense>(dense_name(tolerance), tolerance);
  }
  lagrange.operator()<Linear>(kLagrange);
  lagrange.operator()<Dense>(kDenseLagrange);
  return race;
}

}  // namespace lockstep::bench
