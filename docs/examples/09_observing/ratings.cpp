// What a fast motion asks of the bearings: each joint's reaction beside its rating.
// Usage: example_09_ratings PLOT.svg
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/observe/ratings.hpp"
#include "lockstep/solver.hpp"
#include "plot.hpp"
#include "six_axis_arm.hpp"

using namespace lockstep;

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: %s PLOT.svg\n", argv[0]), 1;
  // of sizes as cross roller bearings of such joints have them: N, N, N m, N m
  constexpr JointLoad<double> kLarge = {
      .axial = 8000, .radial = 5000, .tilting = 900, .torque = 740};
  constexpr JointLoad<double> kSmall = {
      .axial = 3000, .radial = 2000, .tilting = 180, .torque = 110};
  constexpr std::array<JointLoad<double>, 6> kRatings = {kLarge, kLarge, kLarge,
                                                         kSmall, kSmall, kSmall};
  const StaticModel<six_axis_arm, double> model;
  const auto solver = std::make_unique<Solver<six_axis_arm>>();
  const auto inverse = std::make_unique<InverseDynamics<six_axis_arm>>();
  auto in = solver->make_input();
  auto out = solver->make_output();
  auto ask = inverse->make_input();
  std::vector<std::string> names;
  for (const auto name : six_axis_arm::kJointNames) names.emplace_back(name);
  Recording record("Reactions of joints beside their ratings", "share", names);
  HeaviestLoad<double> most;
  double when = 0;
  for (int i = 0; i < 1000; ++i) {
    const double time = i * 0.001;
    for (int k = 0; k < 6; ++k) {
      const double w = 4 + k, size = 0.6;
      ask.q[k] = size * std::sin(w * time) - (k == 1 ? 1 : 0);
      ask.v[k] = size * w * std::cos(w * time);
      ask.vdot[k] = -size * w * w * std::sin(w * time);
    }
    in.q = ask.q, in.v = ask.v;
    if (inverse->inverse_dynamics(ask, in.tau) != Status::kOk) return 1;
    if (solver->forward_dynamics(in, out) != Status::kOk) return 1;
    for (std::size_t k = 0; k < 6; ++k) {
      const double* reaction = out.reaction.col(static_cast<int>(k)).data();
      record.add(k, time, share_of(joint_load(model.bodies()[k], reaction), kRatings[k]));
    }
    const auto now = heaviest_load<double>(model.bodies(), out.reaction, kRatings);
    if (now.share > most.share) most = now, when = time;
  }
  const auto name = six_axis_arm::kJointNames[static_cast<std::size_t>(most.body)];
  std::printf("heaviest: %.*s at %.3f s, %.0f %% of its rating\n", static_cast<int>(name.size()),
              name.data(), when, 100 * most.share);
  return record.write(argv[1]) ? 0 : 1;
}
