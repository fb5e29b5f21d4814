#include "mechanism/parts.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "hosttools/mechanism/texts.hpp"

using namespace lockstep;
using host::Mechanism;
using host::Split;

namespace {

Mechanism particles(int count) {
  Mechanism m;
  m.bodies.resize(static_cast<std::size_t>(count));
  return m;
}

void tie(Mechanism& m, int a, int b) {
  m.constraints.push_back({static_cast<int>(maximal::ConstraintType::kDistance), a, b, {}});
}

Mechanism ring(int count) {
  Mechanism m = particles(count);
  for (int i = 0; i < count; ++i) tie(m, i, (i + 1) % count);
  return m;
}

// Free at its edges.
Mechanism grid(int side) {
  Mechanism m = particles(side * side);
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j + 1 < side; ++j) tie(m, side * i + j, side * i + j + 1);
  }
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j + 1 < side; ++j) tie(m, side * j + i, side * (j + 1) + i);
  }
  return m;
}

// What the header promises, looked at body by body. The world is the last vertex.
void check(const Mechanism& m, const Split& split) {
  LONGS_EQUAL(m.constraints.size(), split.part_of.size());
  CHECK_TRUE(std::ranges::is_sorted(split.colour_of));
  std::set<std::pair<int, int>> owners;  // colour and body
  for (std::size_t part = 0; part < split.colour_of.size(); ++part) {
    std::vector<std::size_t> root(m.bodies.size() + 1);
    std::iota(root.begin(), root.end(), std::size_t{0});
    const auto find = [&](int body) {
      std::size_t i = body == kWorld ? m.bodies.size() : static_cast<std::size_t>(body);
      while (root[i] != i) i = root[i];
      return i;
    };
    std::set<int> bodies;
    std::size_t unknowns = 0;
    for (std::size_t i = 0; i < m.constraints.size(); ++i) {
      if (split.part_of[i] != static_cast<int>(part)) continue;
      const int a = m.constraints[i].a, b = m.constraints[i].b;
      CHECK_TRUE(find(a) != find(b));  // no loop
      root[find(a)] = find(b);
      bodies.insert({a, b});
      unknowns += host::row_count(m.constraints[i]);
    }
    bodies.erase(kWorld);
    for (const int body : bodies) {
      unknowns += host::velocity_size(m.bodies[static_cast<std::size_t>(body)]);
      CHECK_TRUE(owners.insert({split.colour_of[part], body}).second);
    }
    LONGS_EQUAL(unknowns, split.unknowns[part]);
  }
}

}  // namespace

TEST_GROUP(MechanismParts){};

TEST(MechanismParts, TreeIsOnePart) {
  Mechanism m = particles(5);
  tie(m, kWorld, 0);
  for (const int i : {0, 1, 1, 0}) tie(m, i, static_cast<int>(m.constraints.size()));
  const Split split = host::split(m);
  check(m, split);
  LONGS_EQUAL(0, split.loops);
  LONGS_EQUAL(1, split.colour_of.size());
}

TEST(MechanismParts, RingIsTwoHalves) {
  const Mechanism m = ring(100);
  const Split split = host::split(m);
  check(m, split);
  LONGS_EQUAL(1, split.loops);
  LONGS_EQUAL(2, split.colours());
  LONGS_EQUAL(2, split.unknowns.size());
  LONGS_EQUAL(split.unknowns[0], split.unknowns[1]);
}

// Figure 1 of the paper: a grid of 4 x 4 is eight chains.
TEST(MechanismParts, GridIsItsRowsAndColumns) {
  for (const int side : {4, 21}) {
    const Mechanism m = grid(side);
    const Split split = host::split(m);
    check(m, split);
    LONGS_EQUAL((side - 1) * (side - 1), split.loops);
    LONGS_EQUAL(2, split.colours());
    LONGS_EQUAL(2 * side, split.unknowns.size());
    for (const std::size_t unknowns : split.unknowns) LONGS_EQUAL(4 * side - 1, unknowns);
  }
}

TEST(MechanismParts, ChainHeldTwiceByTheWorldIsALoop) {
  Mechanism m = particles(3);
  tie(m, kWorld, 0), tie(m, 0, 1), tie(m, 1, 2), tie(m, 2, kWorld);
  const Split split = host::split(m);
  check(m, split);
  LONGS_EQUAL(1, split.loops);
  LONGS_EQUAL(2, split.colours());
}

TEST(MechanismParts, TwoRodsBetweenTwoBodiesAreALoop) {
  Mechanism m = particles(2);
  tie(m, 0, 1), tie(m, 1, 0);
  const Split split = host::split(m);
  check(m, split);
  LONGS_EQUAL(2, split.colours());
}

TEST(MechanismParts, ModelsSplitWell) {
  for (const char* name : {"gear_pair", "planar_crank", "particle_chain", "rod_pendulum"}) {
    const Mechanism m = test::model(name);
    check(m, host::split(m));
  }
}

TEST(MechanismParts, NothingHasNoParts) {
  const Split split = host::split(particles(2));
  LONGS_EQUAL(0, split.colours());
  LONGS_EQUAL(0, split.part_of.size());
}
