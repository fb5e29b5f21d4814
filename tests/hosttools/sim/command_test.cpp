#include "commands.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "hosttools/sim/sim_run.hpp"

using namespace lockstep::test;

namespace {

// models/pendulum.urdf
constexpr double kInertia = 0.3262075, kMoment = 0.675, kGravity = 9.81;

double pendulum_energy(double q, double v) {
  return kInertia * v * v / 2 - kGravity * kMoment * std::cos(q);
}

// Those of the vectors (x, y, z) in a text.
std::vector<double> numbers_of(const std::string& text) {
  std::vector<double> numbers;
  for (auto at = text.find('('); at != std::string::npos; at = text.find('(', at)) {
    std::istringstream vector(text.substr(at + 1, text.find(')', at) - at - 1));
    std::string number;
    while (std::getline(vector, number, ',')) numbers.push_back(std::stod(number));
    ++at;
  }
  return numbers;
}

// The times at which a column passes zero, between its rows.
std::vector<double> zeros(const std::vector<double>& time, const std::vector<double>& x) {
  std::vector<double> found;
  for (std::size_t i = 1; i < x.size(); ++i) {
    if ((x[i - 1] > 0) == (x[i] > 0)) continue;
    found.push_back(time[i - 1] + (time[i] - time[i - 1]) * x[i - 1] / (x[i - 1] - x[i]));
  }
  return found;
}

}  // namespace

TEST_GROUP(SimCommand) {
  SimRun sim;
  const std::string pendulum = SimRun::model("pendulum"), arm = SimRun::model("six_axis_arm"),
                    quadruped = SimRun::model("quadruped");

  // Of the energy, by the closed form.
  double largest_change(const char* integrator, const char* dt) {
    const std::string start = sim.folder.write("start.json", R"({"q": {"pivot": 2}})");
    const Columns run = sim.record({pendulum, "--ignore-damping", "--start", start, "--duration",
                                    "2", "--integrator", integrator, "--dt", dt});
    double largest = 0;
    for (std::size_t i = 0; i < run.at("time").size(); ++i) {
      largest =
          std::max(largest, std::abs(pendulum_energy(run.at("q.pivot")[i], run.at("v.pivot")[i]) -
                                     pendulum_energy(2, 0)));
    }
    return largest;
  }
};

TEST(SimCommand, APendulumSwingsWithThePeriodOfTheClosedForm) {
  const std::string start = sim.folder.write("start.json", R"({"q": {"pivot": 0.1}})");
  const Columns run = sim.record(
      {pendulum, "--ignore-damping", "--start", start, "--duration", "2", "--integrator", "rk4"});
  const auto passes = zeros(run.at("time"), run.at("q.pivot"));
  LONGS_EQUAL(3, passes.size());
  // the complete elliptic integral's series in the amplitude
  const double a2 = 0.1 * 0.1;
  const double period = 2 * std::numbers::pi * std::sqrt(kInertia / (kGravity * kMoment)) *
                        (1 + a2 / 16 + 11 * a2 * a2 / 3072);
  DOUBLES_EQUAL(period, passes[2] - passes[0], 1e-7);
}

TEST(SimCommand, TheEnergysErrorFallsWithTheOrderOfTheIntegrator) {
  const double rk4 = std::log2(largest_change("rk4", "0.02") / largest_change("rk4", "0.01"));
  const double euler = std::log2(largest_change("euler", "0.02") / largest_change("euler", "0.01"));
  CHECK_TRUE(rk4 > 3.7 && rk4 < 5.3);
  DOUBLES_EQUAL(1, euler, 0.2);
}

TEST(SimCommand, WhereNothingTakesEnergyItsChangeIsToldAsTheIntegratorsError) {
  const std::string start = sim.folder.write("start.json", R"({"q": {"pivot": 2}})");
  STRCMP_CONTAINS("all of it the integrator's error",
                  sim({pendulum, "--ignore-damping", "--start", start}).c_str());
  const std::string damped = sim({pendulum, "--start", start});
  CHECK_TRUE(damped.find("integrator's error") == std::string::npos);
  CHECK_TRUE(damped.find("momentum") == std::string::npos);
  STRCMP_CONTAINS("1000 of 0.001 s, from 0 s to 1 s\n", damped.c_str());
}

TEST(SimCommand, WithoutGravityAFloatingRobotKeepsItsMomentum) {
  const std::string start = sim.folder.write(
      "start.json", R"({"v": {"root_joint": [0.5, 0, 0, 0.1, 0.2, -0.3], "front_left_knee": 3}})");
  const std::string text =
      sim({quadruped, "--base", "floating", "--gravity", "0,0,0", "--start", start, "--duration",
           "0.2", "--integrator", "rk4", "--quiet", "--ground", "none", "--friction", "none"});
  const std::vector<double> numbers = numbers_of(text.substr(text.find("momentum")));
  CHECK_TRUE(numbers.size() >= 12);
  for (const std::size_t first : {0u, 6u}) {  // linear, angular; each before and after
    CHECK_TRUE(std::abs(numbers[first]) > 1e-3);
    for (std::size_t i = first; i < first + 3; ++i) {
      DOUBLES_EQUAL(numbers[i], numbers[i + 3], 1e-5);
    }
  }
}

TEST(SimCommand, ARestoredRunContinuesBitForBit) {
  const std::string start =
      sim.folder.write("start.json", R"({"q": {"root_joint": [0, 0, 1, 0.1, 0.2, 0.3, 0.9]},
                                         "v": {"root_joint": [0, 1, 0, 2, 3, 4]}})");
  for (const char* scalar : {"float", "double"}) {
    const std::vector<std::string> run = {quadruped, "--base", "floating", "--quiet",
                                          "--hold",  "30,0.5", "--scalar", scalar};
    const auto with = [&](std::vector<std::string> more) {
      more.insert(more.begin(), run.begin(), run.end());
      return sim.last_state(more);
    };
    const std::string whole = with({"--start", start, "--duration", "2"});
    const std::string half = with({"--start", start, "--duration", "1"});
    const std::string saved = sim.folder.write("half.json", half);
    STRCMP_EQUAL(whole.c_str(), with({"--restore", saved, "--duration", "1"}).c_str());
    CHECK_TRUE(half != whole);
    STRCMP_CONTAINS("\"step\": 2000", whole.c_str());
  }
}

TEST(SimCommand, TorquesHoldFromRowToRow) {
  const std::string torques =
      sim.folder.write("torques.csv", "time,tau.pivot\n0.1,2\n0.2,-1\n0.3,0\n");
  const Columns run = sim.record({pendulum, "--ignore-damping", "--gravity", "0,0,0", "--torques",
                                  torques, "--duration", "0.5"});
  const auto& v = run.at("v.pivot");
  const auto& tau = run.at("tau.pivot");
  DOUBLES_EQUAL(0, v[100], 0);
  DOUBLES_EQUAL(0, tau[99], 0);
  DOUBLES_EQUAL(2, tau[100], 0);
  DOUBLES_EQUAL(2, tau[199], 0);
  DOUBLES_EQUAL(2 * 0.1 / kInertia, v[200], 1e-12);
  DOUBLES_EQUAL((2 * 0.1 - 0.1) / kInertia, v[300], 1e-12);
  DOUBLES_EQUAL(v[300], v[500], 0);
}

TEST(SimCommand, ARecordNamesUnitsThatTorquesMayLeaveOut) {
  const auto run = [&](const char* header) {
    const std::string torques = sim.folder.write("torques.csv", header + std::string("\n0,2\n"));
    return sim.record({pendulum, "--torques", torques, "--duration", "0.1"}).at("v.pivot").back();
  };
  const double without = run("time,tau.pivot");
  CHECK_TRUE(without != 0);
  DOUBLES_EQUAL(without, run("time [s],tau.pivot [N m]"), 0);
  const std::string record = sim.folder.read("out.csv");
  STRCMP_EQUAL("time [s],q.pivot [rad],v.pivot [rad/s],tau.pivot [N m],energy [J]",
               record.substr(0, record.find('\n')).c_str());
}

TEST(SimCommand, TorquesStayWithinTheJointsEffort) {
  const std::string torques = sim.folder.write("torques.csv", "time,tau.pivot\n0,50\n");
  const std::vector<std::string> run = {
      pendulum, "--ignore-damping", "--gravity", "0,0,0", "--torques",
      torques,  "--duration",       "0.1"};
  DOUBLES_EQUAL(20 * 0.1 / kInertia, sim.record(run).at("v.pivot").back(), 1e-12);
  STRCMP_CONTAINS("100 torques were cut", sim(run).c_str());
  auto unlimited = run;
  unlimited.insert(unlimited.end(), {"--limits", "none"});
  DOUBLES_EQUAL(50 * 0.1 / kInertia, sim.record(unlimited).at("v.pivot").back(), 1e-12);
}

TEST(SimCommand, ARecordReplaysToTheSameBits) {
  const std::string start = sim.folder.write("start.json", R"({"v": {"lift": 0.5}})");
  const std::string record = sim.folder.path("record.csv"), again = sim.folder.path("again.csv");
  const std::vector<std::string> run = {arm, "--quiet", "--start", start, "--duration", "0.3"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    return more;
  };
  const Columns held = sim.record(with({"--hold", "400,40"}));
  sim(with({"--hold", "400,40", "--csv", record}));
  const std::string replayed = sim.last_state(with({"--torques", record, "--csv", again}));
  STRCMP_EQUAL(replayed.c_str(), sim.last_state(with({"--torques", again})).c_str());
  // drives find their torques with the motion: the same, but for rounding
  const Columns replay = sim.record(with({"--torques", record}));
  for (const char* joint : {"q.lift", "q.elbow", "v.lift", "v.elbow"}) {
    DOUBLES_EQUAL(held.at(joint).back(), replay.at(joint).back(), 1e-8);
  }
}

// Far beyond what torques that last a step of 1 ms bear.
TEST(SimCommand, HoldIsStableWhateverItsGains) {
  const std::string start = sim.folder.write("start.json", R"({"v": {"lift": 0.5, "elbow": -1}})");
  for (const char* gains : {"1e5,1e4", "1e7,1e4"}) {
    for (const char* integrator : {"midpoint", "euler"}) {
      const Columns run = sim.record({arm, "--start", start, "--hold", gains, "--limits", "none",
                                      "--integrator", integrator, "--duration", "2"});
      DOUBLES_EQUAL(0, run.at("v.lift").back(), 1e-3);
      DOUBLES_EQUAL(0, run.at("q.elbow").back(), 1e-3);
    }
  }
}

TEST(SimCommand, HoldKeepsAnArmUp) {
  const std::string start =
      sim.folder.write("start.json", R"({"q": {"pan": 0.4, "lift": -1, "elbow": 1.2}})");
  const Columns run = sim.record({arm, "--quiet", "--start", start, "--hold", "100,1"});
  DOUBLES_EQUAL(-1, run.at("q.lift").back(), 1e-9);
  DOUBLES_EQUAL(1.2, run.at("q.elbow").back(), 1e-9);
  CHECK_TRUE(std::abs(run.at("tau.lift").back()) > 100);
}

TEST(SimCommand, HoldComesBackAsADampedOscillator) {
  const std::string start =
      sim.folder.write("start.json", R"({"q": {"pivot": 1}, "v": {"pivot": 2}})");
  const Columns run = sim.record({pendulum, "--ignore-damping", "--start", start, "--hold", "20,3",
                                  "--integrator", "rk4", "--dt", "0.0001", "--duration", "1"});
  // I x'' + 3 x' + 20 x = 0: gravity is taken out
  const double decay = 3 / (2 * kInertia), omega = std::sqrt(20 / kInertia - decay * decay);
  for (const std::size_t i : {1000u, 4000u, 10000u}) {
    const double t = run.at("time")[i];
    DOUBLES_EQUAL(1 + std::exp(-decay * t) * 2 / omega * std::sin(omega * t), run.at("q.pivot")[i],
                  1e-4);
  }
}

TEST(SimCommand, AFloatingBaseHasNoMotor) {
  const Columns run = sim.record({quadruped, "--base", "floating", "--quiet", "--hold", "30,0.5",
                                  "--duration", "0.1", "--ground", "none"});
  for (const char* part : {"vx", "vy", "vz", "wx", "wy", "wz"}) {
    for (const double tau : run.at(std::string("tau.root_joint.") + part)) {
      DOUBLES_EQUAL(0, tau, 0);
    }
  }
  CHECK_TRUE(run.at("q.root_joint.z").back() < -0.01);
}

TEST(SimCommand, EveryNthStepAndTheLastAreRecorded) {
  const Columns run = sim.record({pendulum, "--duration", "0.025", "--every", "10"});
  LONGS_EQUAL(4, run.at("time").size());
  DOUBLES_EQUAL(0.01, run.at("time")[1], 0);
  DOUBLES_EQUAL(0.025, run.at("time")[3], 0);
}

TEST(SimCommand, PlotsShowWhatIsAskedFor) {
  sim({pendulum, "--plot", sim.folder.path("run.svg")});
  STRCMP_CONTAINS("pendulum: motion", sim.folder.read("run_q.svg").c_str());
  STRCMP_CONTAINS("pendulum: torques", sim.folder.read("run_tau.svg").c_str());
  sim({arm, "--quiet", "--plot", sim.folder.path("two.svg"), "--columns", "q.elbow [rad],v.lift"});
  const std::string two = sim.folder.read("two.svg");
  STRCMP_CONTAINS("[rad]", two.c_str());
  STRCMP_CONTAINS("[rad/s]", two.c_str());
  STRCMP_CONTAINS("q.elbow", two.c_str());
  STRCMP_CONTAINS("v.lift", two.c_str());
  CHECK_TRUE(two.find("q.lift") == std::string::npos);
}
