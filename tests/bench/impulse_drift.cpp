// How far a tree of ball joints comes apart over many steps: by impulses, never further than their
// tolerance, which is checked after every step; by forces without and with Baumgarte's terms.
//   impulse_drift [STEPS]      default: 1000000
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "lockstep/maximal/impulse_stepper.hpp"
#include "lockstep/maximal/lagrange_stepper.hpp"
#include "support/ball_tree.hpp"

namespace {

using namespace lockstep;

constexpr int kJoints = 7;
constexpr int kPushed = 33;

template <class T>
using Table = maximal::TableMechanism<T, kJoints + 1, kJoints, test::BallTreeTypes, 0>;

template <class T>
struct Tree : Table<T> {
  Tree() {
    std::array<maximal::BodyRecord, kJoints + 1> bodies;
    std::array<maximal::ConstraintRecord, kJoints> joints;
    test::make_ball_tree(bodies, joints, x);
    status = this->assign(bodies, joints);
  }
  std::array<double, 7 * (kJoints + 1)> x;
  Status status;
};

// The largest constraint error within the first 10, 100, ... steps. False: a step failed, or ended
// beyond it.
template <class T, class Stepper, class Settings>
bool run(const char* name, int steps, const Settings& settings, double bound) {
  const auto tree = std::make_unique<Tree<T>>();
  const auto stepper = std::make_unique<Stepper>(*tree);
  auto state = stepper->solver().make_state();
  auto loads = stepper->solver().make_loads();
  for (std::size_t i = 0; i < tree->x.size(); ++i) {
    state.x[static_cast<Eigen::Index>(i)] = static_cast<T>(tree->x[i]);
  }
  loads.gravity.setZero();
  double most = 0;
  std::printf("%-34s", name);
  for (int step = 1, shown = 100; step <= steps; ++step) {
    loads.force[4] = step <= kPushed ? T(0.1) * T(test::kTreeTorque) : T(0);
    const Status status = stepper->step(state, loads, settings);
    const auto error = static_cast<double>(stepper->errors().position);
    if (status != Status::kOk || !(error <= bound)) {
      std::printf(" step %d: %s, error %.2e\n", step, to_string(status), error);
      return false;
    }
    most = error > most ? error : most;
    if (step != shown && step != steps) continue;
    std::printf(" %9.2e", most);
    shown *= 10;
  }
  std::printf("\n");
  return true;
}

template <class T>
bool run_all(const char* scalar, int steps, double tolerance) {
  const auto name = [&](const char* method) { return std::string(scalar) + ", " + method; };
  maximal::ImpulseSettings<T> impulses;
  impulses.dt = T(0.001);
  impulses.tolerance = static_cast<T>(tolerance);
  const double bound = static_cast<double>(impulses.tolerance);
  bool good =
      run<T, maximal::ImpulseStepper<Table<T>>>(name("impulses").c_str(), steps, impulses, bound);
  StepSettings<T> forces;
  forces.dt = T(0.001);
  forces.integrator = Integrator::kRungeKutta4;
  constexpr double kAny = 1e9;
  for (const auto& [text, stabilization] :
       {std::pair{"forces, no stabilization", Stabilization::kOff},
        {"forces, Baumgarte", Stabilization::kBaumgarte}}) {
    forces.stabilization = stabilization;
    good &= run<T, maximal::LagrangeStepper<Table<T>>>(name(text).c_str(), steps, forces, kAny);
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
  std::printf("largest constraint error in m, within 100, 1000, ... steps of 1 ms\n");
  const bool good = run_all<double>("double", steps, 1e-9) & run_all<float>("float", steps, 1e-5);
  return good ? 0 : 1;
}
