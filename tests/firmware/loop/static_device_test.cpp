// Devices with a robot that is compiled in: they need no model, take none, and have its bits.
#include <CppUTest/TestHarness.h>

#include "loop/plant_device.hpp"
#include "six_axis_arm.hpp"
#include "support/conversation.hpp"
#include "support/test_plant.hpp"

using namespace lockstep;
using namespace lockstep::test;
using enum lockstep::link::LoopState;

namespace {

using Fixed = firmware::PlantDevice<six_axis_arm, float, FakeBoard>;
using Table = TestPlant<float>;

template <class Device>
Bytes run_arm(Conversation<Device>& line, link::DriveMode drive, std::uint64_t model_hash) {
  auto settings = configuration<float>();
  settings.model_hash = model_hash;
  settings.drive = drive;
  settings.integrator = 1;
  std::array<float, 6> value, rate, far, back;
  value.fill(50), rate.fill(1e4f), far.fill(3), back.fill(-3);
  std::array<std::uint32_t, 6> turn;
  turn.fill(1u << 24);
  CHECK_TRUE(Status::kOk == line.tell(settings));
  CHECK_TRUE(Status::kOk == line.tell(link::Limits<const float>{value, rate, back, far, far}));
  CHECK_TRUE(Status::kOk == line.tell(link::Waves<const float>{back, far, turn, turn}));
  CHECK_TRUE(Status::kOk == line.tell(link::Start()));
  const bool has_torque = drive == link::DriveMode::kFrames;
  const std::span<const float> tau = has_torque ? std::span<const float>(far) : std::span<float>();
  CHECK_TRUE(Status::kOk == line.tell(link::Step<const float>{50, tau}, 0));
  return line.plant_bits();
}

}  // namespace

TEST_GROUP(StaticDevice){};

TEST(StaticDevice, IsReadyFromTheStart) {
  Conversation<Fixed> line;
  link::HelloReply hello;
  line.ask(link::Hello(), hello);
  CHECK_TRUE(hello.state == kReady && hello.model_hash == six_axis_arm::kHash);
  CHECK_FALSE(hello.is_table);
  LONGS_EQUAL(6, hello.bodies);
  LONGS_EQUAL(6, hello.nq);
  LONGS_EQUAL(6, hello.nv);
  CHECK_TRUE(Status::kWrongModel == line.tell(configuration<float>()));
}

TEST(StaticDevice, TakesNoModel) {
  Conversation<Fixed> line;
  const Bytes before = line.plant_bits(), body = bytes_of_body<float>(six_axis_arm::kBodies[0]);
  CHECK_TRUE(Status::kNotNow == line.tell(link::ModelBegin{1, kModelHash}));
  CHECK_TRUE(Status::kNotNow == line.tell(link::ModelBodies<float>{0, 1, body}));
  CHECK_TRUE(Status::kNotNow == line.tell(link::ModelEnd{1}));
  CHECK_TRUE(line.device().state() == kReady);
  CHECK_TRUE(line.plant_bits() == before);
}

TEST(StaticDevice, HasTheBitsOfTheSameRobotAsATable) {
  for (const auto drive :
       {link::DriveMode::kFrames, link::DriveMode::kTorqueWaves, link::DriveMode::kTrackWaves}) {
    Conversation<Fixed> fixed;
    Conversation<Table> table;
    send_model<float>(table, six_axis_arm::kBodies);
    CHECK_TRUE(run_arm(fixed, drive, six_axis_arm::kHash) == run_arm(table, drive, kModelHash));
  }
}

TEST(StaticDevice, NeverAllocates) {
  Conversation<Fixed> line;
  auto settings = configuration<float>();
  settings.model_hash = six_axis_arm::kHash;
  CHECK_TRUE(Status::kNotConfigured == line.tell(link::Start()));
  CHECK_TRUE(Status::kOk == line.tell(settings));
  const std::array<float, 6> tau{};
  const std::vector<Bytes> frames = {line.next_frame(link::Start()),
                                     line.next_frame(link::Step<const float>{3, tau}, 0)};
  LONGS_EQUAL(0, line.allocations_over(frames));
  LONGS_EQUAL(3, line.report().ticks);
}
