#include "inspect/solver_operations.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>

#include "core/rows/systems.hpp"
#include "inspect/counted.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using namespace lockstep::host;
using namespace lockstep::rows;
using namespace lockstep::test;

namespace {

Rows<Counted> counted(const Problem& p) {
  Rows<Counted> system;
  system.count = p.count();
  for (int i = 0; i < p.count(); ++i) {
    const RowBound<double>& row = p.rows[at(i)];
    system.rows[at(i)] = {row.kind, row.lower, row.upper, row.normal, row.coefficient};
    system.b[at(i)] = p.b[i];
    for (int j = 0; j < p.count(); ++j) system.A[at(i)][at(j)] = p.A(i, j);
  }
  return system;
}

template <class F>
long long operations_in(const F& solve) {
  Counted::operations = {};
  solve();
  return Counted::operations.total();
}

// Contacts, bounded and equality rows in any mixture, often redundant.
Problem draw(Random& random) {
  std::vector<RowBound<double>> rows = contact_rows(random.below(5), random.uniform(0, 1.2));
  const std::vector<RowBound<double>> more = random_rows(1 + random.below(9), random);
  rows.insert(rows.end(), more.begin(), more.end());
  const int unknowns = 1 + random.below(2 * static_cast<int>(rows.size()));
  return random_push(std::move(rows), unknowns, random);
}

int equalities(const Problem& p) {
  return static_cast<int>(
      std::count_if(p.rows.begin(), p.rows.end(),
                    [](const RowBound<double>& row) { return row.kind == RowKind::kEquality; }));
}

}  // namespace

TEST_GROUP(SolverOperations){};

// The bound is nearly met where no sweep is spared.
TEST(SolverOperations, GaussSeidelStaysBelowAndComesNear) {
  Random random(1);
  double nearest = 0;
  for (int i = 0; i < 2000; ++i) {
    const Problem p = draw(random);
    const Rows<Counted> system = counted(p);
    const int sweeps = 1 + random.below(10), e = equalities(p);
    Answer<Counted> answer;
    const long long used = operations_in([&] {
      const GaussSeidelOptions<Counted> options = {.sweeps = sweeps, .tolerance = 0};
      static_cast<void>(gauss_seidel(system, options, answer));
    });
    const auto bound = gauss_seidel_operations(p.count() - e, e, sweeps);
    CHECK(used <= bound);
    nearest = std::max(nearest, static_cast<double>(used) / static_cast<double>(bound));
  }
  CHECK(nearest > 0.9);
}

TEST(SolverOperations, PivotingStaysBelow) {
  Random random(2);
  double nearest = 0, nearest_on_cones = 0;
  PivotingSolver<Counted, kMaxRows> solver;
  for (int i = 0; i < 2000; ++i) {
    const Problem p = draw(random);
    const Rows<Counted> system = counted(p);
    const int e = equalities(p);
    PivotingOptions<Counted> options;
    options.fallback.sweeps = 5;
    options.pivots = 1 + random.below(10);
    Answer<Counted> answer;
    const long long used =
        operations_in([&] { static_cast<void>(solver.solve(system, options, answer)); });
    const bool rubs = p.rows[0].kind == RowKind::kUnilateral && p.count() > 2 &&
                      p.rows[1].kind == RowKind::kFriction && p.rows[2].kind == RowKind::kFriction;
    const auto bound = pivoting_operations(p.count() - e, e, options.pivots, 5) +
                       (rubs ? cone_operations(p.count() - e, e, options.pivots) : 0);
    CHECK(used <= bound);
    double& share = rubs ? nearest_on_cones : nearest;
    share = std::max(share, static_cast<double>(used) / static_cast<double>(bound));
  }
  CHECK(nearest > 0.3);
  CHECK(nearest_on_cones > 0.2);
}

// Where no row is redundant the operations are exactly these.
TEST(SolverOperations, EqualitiesMeetTheirBoundAndRedundantOnesStayBelow) {
  Random random(3);
  EqualitySolver<Counted, kMaxRows> solver;
  for (int i = 0; i < 2000; ++i) {
    const int count = 1 + random.below(12), unknowns = 1 + random.below(2 * count);
    const Problem p = random_push(std::vector<RowBound<double>>(at(count)), unknowns, random);
    const Rows<Counted> system = counted(p);
    Answer<Counted> answer;
    const long long used = operations_in([&] { static_cast<void>(solver.solve(system, answer)); });
    if (answer.redundant == 0) LONGS_EQUAL(equality_operations(count), used);
    CHECK(used <= equality_operations(count));
    CHECK(Counted::operations.comparisons <= equality_comparisons(count));
  }
}
