// Loops by parts beside loops all at once: processor time of a step, on one thread, and how far the
// two motions are apart.
//   bench_parts FILE.xml...
#include <cstdio>
#include <ctime>

#include "lockstep/maximal/impulse_stepper.hpp"
#include "mechanism/parts.hpp"
#include "mechanism/read.hpp"
#include "robot/part_stepping.hpp"

namespace {

using namespace lockstep;
using Table = host::HostMechanism<double>;
using ByImpulses = maximal::ImpulseStepper<Table>;

constexpr int kSteps = 100;

struct Run {
  Eigen::VectorXd x;
  double milliseconds = 0;  // of a step
};

template <class F>
Run run(const host::Mechanism& mechanism, const Table& table, F&& step) {
  const auto solver = std::make_unique<maximal::Lagrange<Table>>(table);
  auto state = solver->make_state();
  auto loads = solver->make_loads();
  std::copy(mechanism.x0.begin(), mechanism.x0.end(), state.x.begin());
  std::copy(mechanism.v0.begin(), mechanism.v0.end(), state.v.begin());
  std::copy(mechanism.forces.begin(), mechanism.forces.end(), loads.force.begin());
  std::copy(mechanism.gravity.begin(), mechanism.gravity.end(), loads.gravity.begin());
  const std::clock_t begin = std::clock();
  for (int i = 0; i < kSteps; ++i) {
    if (const Status status = step(state, loads); status != Status::kOk) {
      std::fprintf(stderr, "%s: step %d: %s\n", mechanism.name.c_str(), i, to_string(status));
      std::exit(1);
    }
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return {state.x, 1e3 * seconds / kSteps};
}

}  // namespace

int main(int count, char** files) {
  std::puts(
      "| mechanism | rows | loops | parts, colours | tolerance, m | all at once, ms | parts, ms "
      "| sweeps | apart, m |");
  std::puts("|---|---|---|---|---|---|---|---|---|");
  for (int i = 1; i < count; ++i) {
    std::vector<host::Finding> warnings;
    host::Mechanism mechanism = host::read_mechanism(files[i], {}, warnings);
    mechanism.colliders.clear();
    const auto table = host::to_table<double>(mechanism);
    const host::Split split = host::split(mechanism);
    for (const double tolerance : {1e-6, 1e-4}) {
      const auto stepper = std::make_unique<ByImpulses>(*table);
      maximal::ImpulseSettings<double> settings;
      settings.dt = 1e-3, settings.tolerance = tolerance;
      const Run whole = run(mechanism, *table, [&](auto& state, const auto& loads) {
        return stepper->step(state, loads, settings);
      });
      host::MaximalSettings own;
      own.tolerance = tolerance;
      host::PartStepping<double> stepping(mechanism, *table, own);
      int sweeps = 0;
      const Run parts = run(mechanism, *table, [&](auto& state, const auto& loads) {
        const Status status = stepping.step(state, loads);
        sweeps += stepping.sweeps();
        return status;
      });
      std::printf("| %s | %d | %zu | %zu, %d | %.0e | %.3f | %.3f | %.1f | %.1e |\n",
                  mechanism.name.c_str(), table->counts().lambda, split.loops,
                  split.unknowns.size(), split.colours(), tolerance, whole.milliseconds,
                  parts.milliseconds, static_cast<double>(sweeps) / kSteps,
                  (whole.x - parts.x).cwiseAbs().maxCoeff());
    }
  }
}
