// Prints a hash of every bit that the solvers answer to many states.
#include <cstdint>
#include <cstdio>

#include "lockstep/direct.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/solver.hpp"
#include "quadruped.hpp"
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

}  // namespace

int main() {
  print<lockstep::Solver<six_axis_arm, double>>("arm, double");
  print<lockstep::Solver<six_axis_arm, float>>("arm, float");
  print<lockstep::DirectSolver<six_axis_arm, double>>("arm, double, direct");
  print<lockstep::Solver<quadruped, double>>("quadruped, double");
  print<lockstep::Solver<quadruped, float>>("quadruped, float");
}
