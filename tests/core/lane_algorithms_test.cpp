// Steps and kinematics in lanes: every lane gets the bits and the status of its state alone.
#include <CppUTest/TestHarness.h>

#include <limits>
#include <memory>
#include <vector>

#include "core/lane_forms.hpp"
#include "lockstep/kinematics.hpp"

namespace lockstep::test {

namespace {

template <class Model, class T, int kWidth>
void check_kinematics(const LinkFrame<double>& link) {
  using Wide = Lanes<T, kWidth>;
  const auto one = std::make_unique<Kinematics<Model, T>>();
  const auto several = std::make_unique<Kinematics<Model, Wide>>();
  const Problem<StaticModel<Model, T>, T> problem;
  const Problem<StaticModel<Model, Wide>, Wide> wide_problem;
  Random random(19);
  auto wide = wide_problem.make_input();
  std::vector<decltype(problem.make_input())> states(kWidth, problem.make_input());
  for (int round = 0; round < 8; ++round) {
    for (int k = 0; k < kWidth; ++k) {
      randomize<Model>(states[at(k)], T(3), random);
      if (round == k) states[at(k)].v[0] = std::numeric_limits<T>::infinity();
      set_lane(wide, k, states[at(k)]);
    }
    typename Kinematics<Model, Wide>::Pose pose;
    auto twist = several->make_twist();
    auto J = several->make_jacobian();
    auto centre_J = several->make_centre_jacobian();
    typename Kinematics<Model, Wide>::Momentum momentum;
    typename Kinematics<Model, Wide>::Energy energy;
    const auto posed = several->pose(wide.q, link, pose);
    const auto moved = several->twist(wide.q, wide.v, link, Axes::kOfWorld, twist);
    const auto turned = several->jacobian(wide.q, link, Axes::kOfLink, J);
    const auto centred = several->centre_jacobian(wide.q, centre_J);
    const auto summed = several->momentum(wide.q, wide.v, momentum);
    const auto weighed = several->energy(wide.q, wide.v, wide.gravity, energy);
    for (int k = 0; k < kWidth; ++k) {
      const auto& state = states[at(k)];
      typename Kinematics<Model, T>::Pose own_pose;
      auto own_twist = one->make_twist();
      auto own_J = one->make_jacobian();
      auto own_centre_J = one->make_centre_jacobian();
      typename Kinematics<Model, T>::Momentum own_momentum;
      typename Kinematics<Model, T>::Energy own_energy;
      CHECK_TRUE(posed[at(k)] == one->pose(state.q, link, own_pose));
      CHECK_TRUE(moved[at(k)] == one->twist(state.q, state.v, link, Axes::kOfWorld, own_twist));
      CHECK_TRUE(turned[at(k)] == one->jacobian(state.q, link, Axes::kOfLink, own_J));
      CHECK_TRUE(centred[at(k)] == one->centre_jacobian(state.q, own_centre_J));
      CHECK_TRUE(summed[at(k)] == one->momentum(state.q, state.v, own_momentum));
      CHECK_TRUE(weighed[at(k)] == one->energy(state.q, state.v, state.gravity, own_energy));
      CHECK_EQUAL(round == k, moved[at(k)] != Status::kOk);
      check_lane(pose.R_WL, k, own_pose.R_WL), check_lane(pose.p_WL, k, own_pose.p_WL);
      check_lane(twist, k, own_twist), check_lane(J, k, own_J);
      check_lane(centre_J, k, own_centre_J);
      check_lane(momentum.angular, k, own_momentum.angular);
      check_lane(momentum.about_centre, k, own_momentum.about_centre);
      CHECK_TRUE(bits(energy.kinetic[k]) == bits(own_energy.kinetic));
      CHECK_TRUE(bits(energy.potential[k]) == bits(own_energy.potential));
    }
  }
}

}  // namespace

TEST_GROUP(LaneAlgorithms){};

TEST(LaneAlgorithms, StepsHaveTheBitsOfEachState) {
  check_steps<AllJoints, double, 4>();
  check_steps<AllJoints, float, 8>();
}

TEST(LaneAlgorithms, KinematicsHasTheBitsOfEachState) {
  check_kinematics<AllJoints, double, 4>(link_frame<AllJoints>("tool"));
  check_kinematics<AllJoints, float, 8>(link_frame<AllJoints>("tool"));
}

}  // namespace lockstep::test
