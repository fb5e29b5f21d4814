// A servo whose robot is at the host's end of the link: each frame is a tick, answered with what
// the motors do, the same for the same frames.
#include "loop/link_port.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>

#include "loop/servo_device.hpp"
#include "six_axis_arm.hpp"
#include "support/conversation.hpp"
#include "support/fake_board.hpp"

using namespace lockstep;
using namespace lockstep::test;
using enum lockstep::link::LoopState;
using link::SafePolicy;

namespace {

constexpr std::size_t kJoints = 6;
using Six = std::array<float, kJoints>;

// A user's law: a torque a joint of its own, from all that a law is given.
struct OwnLaw {
  template <class Settings, class Configs, class Dofs, class Reference>
  Status operator()(const Settings& settings, const Configs& q, const Dofs& v,
                    const Reference& reference, Dofs& tau) {
    for (Eigen::Index i = 0; i < tau.size(); ++i) {
      tau[i] = settings.kp * (reference.q[i] - q[i]) - settings.kd * v[i] + float(i);
    }
    return q[0] > 2 ? Status::kNotConverged : Status::kOk;
  }
};

using Device = firmware::ServoDevice<six_axis_arm, float, FakeBoard,
                                     firmware::LinkPort<six_axis_arm, float>, OwnLaw>;

struct Answer {
  link::MeasuredReply<float> reply;
  Six v, tau;
};

struct LinkLine : Conversation<Device> {
  explicit LinkLine(SafePolicy policy = SafePolicy::kOff, std::uint32_t watchdog = 20) {
    settings = configuration<float>();
    settings.model_hash = six_axis_arm::kHash;
    settings.watchdog_ticks = watchdog;
    settings.safe = policy;
    CHECK_TRUE(Status::kOk == tell(settings));
    const Six stiffness = {1500, 1500, 400, 10, 10, 1}, damping = {300, 300, 80, 2, 2, 0.1f};
    CHECK_TRUE(Status::kOk == tell(link::Servo<const float>{2000, 0, stiffness, damping}));
    // torques may jump: rates are no matter of the model
    const Six effort = {738, 738, 433, 107, 107, 107}, rate = {1e7f, 1e7f, 1e7f, 1e7f, 1e7f, 1e7f};
    const Six lower = {-3, -3, -3, -3, -3, -3}, upper = {3, 3, 3, 3, 3, 3},
              fastest = {2, 2, 2, 2, 2, 2};
    CHECK_TRUE(Status::kOk == tell(link::Limits<const float>{effort, rate, lower, upper, fastest}));
    CHECK_TRUE(Status::kOk == tell(link::Start()));
  }
  Answer tick(std::uint32_t age = 0, Status drives = Status::kOk, std::uint16_t ticks = 1) {
    Answer answer;
    answer.reply.v = answer.v, answer.reply.tau = answer.tau;
    ask(link::Measured<const float>{ticks, age, drives, q, v}, answer.reply);
    return answer;
  }
  Status lead(link::ControlLaw law, float kp, float kd) {
    return tell(link::Reference<const float>{law, kp, kd, 0.5f, 50, Six{}, Six{}, Six{}});
  }

  link::Configure<float> settings;
  Six q{0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f}, v{};
};

void check_off(const Answer& answer, bool braked = false) {
  CHECK_TRUE(answer.reply.state == kSafe && !answer.reply.enabled);
  CHECK_TRUE(answer.reply.braked == braked);
  for (const float torque : answer.tau) CHECK_TRUE(torque == 0);
}

}  // namespace

TEST_GROUP(LinkPort){};

TEST(LinkPort, ATickIsAFrameAndGravityIsHeld) {
  LinkLine line;
  const Answer answer = line.tick();
  CHECK_TRUE(answer.reply.state == kRunning && answer.reply.enabled);
  // of an arm that leans to one side: as inverse dynamics at rest says
  InverseDynamics<six_axis_arm, float> inverse;
  auto in = inverse.make_input();
  in.q.setConstant(0.1f);
  auto tau = in.v;
  CHECK_TRUE(Status::kOk == inverse.gravity_torque(in.q, in.gravity, tau));
  for (std::size_t i = 0; i < kJoints; ++i) {
    CHECK_TRUE(answer.tau[i] == tau[static_cast<Eigen::Index>(i)]);
  }
  LONGS_EQUAL(1, line.report().ticks);
  line.device().poll();  // and no clock ticks
  LONGS_EQUAL(1, line.report().ticks);
}

TEST(LinkPort, FailuresComeWithTheirTick) {
  const auto ends = [](Status reason, SafePolicy policy, auto&& fail) {
    LinkLine line(policy);
    CHECK_TRUE(line.tick().reply.state == kRunning);
    check_off(fail(line), policy == SafePolicy::kBrake);
    CHECK_TRUE(reason == line.report().safe_reason);
    check_off(line.tick(), policy == SafePolicy::kBrake);  // only Stop leads out of it
    CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
    CHECK_TRUE(Status::kOk == line.tell(link::Start()));
    CHECK_TRUE(line.tick().reply.enabled);
  };
  for (const auto policy : {SafePolicy::kOff, SafePolicy::kBrake}) {
    ends(Status::kStale, policy, [](LinkLine& line) { return line.tick(2001); });
    ends(Status::kDriveFault, policy,
         [](LinkLine& line) { return line.tick(0, Status::kDriveFault); });
    ends(Status::kNotFinite, policy, [](LinkLine& line) {
      line.q[3] = std::numeric_limits<float>::quiet_NaN();
      const Answer answer = line.tick();
      line.q[3] = 0;
      return answer;
    });
    ends(Status::kWatchdog, policy, [](LinkLine& line) {
      for (int i = 2; i < 20; ++i) CHECK_TRUE(line.tick().reply.state == kRunning);
      return line.tick();
    });
    ends(Status::kOverrun, policy, [](LinkLine& line) {
      for (int i = 0; i < 5; ++i) {
        CHECK_TRUE(line.lead(link::ControlLaw::kSprings, 1, 1) == Status::kOk);
        CHECK_TRUE(line.tick(0, Status::kOk, 3).reply.state == kRunning);
      }
      return line.tick(0, Status::kOk, 2);
    });
  }
}

TEST(LinkPort, ALawOfTheUsersOwnIsOneFunction) {
  LinkLine line;
  line.tick();
  CHECK_TRUE(Status::kOk == line.lead(link::ControlLaw::kOwn, 10, 2));
  line.v.fill(0.25f);
  const Answer answer = line.tick();
  for (std::size_t i = 0; i < kJoints; ++i) {  // the way has hardly begun
    DOUBLES_EQUAL(-0.5 + static_cast<double>(i), static_cast<double>(answer.tau[i]), 1e-4);
  }
  line.q[0] = 2.5f;
  check_off(line.tick());
  CHECK_TRUE(Status::kNotConverged == line.report().safe_reason);
}

TEST(LinkPort, TheSameFramesHaveTheSameAnswers) {
  std::uint64_t hashes[2];
  for (std::uint64_t& hash : hashes) {
    LinkLine line(SafePolicy::kHold, 10);
    for (int i = 0; i < 30; ++i) {
      line.q[1] = 0.1f + 0.001f * static_cast<float>(i);
      hash = line.tick().reply.hash;
    }
    CHECK_TRUE(line.device().state() == kSafe);
  }
  CHECK_TRUE(hashes[0] == hashes[1]);
}

TEST(LinkPort, ItHasNoClock) {
  LinkLine line;
  line.tick();
  CHECK_FALSE(line.device().is_acting());
  CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
  Six none{};
  CHECK_TRUE(Status::kNotNow ==
             line.tell(link::Measured<const float>{1, 0, Status::kOk, none, none}));
  line.settings.free_running = true;
  CHECK_TRUE(Status::kMalformed == line.tell(line.settings));
}
