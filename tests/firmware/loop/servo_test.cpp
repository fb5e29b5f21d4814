#include "loop/servo.hpp"

#include <CppUTest/TestHarness.h>

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "lockstep/table_model.hpp"
#include "loop/link_port.hpp"
#include "loop/servo_device.hpp"
#include "six_axis_arm.hpp"
#include "support/conversation.hpp"
#include "support/fake_board.hpp"
#include "support/random_tree.hpp"

using namespace lockstep;
using namespace lockstep::test;
using firmware::Servo;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr int kJoints = 3;

struct Bench {
  using Table = TableModel<double, 8>;
  explicit Bench(JointType first = JointType::kRevolute) {
    auto bodies = random_tree({.bodies = kJoints, .seed = 5, .only_turning = true});
    bodies[0].joint = first;
    bodies[2].joint = JointType::kPrismatic;
    CHECK_TRUE(Status::kOk == robot->table().assign(bodies));
    settings.resize(robot->view().counts().v);
    settings.limits.effort.setConstant(1e4), settings.limits.effort_rate.setConstant(1e9);
    settings.limits.velocity.setConstant(5);
    settings.limits.lower.setConstant(-2), settings.limits.upper.setConstant(2);
    servo = std::make_unique<Servo<Table, double>>(*robot);
    message.stale = 1000, message.cutoff = 0;
    servo->incoming().stiffness.setConstant(10), servo->incoming().damping.setConstant(1);
    way.kp = way.kd = way.duration = 1, way.acceleration = 100;
  }
  Status judge_by() { return servo->judge_by(message); }
  Status judge(double q, double v) {
    servo->measured_q().setConstant(q), servo->measured_v().setConstant(v);
    return servo->judge(settings, Status::kOk, 0);
  }
  Status lead() { return servo->lead(settings, way); }

  std::unique_ptr<firmware::Robot<Table, double>> robot =
      std::make_unique<firmware::Robot<Table, double>>();
  firmware::Settings<Table, double> settings;
  std::unique_ptr<Servo<Table, double>> servo;
  link::Servo<double> message;
  link::Reference<double> way;
};

}  // namespace

TEST_GROUP(Servo){};

TEST(Servo, DrivesJointsOfOneDegreeOfFreedomAlone) {
  CHECK_TRUE(Bench().servo->is_driven());
  CHECK_TRUE(Bench(JointType::kPrismatic).servo->is_driven());
  for (const auto joint : {JointType::kBall, JointType::kPlanar, JointType::kFloating}) {
    CHECK_FALSE(Bench(joint).servo->is_driven());
  }
}

TEST(Servo, IsLimitedOnlyIfEveryLimitIsFinite) {
  Bench b;
  CHECK_TRUE(b.servo->is_limited(b.settings));
  auto& limits = b.settings.limits;
  for (auto* limit : {&limits.effort, &limits.effort_rate, &limits.velocity}) {
    const double before = (*limit)[kJoints - 1];
    (*limit)[kJoints - 1] = kInfinity;
    CHECK_FALSE(b.servo->is_limited(b.settings));
    (*limit)[kJoints - 1] = before;
  }
}

TEST(Servo, HowToJudgeIsTakenWholeOrNotAtAll) {
  Bench b;
  auto& in = b.servo->incoming();
  const auto refused = [&](double& number, double value, Status why) {
    const double before = number;
    number = value;
    CHECK_TRUE(why == b.judge_by());
    CHECK_FALSE(b.servo->is_judging());
    number = before;
  };
  refused(b.message.cutoff, kNaN, Status::kNotFinite);
  refused(b.message.cutoff, -1, Status::kMalformed);
  for (const Eigen::Index joint : {0, kJoints - 1}) {
    refused(in.stiffness[joint], kInfinity, Status::kNotFinite);
    refused(in.damping[joint], kNaN, Status::kNotFinite);
    refused(in.stiffness[joint], -1, Status::kMalformed);
    refused(in.damping[joint], -1, Status::kMalformed);
  }
  b.message.stale = 0;
  CHECK_TRUE(Status::kMalformed == b.judge_by());
  b.message.stale = 1;
  CHECK_TRUE(Status::kOk == b.judge_by());
  CHECK_TRUE(b.servo->is_judging());
}

TEST(Servo, MeasurementsAreUsedOnlyIfTheyMakeSense) {
  Bench b;
  CHECK_TRUE(Status::kOk == b.judge_by());
  CHECK_TRUE(Status::kDriveFault == b.servo->judge(b.settings, Status::kDriveFault, 0));
  CHECK_TRUE(Status::kOk == b.servo->judge(b.settings, Status::kOk, 1000));
  CHECK_TRUE(Status::kStale == b.servo->judge(b.settings, Status::kOk, 1001));
  CHECK_TRUE(Status::kNotFinite == b.judge(kNaN, 0));
  CHECK_TRUE(Status::kNotFinite == b.judge(0, kInfinity));
  // encoders and stops have a play of 0.01
  CHECK_TRUE(Status::kOk == b.judge(2.009, 5));
  CHECK_TRUE(Status::kOk == b.judge(-2.009, -5));
  CHECK_TRUE(Status::kBeyondLimits == b.judge(2.011, 0));
  CHECK_TRUE(Status::kBeyondLimits == b.judge(-2.011, 0));
  CHECK_TRUE(Status::kBeyondLimits == b.judge(0, 5.001));
  CHECK_TRUE(Status::kBeyondLimits == b.judge(0, -5.001));
}

TEST(Servo, VelocitiesAreFilteredAtTheCutoff) {
  Bench b;
  b.message.cutoff = 50;
  CHECK_TRUE(Status::kOk == b.judge_by());
  CHECK_TRUE(Status::kOk == b.judge(0, 1));
  for (const double v : b.servo->v()) CHECK_EQUAL(1, v);  // the first is taken as it is
  CHECK_TRUE(Status::kOk == b.judge(0, 2));
  const double omega_dt = 2 * 3.14159265358979323846 * 50 * b.settings.dt;
  for (const double v : b.servo->v()) DOUBLES_EQUAL(1 + omega_dt / (1 + omega_dt), v, 1e-15);
  b.message.cutoff = 0;
  CHECK_TRUE(Status::kOk == b.judge_by());
  CHECK_TRUE(Status::kOk == b.judge(0, 3));
  for (const double v : b.servo->v()) CHECK_EQUAL(3, v);
}

TEST(Servo, WaysAreTakenOnlyIfEveryNumberMakesSense) {
  Bench b;
  CHECK_TRUE(Status::kOk == b.judge_by());
  auto& in = b.servo->incoming();
  in.q.setConstant(0.1), in.v.setZero(), in.a.setZero();
  CHECK_TRUE(Status::kMalformed == b.lead());  // nothing was measured
  CHECK_TRUE(Status::kOk == b.judge(0, 0));
  CHECK_TRUE(Status::kOk == b.lead());
  const auto refused = [&](double& number, double value, Status why) {
    const double before = number;
    number = value;
    CHECK_TRUE(why == b.lead());
    number = before;
  };
  for (double* number : {&b.way.kp, &b.way.kd, &b.way.duration, &b.way.acceleration}) {
    refused(*number, kNaN, Status::kNotFinite);
  }
  for (const Eigen::Index joint : {0, kJoints - 1}) {
    refused(in.q[joint], kNaN, Status::kNotFinite);
    refused(in.v[joint], kInfinity, Status::kNotFinite);
    refused(in.a[joint], -kInfinity, Status::kNotFinite);
    refused(in.q[joint], 2.1, Status::kBeyondLimits);
    refused(in.q[joint], -2.1, Status::kBeyondLimits);
    refused(in.v[joint], 5.1, Status::kBeyondLimits);
    refused(in.a[joint], 101, Status::kBeyondLimits);
  }
  refused(b.way.kp, -1, Status::kMalformed);
  refused(b.way.kd, -1, Status::kMalformed);
  refused(b.way.duration, b.settings.dt / 2, Status::kMalformed);
  refused(b.way.acceleration, 0, Status::kMalformed);
}

TEST(Servo, ALawThatIsNotThereGivesNoTorque) {
  Bench b;
  CHECK_TRUE(Status::kOk == b.judge_by());
  CHECK_TRUE(Status::kOk == b.judge(0.1, 0));
  b.servo->incoming().q.setConstant(0.1);
  b.servo->incoming().v.setZero(), b.servo->incoming().a.setZero();
  b.way.law = link::ControlLaw::kOwn;
  CHECK_TRUE(Status::kOk == b.lead());
  CHECK_TRUE(Status::kUnknownMessage == b.servo->control(b.settings));
  for (const double torque : b.servo->torque()) CHECK_EQUAL(0, torque);
}

// Frames are the ticks: what they bring is measured, their answer is what the motors do.
TEST(Servo, OverTheLinkAFrameIsATick) {
  using Device = firmware::ServoDevice<six_axis_arm, float, FakeBoard,
                                       firmware::LinkPort<six_axis_arm, float>>;
  std::array<float, 6> q, v{}, effort = {738, 738, 433, 107, 107, 107}, rate, lower, upper, fast;
  std::array<float, 6> stiffness = {1500, 1500, 400, 10, 10, 1},
                       damping = {300, 300, 80, 2, 2, 0.1f};
  q.fill(0.1f), rate.fill(1e7f), lower.fill(-3), upper.fill(3), fast.fill(2);
  Conversation<Device> line;
  link::MeasuredReply<float> reply;
  std::array<float, 6> told_v, told_tau;
  reply.v = told_v, reply.tau = told_tau;
  const auto measure = [&](std::uint32_t age) {
    const link::Measured<const float> measured{.age = age, .q = q, .v = v};
    const Heard heard = line.ask(measured);
    link::ByteReader from(heard.payload);
    return heard.status() == Status::kOk && reply.read(from);
  };
  CHECK_FALSE(measure(0));  // not before the start
  auto settings = configuration<float>();
  settings.model_hash = six_axis_arm::kHash;
  settings.free_running = true;
  CHECK_TRUE(Status::kMalformed == line.tell(settings));  // it has no clock
  settings.free_running = false;
  settings.watchdog_ticks = 10;
  CHECK_TRUE(Status::kOk == line.tell(settings));
  CHECK_TRUE(Status::kOk == line.tell(link::Limits<const float>{effort, rate, lower, upper, fast}));
  CHECK_TRUE(Status::kOk == line.tell(link::Servo<const float>{
                                .stale = 2000, .stiffness = stiffness, .damping = damping}));
  const link::Reference<const float> way{
      .kp = 1, .kd = 1, .duration = 1, .acceleration = 1, .q = q, .v = v, .a = v};
  CHECK_TRUE(Status::kNotNow == line.tell(way));
  CHECK_TRUE(Status::kOk == line.tell(link::State()));
  CHECK_TRUE(Status::kOk == line.tell(link::Start()));
  CHECK_TRUE(Status::kNotNow == line.tell(link::Servo<const float>{
                                    .stale = 2000, .stiffness = stiffness, .damping = damping}));
  CHECK_TRUE(Status::kUnknownMessage == line.tell(link::Step<const float>{1, v}));
  CHECK_TRUE(measure(0));
  CHECK_TRUE(reply.state == link::LoopState::kRunning && reply.enabled && !reply.braked);
  CHECK_TRUE(std::abs(told_tau[1]) > 1);  // gravity is held
  const std::uint64_t hash = reply.hash;
  CHECK_TRUE(measure(0) && reply.hash != hash);
  CHECK_TRUE(measure(2001));
  CHECK_TRUE(reply.state == link::LoopState::kSafe && !reply.enabled);
  for (const float torque : told_tau) CHECK_EQUAL(0, torque);
  CHECK_TRUE(Status::kStale == line.report().safe_reason);
}

// Its robot comes over the link; balls and floating bases have no motor and no encoder.
TEST(Servo, ARobotThatMotorsCannotDriveDoesNotStart) {
  using Table = TableModel<float, 8>;
  using Device = firmware::ServoDevice<Table, float, FakeBoard, firmware::LinkPort<Table, float>>;
  for (const bool driven : {true, false}) {
    Conversation<Device> line;
    CHECK_TRUE(Status::kNotNow == line.tell(link::State()));  // there is none yet
    auto bodies = random_tree({.bodies = kJoints, .seed = 5, .only_turning = true});
    if (!driven) bodies[1].joint = JointType::kPlanar;
    CHECK_TRUE(Status::kOk == line.tell(link::ModelBegin{kJoints, kModelHash}));
    Hash hash;
    for (std::uint16_t i = 0; i < kJoints; ++i) {
      const Bytes bytes = bytes_of_body<float>(bodies[i]);
      hash.add_all(bytes);
      CHECK_TRUE(Status::kOk == line.tell(link::ModelBodies<float>{i, 1, bytes}));
    }
    CHECK_TRUE(Status::kOk == line.tell(link::ModelEnd{hash.value()}));
    auto settings = configuration<float>();
    settings.watchdog_ticks = 10;
    CHECK_TRUE(Status::kOk == line.tell(settings));
    std::vector<float> some(driven ? kJoints : kJoints + 2, 10), less(some.size(), -10);
    CHECK_TRUE(Status::kOk == line.tell(link::Limits<const float>{some, some, less, some, some}));
    CHECK_TRUE(Status::kOk == line.tell(link::Servo<const float>{
                                  .stale = 2000, .stiffness = some, .damping = some}));
    CHECK_TRUE((driven ? Status::kOk : Status::kNotConfigured) == line.tell(link::Start()));
  }
}
