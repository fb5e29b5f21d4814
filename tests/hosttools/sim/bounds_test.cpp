// `lockstep sim` in joint space where joints have ends and rub.
#include <CppUTest/TestHarness.h>

#include <cmath>
#include <numbers>

#include "hosttools/sim/sim_run.hpp"

using namespace lockstep::test;

namespace {

// 2 kg at 0.5 m, horizontal at zero; positive angles are downwards.
constexpr double kWeight = 2 * 9.81, kArm = 0.5, kInertia = 0.1 + 2 * kArm * kArm;

std::string pendulum(const std::string& limit, const std::string& dynamics) {
  return R"(<robot name="pendulum">
  <link name="base"/>
  <link name="arm"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="swing" type="revolute"><parent link="base"/><child link="arm"/>
    <axis xyz="0 1 0"/><limit )" +
         limit + R"(/><dynamics )" + dynamics + R"(/></joint>
</robot>)";
}

}  // namespace

TEST_GROUP(SimBounds) {
  SimRun sim;
  const std::string stopped = sim.folder.write(
      "stopped.urdf", pendulum(R"(lower="-1" upper="0.5" velocity="1" effort="50")", ""));
  const std::string rubbing = sim.folder.write(
      "rubbing.urdf",
      pendulum(R"(lower="-9" upper="9" velocity="90" effort="50")", R"(friction="4")"));
};

TEST(SimBounds, APendulumRestsOnItsStop) {
  for (const char* integrator : {"euler", "rk4"}) {
    const Columns run =
        sim.record({stopped, "--duration", "2", "--integrator", integrator, "--quiet"});
    DOUBLES_EQUAL(0.5, run.at("q.swing").back(), 2e-4);
    DOUBLES_EQUAL(0, run.at("v.swing").back(), 1e-9);
    // the end pushes back, against the weight
    DOUBLES_EQUAL(-kWeight * kArm * std::cos(0.5), run.at("limit.swing").back(), 1e-2);
    DOUBLES_EQUAL(0, run.at("limit.swing").front(), 0);
  }
}

TEST(SimBounds, StepsWithoutAnEndInReachGoByRungeKutta) {
  const Columns bounded =
      sim.record({stopped, "--duration", "0.1", "--integrator", "rk4", "--quiet"});
  const Columns free = sim.record(
      {stopped, "--duration", "0.1", "--integrator", "rk4", "--limits", "none", "--quiet"});
  DOUBLES_EQUAL(free.at("q.swing").back(), bounded.at("q.swing").back(), 0);
  const std::string summary = sim({stopped, "--duration", "2", "--integrator", "rk4", "--quiet"});
  STRCMP_CONTAINS("steps by semi-implicit Euler with limits, friction or contacts in reach",
                  summary.c_str());
  CHECK_TRUE(summary.find("integrator's error") == std::string::npos);
}

TEST(SimBounds, WordsSayWhichLimitsAct) {
  const auto last = [&](const std::string& limits) {
    return sim.record({stopped, "--duration", "0.4", "--quiet", "--limits", limits});
  };
  CHECK_TRUE(last("none").at("q.swing").back() > 0.6);
  CHECK_TRUE(last("effort").at("q.swing").back() > 0.6);
  CHECK_TRUE(last("position").at("q.swing").back() < 0.501);
  CHECK_TRUE(last("urdf").at("q.swing").back() < 0.501);
  const Columns slow = last("velocity");
  DOUBLES_EQUAL(1, slow.at("v.swing").back(), 1e-9);
  STRCMP_CONTAINS("--limits: 'none' goes with no other word",
                  sim.complaint({stopped, "--limits", "none,position"}).c_str());
}

TEST(SimBounds, DryFrictionBrakesAndHolds) {
  const std::string start = sim.folder.write("start.json", R"({"v": {"swing": 3}})");
  const Columns run =
      sim.record({rubbing, "--gravity", "0,0,0", "--start", start, "--duration", "1", "--quiet"});
  // 4 N m on the inertia
  DOUBLES_EQUAL(3 - 0.2 * 4 / kInertia, run.at("v.swing")[200], 1e-6);
  DOUBLES_EQUAL(-4, run.at("friction.swing")[200], 1e-9);
  DOUBLES_EQUAL(0, run.at("v.swing").back(), 0);
  DOUBLES_EQUAL(0, run.at("friction.swing").back(), 1e-9);
  const Columns held =
      sim.record({rubbing, "--gravity", "0,0,-0.3", "--quiet", "--contact-solver", "pivoting"});
  DOUBLES_EQUAL(0, held.at("q.swing").back(), 0);
  DOUBLES_EQUAL(-0.3 * 2 * kArm, held.at("friction.swing").back(), 1e-9);
  const Columns loose = sim.record({rubbing, "--gravity", "0,0,-0.3", "--friction", "none"});
  CHECK_TRUE(loose.at("q.swing").back() > 0.1);
}

TEST(SimBounds, ARecordHasColumnsForWhatActs) {
  sim.record({rubbing, "--duration", "0.01", "--quiet"});
  const std::string record = sim.folder.read("out.csv");
  STRCMP_EQUAL(
      "time [s],q.swing [rad],v.swing [rad/s],tau.swing [N m],limit.swing [N m],friction.swing "
      "[N m],energy [J],constraint_error.position [m or rad],constraint_error.velocity [m/s or "
      "rad/s]",
      record.substr(0, record.find('\n')).c_str());
  sim({rubbing, "--plot", sim.folder.path("f.svg"), "--columns", "friction.swing", "--quiet"});
  STRCMP_CONTAINS("friction.swing", sim.folder.read("f.svg").c_str());
}

TEST(SimBounds, ARestoredRunContinuesBitForBitWithAnySolver) {
  for (const std::string solver : {"pivoting", "gauss_seidel", "newton"}) {
    for (const char* robot : {stopped.c_str(), rubbing.c_str()}) {
      const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {robot, "--quiet", "--contact-solver", solver});
        return sim.last_state(more);
      };
      const std::string whole = with({"--duration", "1"});
      const std::string saved = sim.folder.write("half.json", with({"--duration", "0.5"}));
      STRCMP_EQUAL(whole.c_str(), with({"--restore", saved, "--duration", "0.5"}).c_str());
    }
  }
}
