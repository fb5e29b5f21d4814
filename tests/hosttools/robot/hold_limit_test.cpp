#include "robot/hold_limit.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>

#include "hosttools/sim/sim_run.hpp"
#include "model/load.hpp"
#include "model/merge.hpp"
#include "oracle/world.hpp"

using namespace lockstep;

namespace {

// 0.01 kg m^2 about the joint; with the rotor 0.01 + 3^2 0.001 = 0.019, where springs at both
// joints count 1 + 3^2 times.
constexpr const char* kArm = R"(<robot name="arm">
  <link name="base"/>
  <link name="arm"><inertial><mass value="1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/>
    <axis xyz="0 0 1"/></joint>)";
constexpr const char* kRotor = R"(
  <link name="rotor"><inertial><mass value="0.1"/>
    <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="spin" type="continuous"><parent link="base"/><child link="rotor"/>
    <axis xyz="0 0 1"/></joint>
  <coupling name="gear"><predecessor link="arm"/><successor link="rotor"/><ratio value="3"/>
  </coupling>)";

}  // namespace

TEST_GROUP(HoldLimit) {
  test::SimRun sim;

  std::string warning(const std::string& text, double kp, double kd, double dt) {
    host::LoadOptions load;
    load.file = sim.folder.write("arm.urdf", text);
    load.quiet = load.keep_rotors = true;
    const host::Tree whole = host::load_tree(load);
    const host::RobotTrees robot = {whole, host::merge_rotors(whole)};
    return host::shaking(robot, host::rest(whole.bodies).q, {kp, kd}, dt).value_or("");
  }
};

TEST(HoldLimit, IsThatOfTheLightestMotion) {
  const std::string arm = std::string(kArm) + "</robot>";
  STRCMP_EQUAL("", warning(arm, 0, 19.9, 1e-3).c_str());
  STRCMP_CONTAINS("'turn', which moves 0.01 kg m^2 or kg", warning(arm, 0, 20.1, 1e-3).c_str());
  STRCMP_CONTAINS("a kd below 20, ", warning(arm, 0, 20.1, 1e-3).c_str());
  STRCMP_EQUAL("", warning(arm, 0, 199, 1e-4).c_str());
  STRCMP_EQUAL("", warning(arm, 39000, 0, 1e-3).c_str());
  STRCMP_CONTAINS("smaller gains", warning(arm, 41000, 0, 1e-3).c_str());
  const std::string geared = std::string(kArm) + kRotor + "</robot>";
  STRCMP_EQUAL("", warning(geared, 0, 3.7, 1e-3).c_str());
  STRCMP_CONTAINS("a kd below 3.8, ", warning(geared, 0, 3.9, 1e-3).c_str());
}

TEST(HoldLimit, BeyondItASwingGrows) {
  const std::string robot = sim.folder.write("arm.urdf", std::string(kArm) + "</robot>");
  const std::string start = sim.folder.write("start.json", R"({"v": {"turn": 0.1}})");
  const auto last = [&](const std::string& gains) {
    const auto record = sim.record(
        {robot, "--start", start, "--hold", gains, "--duration", "0.05", "--integrator", "rk4"});
    return std::abs(record.at("v.turn").back());
  };
  CHECK(last("0,19") < 1e-3);
  CHECK(last("0,21") > 1);
  CHECK(last("10,19") < 1e-3);
}
