// A controller whose torques act 8 ms late: on the measured state it shakes the arm, on the state
// that the model predicts for the time at which they act it holds it still.
// Usage: example_09_prediction PLOT.svg
#include <cmath>
#include <cstdio>
#include <memory>

#include "lockstep/devices/drivetrains.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/observe/predictor.hpp"
#include "plot.hpp"
#include "six_axis_arm.hpp"

using namespace lockstep;

namespace {

constexpr double kDt = 0.001;
constexpr int kDelay = 8;  // steps
constexpr Integrator kEuler = Integrator::kSemiImplicitEuler;

// Steps the second joint by 0.2 rad; how far it is off in the end, and all of it into a curve.
double run(bool predicts, Recording& record, std::size_t curve) {
  const auto arm = std::make_unique<JointStepper<six_axis_arm>>();
  const auto inverse = std::make_unique<InverseDynamics<six_axis_arm>>();
  const auto predictor = std::make_unique<Predictor<six_axis_arm, kDelay>>();
  const auto drives = std::make_unique<Drivetrains<six_axis_arm>>();
  const std::vector<Drivetrain<double>> trains(6, Drivetrain<double>{.delay = kDelay});
  if (drives->set(trains) != Status::kOk) return NAN;
  auto state = arm->make_input();
  auto ask = inverse->make_input();
  auto tau = state.tau;
  state.q[1] = -1, state.q[2] = 1;
  const auto start = state.q;
  // what holds it up is there already
  ask.q = state.q, ask.v = state.v;
  if (inverse->inverse_dynamics(ask, tau) != Status::kOk) return NAN;
  for (int i = 0; i < kDelay; ++i) {
    if (predictor->sent(tau) != Status::kOk) return NAN;
    if (drives->drive(state.v, tau, kDt) != Status::kOk) return NAN;
  }
  double most = 0;
  for (int i = 0; i < 600; ++i) {
    auto seen = state;
    if (predicts && predictor->predict(seen, kDelay, kDt, kEuler) != Status::kOk) return NAN;
    const double target = 0.2;
    for (int k = 0; k < 6; ++k) {
      const double wanted = start[k] + (k == 1 ? target : 0);
      ask.vdot[k] = 6400 * (wanted - seen.q[k]) - 160 * seen.v[k];
    }
    ask.q = seen.q, ask.v = seen.v;
    if (inverse->inverse_dynamics(ask, tau) != Status::kOk) return NAN;
    if (predictor->sent(tau) != Status::kOk) return NAN;
    if (drives->drive(state.v, tau, kDt) != Status::kOk) return NAN;
    state.tau = drives->tau();
    if (arm->step(state, kDt, kEuler) != Status::kOk) return NAN;
    drives->follow(state.v, state.tau, kDt);
    const double error = start[1] + target - state.q[1];
    if (i < 200) record.add(curve, i * kDt, error);
    if (i >= 400) most = std::max(most, std::abs(error));
    if (std::abs(error) > 2) return error;  // shaken to pieces
  }
  return most;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: %s PLOT.svg\n", argv[0]), 1;
  Recording record("A step of 0.2 rad, torques act 8 ms late", "rad off",
                   {"measured", "predicted"});
  const double measured = run(false, record, 0), predicted = run(true, record, 1);
  std::printf("off after 0.4 s: %.2g rad by what is measured, %.2g rad by what is predicted\n",
              std::abs(measured), predicted);
  return record.write(argv[1]) && predicted < 1e-6 && std::abs(measured) > 0.01 ? 0 : 1;
}
