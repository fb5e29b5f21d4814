// Draws docs/growth.svg: operations of one forward dynamics call over the length of a chain.
// Counts, not seconds: the same on every machine.
#include <cstdio>
#include <memory>

#include "growth_robots.hpp"
#include "inspect/counted.hpp"
#include "lockstep/direct.hpp"
#include "lockstep/solver.hpp"
#include "lockstep/table_model.hpp"
#include "plot/chart.hpp"
#include "system/write_file.hpp"

namespace {

using namespace lockstep;
using host::Counted;
constexpr int kLongest = 512;
using Table = TableModel<Counted, kLongest>;

template <class AnySolver>
double operations(const std::vector<Body>& bodies) {
  const auto table = std::make_unique<Table>();
  if (table->assign(bodies) != Status::kOk) return 0;
  const auto solver = std::make_unique<AnySolver>(*table);
  const auto in = solver->make_input();
  auto out = solver->make_output();
  Counted::operations = {};
  if (solver->forward_dynamics(in, out) != Status::kOk) return 0;
  return static_cast<double>(Counted::operations.adds + Counted::operations.multiplies +
                             Counted::operations.divides);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: growth_chart OUT.svg\n");
    return 1;
  }
  host::Curve dense{"dense solve of H", {}, {}, true};
  host::Curve direct{"direct elimination", {}, {}, true}, fast{"null space", {}, {}, true};
  std::printf("%8s %14s %14s %14s\n", "joints", "dense H", "direct", "null space");
  for (int n = 8; n <= kLongest; n *= 2) {
    const auto bodies = bench::growth_robot(bench::Growth::kChain, JointType::kRevolute, n);
    const double unknowns = 11.0 * n;  // six accelerations, five multipliers
    const double cubic = 2.0 / 3.0 * unknowns * unknowns * unknowns;  // an LU factorization
    const double d = operations<DirectSolver<Table, Counted>>(bodies);
    const double f = operations<Solver<Table, Counted>>(bodies);
    for (const auto& [curve, y] : {std::pair{&dense, cubic}, {&direct, d}, {&fast, f}}) {
      curve->x.push_back(n);
      curve->y.push_back(y);
    }
    std::printf("%8d %14.0f %14.0f %14.0f\n", n, cubic, d, f);
  }
  const host::Chart chart = {"Forward dynamics of a chain of revolute joints",
                             {"joints", true},
                             {"floating-point operations", true},
                             {dense, direct, fast}};
  host::write_file(argv[1], host::to_svg(chart));
}
