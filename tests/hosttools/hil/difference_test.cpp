#include "hil/difference.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>

#include "hil/device_transport.hpp"
#include "hil/plan.hpp"
#include "hosttools/hil/swinging_arm.hpp"
#include "support/test_plant.hpp"

using namespace lockstep;
using namespace lockstep::host;
using namespace lockstep::host::hil;
using lockstep::test::swinging_arm;

namespace {

// A plant of the firmware and its twin, the same but for the bit that the target turns.
template <class T>
class Pair {
 public:
  explicit Pair(link::DriveMode drive, std::optional<std::uint64_t> corrupt = {}) {
    plan_->plant.drive = drive;
    introduce(client_, link::Application::kPlant, *plan_->robot);
    configure(client_, *plan_->robot, plan_->plant);
    target_.emplace(client_, plan_->plant, *plan_->robot, corrupt);
    target_->set(plan_->start);
    twin_->set(plan_->start);
  }

  std::optional<Difference> run(std::uint32_t count) {
    return comparison_.compare(target_->run(count, tau()), twin_->run(count, tau()));
  }
  Difference find_first(std::uint32_t count) {
    return comparison_.find_first(*target_, *twin_, plan_->start, count, tau());
  }

 private:
  std::vector<T> tau() const { return std::vector<T>(plan_->start.v.size(), T(0.25)); }

  const Tree tree_ = swinging_arm().fixed();
  // far from zero, where a turned bit would be lost in the next sum
  std::unique_ptr<Plan<T>> plan_ = make_plan<T>(tree_, {.start = {{"shoulder", 0.7}}});
  host::hil::DeviceTransport<test::TestPlant<T>> transport_;
  Client client_{transport_, "device"};
  std::optional<PlantTarget<T>> target_;
  std::unique_ptr<PlantTwin<T>> twin_ =
      std::make_unique<PlantTwin<T>>(*plan_->robot, tree_, plan_->bounds, plan_->plant);
  const PlantComparison<T> comparison_{tree_};
};

constexpr link::DriveMode kDrives[] = {link::DriveMode::kFrames, link::DriveMode::kTorqueWaves,
                                       link::DriveMode::kTrackWaves};

template <class T>
PlantState<T> some_state() {
  return {
      .step = 5, .hash = 17, .q = {1, 2, 0, 0, 0, 1}, .v = {1, 2, 3, 4, 5}, .tau = {0, 0, 0, 0, 0}};
}

}  // namespace

TEST_GROUP(Difference){};

TEST(Difference, ValuesAreToldInDecimalAndInBits) {
  STRCMP_EQUAL("0.100000001 (0x3dcccccd)", with_bits(0.1f).c_str());
  STRCMP_EQUAL("-0 (0x8000000000000000)", with_bits(-0.0).c_str());
  const Difference difference{138, "q[elbow]", with_bits(1.0f), with_bits(2.0f)};
  STRCMP_EQUAL("step 138: q[elbow] differs: target 1 (0x3f800000), host 2 (0x40000000)",
               difference.text().c_str());
}

TEST(Difference, BitsDecideNotValues) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::string> names = {"a", "b"};
  const auto differ = [&](double target, double twin) {
    const std::vector<double> left = {1, target}, right = {1, twin};
    return compare<double>(3, "q", names, left, right);
  };
  CHECK_FALSE(differ(nan, nan).has_value());
  CHECK_TRUE(differ(nan, -nan).has_value());
  const auto zeros = differ(0.0, -0.0);
  CHECK_TRUE(zeros.has_value());
  STRCMP_EQUAL("q[b]", zeros->quantity.c_str());
  LONGS_EQUAL(3, zeros->step);
}

TEST(Difference, EveryPartOfAPlantIsCompared) {
  const PlantComparison<float> comparison(swinging_arm().fixed());
  const auto quantity = [&](auto&& spoil) -> std::string {
    PlantState<float> target = some_state<float>();
    spoil(target);
    const auto found = comparison.compare(target, some_state<float>());
    return found ? found->quantity : "none";
  };
  STRCMP_EQUAL("none", quantity([](auto&) {}).c_str());
  STRCMP_EQUAL("q[lift]", quantity([](auto& s) { s.q[1] = 3, s.v[0] = 9; }).c_str());
  STRCMP_EQUAL("v[wrist.wz]", quantity([](auto& s) { s.v[4] = 3; }).c_str());
  STRCMP_EQUAL("tau[shoulder]", quantity([](auto& s) { s.tau[0] = 3; }).c_str());
  STRCMP_EQUAL("hash", quantity([](auto& s) { ++s.hash; }).c_str());
  STRCMP_EQUAL("hash", quantity([](auto& s) { ++s.step; }).c_str());
}

TEST(Difference, AFirmwareAndItsTwinHaveNone) {
  for (const link::DriveMode drive : kDrives) {
    CHECK_FALSE(Pair<float>(drive).run(200).has_value());
    CHECK_FALSE(Pair<double>(drive).run(200).has_value());
  }
}

TEST(Difference, TheFirstStepIsFoundWhereverItIs) {
  constexpr std::uint32_t kCount = 37;
  for (const link::DriveMode drive : kDrives) {
    for (std::uint64_t corrupt = 0; corrupt < kCount; ++corrupt) {
      Pair<double> pair(drive, corrupt);
      CHECK_TRUE(pair.run(kCount).has_value());
      const Difference first = pair.find_first(kCount);
      LONGS_EQUAL(corrupt + 1, first.step);
      STRCMP_EQUAL("q[shoulder]", first.quantity.c_str());
      CHECK_TRUE(first.target != first.twin);
    }
  }
}

TEST(Difference, OneThatDoesNotComeBackIsToldAsSuch) {
  const Difference first = Pair<float>(link::DriveMode::kFrames).find_first(10);
  STRCMP_EQUAL("step 10: hash differs: target differed once, host and not when it was run again",
               first.text().c_str());
}
