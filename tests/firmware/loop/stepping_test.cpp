// Plants of compiled robots with more than a tree: they have the bits of the same robot as tables
// on the host, room for their own rows and no more, and refuse what they cannot do.
#include "loop/stepping.hpp"

#include <CppUTest/TestHarness.h>

#include <memory>

#include "geared_quadruped.hpp"
#include "loop/plant_device.hpp"
#include "quadruped.hpp"
#include "robot/plant.hpp"
#include "six_axis_arm.hpp"
#include "slider_crank.hpp"
#include "support/allocation_guard.hpp"
#include "support/conversation.hpp"
#include "support/fake_board.hpp"
#include "support/load_model.hpp"
#include "support/long_test.hpp"

using namespace lockstep;
using firmware::Bounds;

namespace {

struct Standing : quadruped {
  static constexpr Bounds kBounds = {
      .position = true, .friction = true, .contacts = 12, .ground = true, .height = 0.25};
  static constexpr std::uint64_t kHash = firmware::hash_with(quadruped::kHash, kBounds);
  static constexpr bool kIsDriven = true;
};
struct Crowded : quadruped {  // more feet than room
  static constexpr Bounds kBounds = {.contacts = 2, .ground = true};
};
// a step of 4 cm in the ground under the fore feet, met by sweeps
constexpr double kHeights[] = {0.1, 0.1, 0.14, 0.1, 0.1, 0.14, 0.1, 0.1, 0.14};
struct Rough : quadruped {
  static constexpr Bounds kBounds = {
      .friction = true,
      .solver = RowSolver::kGaussSeidel,
      .contacts = 8,
      .field = {.x = -1, .y = -1, .spacing = 1, .columns = 3, .rows = 3, .heights = kHeights},
      .ground_friction = 0.7};
  static constexpr bool kIsDriven = true;
};
struct Apart : quadruped {  // legs meet each other, and nothing else
  static constexpr Bounds kBounds = {.velocity = true, .contacts = 4};
};

// A compiled robot and its table, side by side.
template <class Model, class T>
class Pair {
 public:
  Pair(const host::Tree& tree, const host::Bounds& bounds) {
    fixed = std::make_unique<firmware::Plant<Model, T>>(compiled_);
    table_ = host::make_loop_robot<T>(tree);
    any = std::make_unique<host::HostPlant<T>>(*table_, tree, bounds);
    settings.resize(compiled_.view().counts().v);
    table_settings_.resize(compiled_.view().counts().v);
  }

  void set(const Eigen::VectorXd& q) {
    const auto rest = [&](auto& plant) {
      plant.incoming().q = q.cast<T>();
      plant.incoming().v.setZero(), plant.incoming().tau.setZero();
      CHECK_TRUE(Status::kOk == plant.set_state(0, 1));
    };
    rest(*fixed), rest(*any);
  }
  void advance(int steps) {
    table_settings_.drive = settings.drive;
    table_settings_.integrator = settings.integrator;
    table_settings_.kp = settings.kp, table_settings_.kd = settings.kd;
    table_settings_.limits.effort = settings.limits.effort;
    for (int i = 0; i < steps; ++i) {
      CHECK_TRUE(Status::kOk == fixed->advance(settings));
      CHECK_TRUE(Status::kOk == any->advance(table_settings_));
      CHECK_TRUE(fixed->hash() == any->hash());
    }
  }
  const auto& host() const { return std::as_const(*any).stepping(); }

  firmware::Settings<StaticModel<Model, T>, T> settings;
  std::unique_ptr<firmware::Plant<Model, T>> fixed;
  std::unique_ptr<host::HostPlant<T>> any;

 private:
  firmware::Robot<Model, T> compiled_;
  std::unique_ptr<host::LoopRobot<T>> table_;
  host::LoopSettings<T> table_settings_;
};

// The zero pose of the quadruped, its feet at this height.
Eigen::VectorXd stretched(double feet) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(19);
  q[2] = feet + 0.384;
  q[6] = 1;
  return q;
}

template <class T>
void check_landing() {
  Pair<Standing, T> pair(test::load_model("quadruped", {.floating = true}),
                         host::Bounds{Standing::kBounds});
  pair.set(stretched(Standing::kBounds.height + 0.01));
  pair.settings.drive = link::DriveMode::kHoldWaves;
  pair.settings.kp = T(60), pair.settings.kd = T(1);
  pair.advance(150);
  double load = 0;
  for (const auto& own : pair.host().result().contacts()) load += static_cast<double>(own.normal);
  CHECK_TRUE(load > 20);  // of 9 kg
  CHECK_TRUE(pair.fixed->motion().q[2] > T(0.5));
}

}  // namespace

TEST_GROUP(Stepping){};

TEST(Stepping, ATreeHasNoRows) {
  CHECK_TRUE((std::is_same_v<firmware::SteppingOf<six_axis_arm, float>,
                             firmware::TreeStepping<six_axis_arm, float>>));
  CHECK_TRUE((std::is_same_v<firmware::SteppingOf<geared_quadruped, float>,
                             firmware::TreeStepping<geared_quadruped, float>>));
  CHECK_TRUE((std::is_same_v<firmware::SteppingOf<slider_crank, float>,
                             firmware::ClosedStepping<slider_crank, float>>));
  CHECK_TRUE((std::is_same_v<firmware::SteppingOf<Standing, float>,
                             firmware::BoundedStepping<Standing, float>>));
}

TEST(Stepping, RoomIsThatOfTheModel) {
  const Room standing = firmware::room_of<Standing, float>();
  LONGS_EQUAL(12, standing.contacts);
  LONGS_EQUAL(12 * (2 + 1) + 3 * 12, standing.rows);
  const Room apart = firmware::room_of<Apart, float>();
  LONGS_EQUAL(12 * 2 + 3 * 4, apart.rows);
}

TEST(Stepping, BoundsNameTheRobot) {
  LONGLONGS_EQUAL(7, firmware::hash_with(7, {}));
  Bounds flat = Rough::kBounds;
  const std::vector<double> level(9, 0.1);
  flat.field.heights = level;
  const Bounds all[] = {{},
                        {.position = true},
                        {.velocity = true},
                        {.friction = true},
                        {.contacts = 4},
                        {.contacts = 5},
                        {.contacts = 4, .ground = true},
                        {.contacts = 4, .ground = true, .height = 0.1},
                        {.contacts = 4, .ground = true, .ground_friction = 0.5},
                        {.contacts = 4, .ground = true, .ground_restitution = 0.5},
                        {.solver = RowSolver::kGaussSeidel},
                        {.solver = RowSolver::kNewton},
                        Rough::kBounds,
                        flat};
  for (const Bounds& a : all) {
    for (const Bounds& b : all) {
      CHECK_TRUE((firmware::hash_with(7, a) == firmware::hash_with(7, b)) == (a == b));
    }
  }
}

TEST(Stepping, AClosedRobotHasTheBitsOfItsTable) {
  const host::Tree tree = test::load_model("loops/slider_crank", {.keep_rotors = true});
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kRungeKutta4,
                                      Integrator::kMidpoint, Integrator::kEulerMiddle}) {
    Pair<slider_crank, float> pair(tree, host::Bounds());
    pair.settings.integrator = integrator;
    CHECK_TRUE((firmware::Plant<slider_crank, float>::can(pair.settings)));
    pair.advance(300);
    const auto errors = pair.host().errors();
    CHECK_TRUE(errors.position < 1e-4 && errors.velocity < 0.1);
  }
}

LONG_TEST(Stepping, AQuadrupedLandsWithTheBitsOfItsTable) {
  check_landing<float>();
  check_landing<double>();
}

// From where it was set, however it got there: what sweeps remember is forgotten.
TEST(Stepping, HillsAndSweepsHaveTheBitsOfTheTable) {
  Pair<Rough, float> pair(test::load_model("quadruped", {.floating = true}),
                          host::Bounds{Rough::kBounds});
  pair.settings.drive = link::DriveMode::kHoldWaves;
  pair.settings.kp = 60, pair.settings.kd = 0.2F;
  std::uint64_t hash = 0;
  for (int run = 0; run < 2; ++run) {
    pair.set(stretched(0.11));
    pair.advance(100);
    CHECK_TRUE(run == 0 || pair.fixed->hash() == hash);
    hash = pair.fixed->hash();
  }
  CHECK_TRUE(pair.host().result().contact_count > 0);
  CHECK_TRUE(pair.host().result().sweeps > 0 && pair.host().result().pivots == 0);
  CHECK_TRUE(pair.fixed->motion().q[4] < 0);  // the fore feet stand higher

  // gains that no torque of a step would bear, and more torque than the motors have
  pair.settings.kp = 1e5F, pair.settings.kd = 1e3F;
  CHECK_EQUAL(0u, pair.fixed->limited());
  pair.settings.limits.effort.tail(12).setConstant(2);
  pair.set(stretched(0.11));
  for (int i = 0; i < 60; ++i) {
    pair.advance(1);
    CHECK_TRUE(pair.fixed->motion().tau.cwiseAbs().maxCoeff() <= 2);
  }
  CHECK_TRUE(pair.fixed->limited() > 0);
}

TEST(Stepping, ContactsWithoutRoomAreTheSame) {
  Pair<Crowded, float> pair(test::load_model("quadruped", {.floating = true}),
                            host::Bounds{Crowded::kBounds});
  pair.set(stretched(0.001));
  pair.advance(60);
  LONGS_EQUAL(2, pair.host().result().contact_count);
  CHECK_TRUE(pair.host().result().contacts_left_out > 0);
}

TEST(Stepping, LegsMeetWithoutGround) {
  Pair<Apart, float> pair(test::load_model("quadruped", {.floating = true}),
                          host::Bounds{Apart::kBounds});
  Eigen::VectorXd q = stretched(0);
  q[7] = -0.8, q[10] = 0.8;  // across each other
  pair.set(q);
  pair.advance(20);
  CHECK_TRUE(pair.host().result().contact_count > 0);
}

TEST(Stepping, WhatItCannotDoIsRefused) {
  using Device = firmware::PlantDevice<Standing, float, test::FakeBoard>;
  test::Conversation<Device> line;
  auto settings = test::configuration<float>();
  settings.model_hash = Standing::kHash;
  CHECK_TRUE(Status::kOk == line.tell(settings));
  settings.drive = link::DriveMode::kHoldWaves;
  CHECK_TRUE(Status::kOk == line.tell(settings));
  settings.integrator = 1;
  CHECK_TRUE(Status::kMalformed == line.tell(settings));
  settings.integrator = 0;
  settings.model_hash = quadruped::kHash;  // the same robot without bounds
  CHECK_TRUE(Status::kWrongModel == line.tell(settings));

  test::Conversation<firmware::PlantDevice<six_axis_arm, float, test::FakeBoard>> tree;
  settings.model_hash = six_axis_arm::kHash;
  CHECK_TRUE(Status::kMalformed == tree.tell(settings));
  settings.drive = link::DriveMode::kTrackWaves;
  CHECK_TRUE(Status::kOk == tree.tell(settings));
}

TEST(Stepping, NeverAllocates) {
  using Device = firmware::PlantDevice<Standing, float, test::FakeBoard>;
  test::Conversation<Device> line;
  auto settings = test::configuration<float>();
  settings.model_hash = Standing::kHash;
  CHECK_TRUE(Status::kOk == line.tell(settings));
  const std::array<float, 18> tau{};
  const std::vector<test::Bytes> frames = {line.next_frame(link::Start()),
                                           line.next_frame(link::Step<const float>{3, tau}, 0)};
  LONGS_EQUAL(0, line.allocations_over(frames));
  LONGS_EQUAL(3, line.report().ticks);
}
