#include "hil/recorder.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <numbers>

#include "hil/device_transport.hpp"
#include "hil/run.hpp"
#include "hosttools/hil/swinging_arm.hpp"
#include "record/csv.hpp"
#include "support/test_plant.hpp"
#include "text/number.hpp"

using namespace lockstep::host;
using namespace lockstep::host::hil;
using lockstep::test::has;

namespace {

constexpr Wave kWave = {.amplitude = 0.2, .frequency = 3, .phase = 1, .offset = 0.25};

// Whose n-th step takes 100 + n us.
struct SlowingPlant : lockstep::test::TestPlant<double> {
  void poll() {
    lockstep::test::FakeBoard::cost = 100 + ++steps;
    TestPlant::poll();
    lockstep::test::FakeBoard::cost = 7;
  }
  std::uint32_t steps = 0;
};

// The record of a run of the firmware's plant in this process, column by column.
struct Recorded {
  std::vector<std::string> header;
  std::vector<std::vector<double>> rows;
  bool differed = false;

  explicit Recorded(const Scenario& scenario, std::uint64_t every = 1, bool with_costs = false) {
    const Tree tree = lockstep::test::swinging_arm().fixed();
    const RobotTrees robot = {tree, tree};
    const auto plan = make_plan<double>(tree, scenario);
    DeviceTransport<SlowingPlant> transport;
    Client client(transport, "device");
    introduce(client, Application::kPlant, *plan->robot);
    TickCosts costs(client, {.clock_hz = client.clock_hz()}, scenario, every);
    Recorder<double> recorder(robot, scenario, *plan, every, false, with_costs ? &costs : nullptr);
    differed =
        run(client, tree, scenario, *plan, &recorder, [](std::uint64_t) {}).difference.has_value();
    std::string text = recorder.record().csv();
    for (bool first = true; !text.empty(); first = false) {
      const auto fields = *csv_fields(text.substr(0, text.find('\n')));
      text.erase(0, text.find('\n') + 1);
      if (first) {
        header = fields;
        continue;
      }
      rows.emplace_back();
      for (const std::string& field : fields) rows.back().push_back(*parse_number(field));
    }
  }
  double at(std::size_t row, const std::string& column) const {
    const auto found = std::ranges::find(header, column);
    CHECK_TRUE(found != header.end());
    return rows.at(row).at(static_cast<std::size_t>(found - header.begin()));
  }
};

Scenario lifting(Mode mode) { return {.steps = 42, .joints = {{"lift", kWave}}, .mode = mode}; }

}  // namespace

TEST_GROUP(Recorder){};

TEST(Recorder, EveryModeHasARowForEachStepAndTheLastState) {
  for (const Mode mode : {Mode::kStep, Mode::kCheckpoint}) {
    const Recorded run(lifting(mode));
    LONGS_EQUAL(43, run.rows.size());
    for (std::size_t i = 0; i < run.rows.size(); ++i) {
      DOUBLES_EQUAL(static_cast<double>(i) / 1000, run.at(i, "time [s]"), 0);
    }
    CHECK_TRUE(run.at(42, "q.lift [m]") != run.at(41, "q.lift [m]"));
    CHECK_TRUE(run.at(42, "tau.lift [N]") != 0);
  }
}

TEST(Recorder, ReferencesAreTheWaveWithinItsLimitsAndErrorsWhatIsMissing) {
  const Recorded run(lifting(Mode::kCheckpoint));
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const double angle = 2 * std::numbers::pi * 3 * run.at(i, "time [s]") + 1;
    const double wave = 0.25 + 0.2 * std::sin(angle);
    DOUBLES_EQUAL(wave, run.at(i, "q_ref.lift [m]"), 1e-6);
    // the joint's greatest speed is 1 m/s
    DOUBLES_EQUAL(std::clamp(0.2 * 6 * std::numbers::pi * std::cos(angle), -1.0, 1.0),
                  run.at(i, "v_ref.lift [m/s]"), 1e-5);
    DOUBLES_EQUAL(wave - run.at(i, "q.lift [m]"), run.at(i, "error.lift [m]"), 1e-6);
  }
}

TEST(Recorder, ThoseThatAreOnlyDrivenByTorquesHaveNoReference) {
  Scenario scenario = lifting(Mode::kCheckpoint);
  scenario.drive = Drive::kTorque;
  scenario.limits = Limits::kNone;
  scenario.integrator = lockstep::Integrator::kRungeKutta4;
  const Recorded run(scenario);
  for (const std::string& column : run.header) CHECK_FALSE(has(column, "_ref"));
  STRCMP_EQUAL("energy [J]", run.header.back().c_str());
  DOUBLES_EQUAL(0.25 + 0.2 * std::sin(1.0), run.at(0, "tau.lift [N]"), 1e-9);
  // torques hold over a step: what they put in is what the energy gains
  double work = 0;
  for (std::size_t i = 0; i < 42; ++i) {
    work += run.at(i, "tau.lift [N]") * (run.at(i + 1, "q.lift [m]") - run.at(i, "q.lift [m]"));
    work += run.at(i, "tau.shoulder [N m]") *
            (run.at(i + 1, "q.shoulder [rad]") - run.at(i, "q.shoulder [rad]"));
  }
  CHECK_TRUE(std::abs(work) > 1e-3);
  DOUBLES_EQUAL(work, run.at(42, "energy [J]") - run.at(0, "energy [J]"), 1e-9);
}

TEST(Recorder, EveryNthStepAndTheLast) {
  const Recorded run(lifting(Mode::kCheckpoint), 20);
  LONGS_EQUAL(4, run.rows.size());
  DOUBLES_EQUAL(0.02, run.at(1, "time [s]"), 0);
  DOUBLES_EQUAL(0.042, run.at(3, "time [s]"), 0);
}

TEST(Recorder, ARunThatDiffersIsRecordedAsFarAsItAgreed) {
  for (const Mode mode : {Mode::kStep, Mode::kCheckpoint}) {
    Scenario scenario = lifting(mode);
    scenario.start = {{"shoulder", 0.7}};
    scenario.corrupt_state = 17;
    const Recorded run(scenario);
    CHECK_TRUE(run.differed);
    LONGS_EQUAL(18, run.rows.size());  // states 0 to 17; 18 is the first that differs
  }
}

TEST(Recorder, ARowHasTheTimeOfTheStepThatLedToItInModesStepAndCheckpoint) {
  for (const Mode mode : {Mode::kStep, Mode::kCheckpoint}) {
    for (const std::uint64_t every : {1u, 5u, 20u}) {
      const Recorded plain(lifting(mode), every), run(lifting(mode), every, true);
      STRCMP_EQUAL("tick_time [us]", run.header.back().c_str());
      LONGS_EQUAL(plain.header.size() + 1, run.header.size());
      LONGS_EQUAL(plain.rows.size(), run.rows.size());
      for (std::size_t i = 0; i < run.rows.size(); ++i) {
        const double step = std::round(1000 * run.at(i, "time [s]"));
        DOUBLES_EQUAL(step == 0 ? 0 : 100 + step, run.rows[i].back(), 0);
        // asking changes nothing
        for (std::size_t k = 0; k < plain.header.size(); ++k) {
          DOUBLES_EQUAL(plain.rows[i][k], run.rows[i][k], 0);
        }
      }
    }
  }
}
