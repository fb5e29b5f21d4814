// Every lane gets the bits that its number gets alone.
#include "lockstep/lanes.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "lockstep/solver.hpp"
#include "quadruped.hpp"
#include "seven_axis_arm.hpp"
#include "support/model_states.hpp"

using namespace lockstep;

namespace {

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

template <class Vector>
bool same_bits(const Vector& a, const Vector& b) {
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    if (bits(a.data()[i]) != bits(b.data()[i])) return false;
  }
  return true;
}

template <class Output>
bool same_output(const Output& a, const Output& b) {
  return same_bits(a.vdot, b.vdot) && same_bits(a.reaction, b.reaction) &&
         same_bits(a.lambda, b.lambda);
}

// Solves states in lanes and one by one; `spoil` may make one of each eight unfit.
template <class Model, class T, int kWidth>
void check_lanes(const auto& spoil) {
  Solver<Model, T> one;
  const auto several = std::make_unique<Solver<Model, Lanes<T, kWidth>>>();
  test::Random random(31);
  std::vector<decltype(one.make_input())> in(kWidth, one.make_input());
  auto lanes_in = several->make_input();
  auto lanes_out = several->make_output();
  const auto before = one.make_output();
  for (int round = 0; round < 50; ++round) {
    for (int k = 0; k < kWidth; ++k) {
      auto& state = in[static_cast<std::size_t>(k)];
      test::randomize<Model>(state, T(3), random);
      if (round % 2 == 1 && k == 1) spoil(state);
      set_lane(lanes_in, k, state);
    }
    lanes_out = several->make_output();
    const auto statuses = several->forward_dynamics(lanes_in, lanes_out);
    for (int k = 0; k < kWidth; ++k) {
      auto expected = before, found = before;
      const Status status = one.forward_dynamics(in[static_cast<std::size_t>(k)], expected);
      get_lane(lanes_out, k, found);
      CHECK_TRUE(status == statuses[static_cast<std::size_t>(k)]);
      CHECK_TRUE(same_output(expected, found));
      CHECK_EQUAL(round % 2 == 1 && k == 1, status != Status::kOk);
    }
  }
}

const auto not_a_number = [](auto& in) { in.v[0] = in.v[0] / 0 - in.v[0] / 0; };
const auto far_away = [](auto& in) { in.q[in.q.size() - 1] = 1e9F; };
const auto enormous = [](auto& in) {
  in.tau.setConstant(std::numeric_limits<std::remove_reference_t<decltype(in.tau[0])>>::max());
};

}  // namespace

TEST_GROUP(Lanes){};

TEST(Lanes, ANegativeZeroStaysOneInEveryLane) {
  const Lanes<double, 4> zero(-0.0);
  for (int k = 0; k < 4; ++k) CHECK_TRUE(bits(zero[k]) == bits(-0.0));
}

TEST(Lanes, TruthsAreHeldLaneByLane) {
  const Lanes<float, 4> x(std::array<float, 4>{1, -1, 0, 2});
  const auto positive = x > Lanes<float, 4>(0);
  CHECK_TRUE(positive[0] && !positive[1] && !positive[2] && positive[3]);
  CHECK_TRUE(any(positive));
  CHECK_FALSE(all(positive));
  const auto chosen = select(positive, x, Lanes<float, 4>(7));
  CHECK_TRUE(chosen[0] == 1 && chosen[1] == 7 && chosen[2] == 7 && chosen[3] == 2);
}

TEST(Lanes, SinesOfManyAnglesAreTheSinesOfEach) {
  test::Random random(5);
  const auto check = [&]<class T, int kCount>() {
    std::array<T, kCount> angle, s, c;
    for (int round = 0; round < 1000; ++round) {
      for (T& x : angle) x = static_cast<T>(random.uniform(-1, 1)) * kMaxAngle<T>;
      angle[0] = T(-0.0);
      sincos_each<kCount>(angle.data(), s.data(), c.data());
      for (std::size_t i = 0; i < kCount; ++i) {
        T sine, cosine;
        sincos(angle[i], sine, cosine);
        CHECK_TRUE(bits(sine) == bits(s[i]) && bits(cosine) == bits(c[i]));
      }
    }
  };
  check.operator()<double, 1>();
  check.operator()<double, 6>();
  check.operator()<float, 1>();
  check.operator()<float, 9>();
}

TEST(Lanes, AnArmInLanesHasTheBitsOfEachState) {
  check_lanes<seven_axis_arm, double, 4>(not_a_number);
  check_lanes<seven_axis_arm, double, 2>(far_away);
  check_lanes<seven_axis_arm, float, 8>(far_away);
  check_lanes<seven_axis_arm, float, 4>(not_a_number);
}

TEST(Lanes, AnOverflowSpoilsItsOwnLaneAlone) {
  check_lanes<seven_axis_arm, double, 4>(enormous);
  check_lanes<seven_axis_arm, float, 8>(enormous);
}

TEST(Lanes, AFloatingRobotInLanesHasTheBitsOfEachState) {
  check_lanes<quadruped, double, 4>([](auto& in) { in.q[6] = 2; });
}
