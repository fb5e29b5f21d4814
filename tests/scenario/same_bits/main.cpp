// Prints a hash of every bit that the solvers answer to many states, and that mechanisms take on in
// many steps, static and in a table.
#include <cstdint>
#include <cstdio>

#include "lockstep/direct.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/maximal/lagrange_stepper.hpp"
#include "lockstep/solver.hpp"
#include "planar_crank.hpp"
#include "quadruped.hpp"
#include "rolling_disc.hpp"
#include "scaling_body.hpp"
#include "six_axis_arm.hpp"

namespace {

constexpr int kStates = 200;

// between -1 and 1, from integers only: the standard library's distributions may differ
double next_number() {
  static std::uint64_t state = 2026;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(static_cast<std::int64_t>(state) >> 11) * 0x1p-52;
}

template <class Vector>
void fill(Vector& vector, double scale) {
  for (auto& value : vector.reshaped()) {
    value = static_cast<typename Vector::Scalar>(next_number() * scale);
  }
}

template <class Vector>
void add_bits(lockstep::Hash& hash, const Vector& vector) {
  for (const auto value : vector.reshaped()) hash.add(value);
}

template <class Output>
void add_answer(lockstep::Hash& hash, lockstep::Status status, const Output& out) {
  hash.add(static_cast<std::uint8_t>(status));
  add_bits(hash, out.vdot);
  add_bits(hash, out.reaction);
  add_bits(hash, out.lambda);
}

template <class Solver>
void print(const char* name) {
  static Solver solver;
  auto in = solver.make_input();
  auto external = solver.make_wrenches();
  auto out = solver.make_output();
  const auto upright = in.q;
  lockstep::Hash hash;
  for (int i = 0; i < kStates; ++i) {
    fill(in.q, 3);
    if (in.q.size() != in.v.size()) in.q.template head<7>() = upright.template head<7>();
    fill(in.v, 2);
    fill(in.tau, 20);
    fill(external, 5);
    add_answer(hash, solver.forward_dynamics(in, out), out);
    add_answer(hash, solver.forward_dynamics(in, external, out), out);
  }
  std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash.value()));
}

template <class Model, class Stepper>
std::uint64_t hash_of_motion(Stepper& stepper) {
  using T = typename Stepper::T;
  lockstep::Hash hash;
  for (const auto stabilization :
       {lockstep::Stabilization::kBaumgarte, lockstep::Stabilization::kProjection}) {
    auto state = stepper.solver().make_state();
    auto loads = stepper.solver().make_loads();
    for (std::size_t i = 0; i < Model::kInitialPoses.size(); ++i) {
      state.x[static_cast<Eigen::Index>(i)] = static_cast<T>(Model::kInitialPoses[i]);
    }
    for (std::size_t i = 0; i < Model::kInitialVelocities.size(); ++i) {
      state.v[static_cast<Eigen::Index>(i)] = static_cast<T>(Model::kInitialVelocities[i]);
    }
    lockstep::StepSettings<T> settings;
    settings.dt = static_cast<T>(0.002);
    settings.integrator = lockstep::Integrator::kRungeKutta4;
    settings.stabilization = stabilization;
    for (int i = 0; i < kStates; ++i) {
      hash.add(static_cast<std::uint8_t>(stepper.step(state, loads, settings)));
      add_bits(hash, state.x);
      add_bits(hash, state.v);
      add_bits(hash, stepper.solution().lambda);
    }
  }
  return hash.value();
}

// Whether a table gives the same bits.
template <class Model, class T>
bool print_mechanism(const char* name) {
  using Table = lockstep::maximal::TableMechanism<T, 4, 4>;
  static lockstep::maximal::LagrangeStepper<lockstep::maximal::StaticMechanism<Model, T>> of_static;
  static Table table;
  if (table.assign(Model::kBodies, Model::kConstraints) != lockstep::Status::kOk) return false;
  static lockstep::maximal::LagrangeStepper<Table> of_table(table);
  const std::uint64_t hash = hash_of_motion<Model>(of_static);
  std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash));
  return hash == hash_of_motion<Model>(of_table);
}

}  // namespace

int main() {
  print<lockstep::Solver<six_axis_arm, double>>("arm, double");
  print<lockstep::Solver<six_axis_arm, float>>("arm, float");
  print<lockstep::DirectSolver<six_axis_arm, double>>("arm, double, direct");
  print<lockstep::Solver<quadruped, double>>("quadruped, double");
  print<lockstep::Solver<quadruped, float>>("quadruped, float");
  bool same = print_mechanism<planar_crank, double>("planar_crank, double");
  same &= print_mechanism<planar_crank, float>("planar_crank, float");
  same &= print_mechanism<rolling_disc, double>("rolling_disc, double");
  same &= print_mechanism<scaling_body, double>("scaling_body, double");
  if (!same) std::puts("a mechanism in a table has other bits");
  return same ? 0 : 1;
}
