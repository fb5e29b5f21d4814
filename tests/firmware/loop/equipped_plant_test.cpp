// A plant on a board with drivetrains and sensors around its joints. That its bits are those of the
// host's is for tests/scenario/hil.
#include "loop/equipped_plant.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>

#include "chip/driven_motion.hpp"
#include "loop/plant_device.hpp"
#include "support/conversation.hpp"
#include "support/fake_board.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::size_t kJoints = kDrivenJoints;
using Numbers = std::array<float, kJoints>;

// Drivetrains and sensors without figures.
struct Bare : DrivenArm {
  template <class T>
  struct Devices {
    static constexpr std::uint64_t kSeed = 7;
    static constexpr std::array<Drivetrain<T>, kJoints> kTrains = {};
    static constexpr std::array<T, kJoints> kFriction = {};
    static constexpr std::array<firmware::MountedEncoder<T>, 1> kEncoders = {};
    static constexpr std::array<Imu<T>, 1> kImus = {};
    static constexpr std::array<ForceTorque<T>, 1> kWrenches = {};
  };
};
// A coarse encoder on the second joint, and the first joint's commands come late.
struct Coarse : DrivenArm {
  template <class T>
  struct Devices : Bare::Devices<T> {
    static constexpr std::array<Drivetrain<T>, kJoints> kTrains = {{{.delay = 3}, {}, {}}};
    static constexpr std::array<firmware::MountedEncoder<T>, 1> kEncoders = {
        {{.body = 1, .q = 1, .v = 1, .figures = {.resolution = T(0.25), .offset = T(1)}}}};
  };
};

template <class Model>
class Line : public Conversation<firmware::PlantDevice<Model, float, FakeBoard>> {
 public:
  Line() {
    settings_.model_hash = Model::kHash;
    CHECK_TRUE(Status::kOk == configure());
  }
  Status configure() { return this->tell(settings_); }
  link::Configure<float>& settings() { return settings_; }

  void start() { CHECK_TRUE(Status::kOk == this->tell(link::Start())); }
  Status step(std::uint32_t count, float effort) {
    Numbers all;
    all.fill(effort);
    const Status status = this->tell(link::Step<const float>{count, all}, step_);
    if (status == Status::kOk) step_ += count;
    return status;
  }
  const link::StateReply<float>& look() {
    this->ask(link::State(), state_);
    return state_;
  }

  Numbers q{}, v{}, tau{};

 private:
  link::Configure<float> settings_ = configuration<float>();
  link::StateReply<float> state_{.q = q, .v = v, .tau = tau};
  std::uint64_t step_ = 0;
};

}  // namespace

TEST_GROUP(EquippedPlant){};

TEST(EquippedPlant, WithoutFiguresItMovesBitForBitAsAPlant) {
  Line<Bare> with;
  Line<DrivenArm> without;
  with.start(), without.start();
  for (const float tau : {0.5f, -3.0f, 12.0f}) {
    CHECK_TRUE(Status::kOk == with.step(20, tau) && Status::kOk == without.step(20, tau));
    const auto one = with.look(), other = without.look();
    CHECK_TRUE(with.q == without.q && with.v == without.v && with.tau == without.tau);
    CHECK_TRUE(one.hash != other.hash);  // it is over what sensors tell, too
  }
}

TEST(EquippedPlant, TellsWhatItsSensorsRead) {
  Line<Coarse> line;
  Line<DrivenArm> exact;
  line.start();
  line.look();
  CHECK_EQUAL(1.0f, line.q[1]);  // before the first step, too
  CHECK_TRUE(Status::kOk == line.step(300, 0));
  exact.start();
  CHECK_TRUE(Status::kOk == exact.step(300, 0));
  line.look(), exact.look();
  CHECK_EQUAL(exact.q[0], line.q[0]);
  CHECK_EQUAL(0.25f * std::round((exact.q[1] + 1) / 0.25f), line.q[1]);
  CHECK_TRUE(line.q[1] != 1);
}

TEST(EquippedPlant, ACommandPassesThroughItsDrivetrain) {
  Line<Coarse> line;
  line.start();
  for (int step = 0; step < 6; ++step) {
    CHECK_TRUE(Status::kOk == line.step(1, 2));
    line.look();
    CHECK_EQUAL(step < 3 ? 0.0f : 2.0f, line.tau[0]);
    CHECK_EQUAL(2.0f, line.tau[1]);
  }
}

TEST(EquippedPlant, BeginsAnewWithEachStart) {
  Line<Coarse> line;
  std::uint64_t first = 0;
  for (int run = 0; run < 2; ++run) {
    const Numbers zero{};
    CHECK_TRUE(Status::kOk ==
               line.tell(link::SetState<const float>{Hash().value(), zero, zero, zero}, 0));
    line.start();
    Numbers tau{5, 5, 5};
    CHECK_TRUE(Status::kOk == line.tell(link::Step<const float>{40, tau}, 0));
    const std::uint64_t hash = line.look().hash;
    if (run == 0) first = hash;
    CHECK_TRUE(first == hash);
    CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
  }
}

TEST(EquippedPlant, ARequestThatFailsLeavesItAsItWas) {
  Line<Coarse> line, same;
  line.start(), same.start();
  CHECK_TRUE(Status::kOk == line.step(2, 1) && Status::kOk == same.step(2, 1));
  CHECK_TRUE(Status::kOverflow == line.step(1000, std::numeric_limits<float>::max()));
  CHECK_TRUE(Status::kOk == line.tell(link::Stop()) && Status::kOk == same.tell(link::Stop()));
  line.start(), same.start();
  line.look(), same.look();
  CHECK_TRUE(line.q == same.q && line.v == same.v);
}

TEST(EquippedPlant, KnowsNeitherHeldWavesNorOtherIntegrators) {
  Line<Coarse> line;
  line.settings().drive = link::DriveMode::kHoldWaves;
  CHECK_TRUE(Status::kMalformed == line.configure());
  line.settings().drive = link::DriveMode::kFrames;
  line.settings().integrator = static_cast<std::uint8_t>(Integrator::kRungeKutta4);
  CHECK_TRUE(Status::kMalformed == line.configure());
}
