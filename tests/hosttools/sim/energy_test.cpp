// Every run watches its energy: what nothing put in is told, and ends with exit code 1.
#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cmath>

#include "hosttools/sim/sim_run.hpp"

using namespace lockstep::test;

namespace {

// A finger of 3e-4 kg m^2 whose damping is far beyond what an explicit step of 1 ms bears.
constexpr const char* kFinger = R"(<robot name="hand"><link name="palm"/><link name="tip"><inertial>
  <origin xyz="0 0 0.05"/><mass value="0.1"/>
  <inertia ixx="5e-5" ixy="0" ixz="0" iyy="5e-5" iyz="0" izz="5e-5"/></inertial></link>
  <joint name="knuckle" type="continuous"><parent link="palm"/><child link="tip"/>
  <axis xyz="1 0 0"/><dynamics damping="1.5"/></joint></robot>)";

double number_after(const std::string& text, const std::string& words) {
  const auto at = text.find(words);
  CHECK_TRUE(at != std::string::npos);
  return at == std::string::npos ? 0 : std::stod(text.substr(at + words.size()));
}

}  // namespace

TEST_GROUP(SimEnergy) {
  SimRun sim;

  std::string line(const std::string& text, const std::string& name) {
    const auto at = text.find("\n" + name + " ");
    return at == std::string::npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  }
};

TEST(SimEnergy, APassiveRobotThatGainsEnergyIsUnstable) {
  const std::string hand = sim.folder.write("hand.urdf", kFinger);
  const std::string start = sim.folder.write("start.json", R"({"v": {"knuckle": 0.1}})");
  const std::string text =
      sim({hand, "--start", start, "--integrator", "rk4", "--duration", "0.004", "--quiet"});
  LONGS_EQUAL(1, sim.exit_code);
  const std::string told = line(text, "UNSTABLE");
  STRCMP_CONTAINS("J that nothing put in", told.c_str());
  STRCMP_CONTAINS("joint 'knuckle'", told.c_str());
  STRCMP_CONTAINS("has damping 1.5 N m s/rad", told.c_str());
  STRCMP_CONTAINS("give a --dt below 0.000557 or --integrator midpoint", told.c_str());
  STRCMP_EQUAL("", line(text, "balance").c_str());
  // in maximal coordinates such steps are taken in parts, or the damping is implicit
  for (const std::string integrator : {"rk4", "euler"}) {
    const std::string bodies = sim({hand, "--start", start, "--integrator", integrator, "--stepper",
                                    "lagrange", "--duration", "0.004", "--quiet"});
    LONGS_EQUAL(0, sim.exit_code);
    STRCMP_CONTAINS("no energy gained", line(bodies, "balance").c_str());
    CHECK_EQUAL(integrator == "rk4", !line(bodies, "parts").empty());
  }
  sim({hand, "--start", start, "--integrator", "rk4", "--dt", "0.0005", "--quiet"});
  LONGS_EQUAL(0, sim.exit_code);
  sim({hand, "--start", start, "--integrator", "euler", "--quiet"});  // damping is implicit
  LONGS_EQUAL(0, sim.exit_code);
}

// Gains that shake: dt kd / I is 2.5, and each torque, held for a step, more than turns the motion.
TEST(SimEnergy, AHoldThatShakesIsUnstable) {
  std::string soft = kFinger;
  soft.replace(soft.find("1.5"), 3, "0.0");
  const std::string hand = sim.folder.write("hand.urdf", soft);
  const std::string start = sim.folder.write("start.json", R"({"v": {"knuckle": 0.1}})");
  const std::vector<std::pair<std::string, std::string>> remedies = {
      {"joint", "--hold may shake joint 'knuckle'"}, {"lagrange", "smaller gains to --hold"}};
  for (const auto& [stepper, remedy] : remedies) {
    const std::string text = sim({hand, "--start", start, "--hold", "0,0.75", "--duration", "0.02",
                                  "--quiet", "--stepper", stepper, "--integrator", "rk4"});
    LONGS_EQUAL_TEXT(1, sim.exit_code, text.c_str());
    STRCMP_CONTAINS(remedy.c_str(), line(text, "UNSTABLE").c_str());
  }
  sim({hand, "--start", start, "--hold", "0,0.3", "--quiet", "--integrator", "rk4"});
  LONGS_EQUAL(0, sim.exit_code);
  sim({hand, "--start", start, "--hold", "0,0.75", "--quiet"});  // drives are implicit
  LONGS_EQUAL(0, sim.exit_code);
}

TEST(SimEnergy, ARunThatBreaksOffTellsOfTheGainBefore) {
  const std::string hand = sim.folder.write("hand.urdf", kFinger);
  const std::string start = sim.folder.write("start.json", R"({"v": {"knuckle": 0.1}})");
  const std::string told =
      sim.complaint({hand, "--start", start, "--integrator", "rk4", "--quiet"});
  STRCMP_CONTAINS(": joint 'knuckle' is at ", told.c_str());
  STRCMP_CONTAINS("; UNSTABLE: gained ", told.c_str());
  STRCMP_CONTAINS("; joint 'knuckle' has damping 1.5", told.c_str());
  LONGS_EQUAL(0, std::ranges::count(told, '\n'));
}

TEST(SimEnergy, RobotsThatSwingAndStandAreNot) {
  const std::vector<std::vector<std::string>> runs = {
      {"six_axis_arm"},
      {"six_axis_arm", "--scalar", "float", "--hold", "100,1"},
      {"seven_axis_arm", "--integrator", "rk4", "--limits", "none"},
      {"quadruped", "--base", "floating", "--drop", "0.05", "--hold", "60,0.2"},
      {"quadruped", "--base", "floating", "--hold", "60,0.2", "--scalar", "float"},
      {"loops/four_bar"},
      {"double_pendulum", "--stepper", "impulse"},
      {"pendulum", "--stepper", "lagrange"}};
  for (std::vector<std::string> words : runs) {
    words[0] = SimRun::model(words[0]);
    words.push_back("--quiet");
    const std::string text = sim(words);
    LONGS_EQUAL_TEXT(0, sim.exit_code, text.c_str());
    CHECK_FALSE(line(text, "balance").empty());
  }
}

// Runge-Kutta loses nothing to speak of: all that the energy changes by is work.
TEST(SimEnergy, TheWorkOfMotorsIsTheChangeOfEnergy) {
  const std::string torques =
      sim.folder.write("t.csv", "time,tau.lift,tau.elbow\n0,150,20\n0.3,-40,60\n");
  for (const std::string stepper : {"joint", "lagrange"}) {
    const std::string text = sim({SimRun::model("six_axis_arm"), "--torques", torques, "--limits",
                                  "none", "--friction", "none", "--ignore-damping", "--integrator",
                                  "rk4", "--quiet", "--stepper", stepper, "--every", "7"});
    const double change = number_after(text, " J to ") - number_after(text, "energy");
    const double work = number_after(text, "motors and forces did ");
    CHECK_TRUE(std::abs(work) > 10);
    DOUBLES_EQUAL(change, work, 0.005 * std::abs(work));  // in three digits
  }
}

TEST(SimEnergy, ForcesAndPrescribedMotionsOfMechanismsDoWork) {
  for (const char* name : {"gear_pair", "driven_pendulum", "planar_crank", "differential"}) {
    const std::string text = sim({LOCKSTEP_MODELS_DIR "/mechanisms/" + std::string(name) + ".xml",
                                  "--stepper", "impulse", "--quiet"});
    LONGS_EQUAL_TEXT(0, sim.exit_code, text.c_str());
    const double change = number_after(text, " J to ") - number_after(text, "energy");
    const double work = number_after(text, "motors and forces did ");
    CHECK_TRUE(std::abs(work) > 1e-3);
    DOUBLES_EQUAL(change, work, 0.01 * std::abs(work));
  }
}
