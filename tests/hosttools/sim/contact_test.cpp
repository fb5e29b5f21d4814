// lockstep sim where bodies touch, as a user runs it.
#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cmath>

#include "hosttools/sim/sim_run.hpp"
#include "support/long_test.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::string mechanism(const std::string& name) {
  return LOCKSTEP_MODELS_DIR "/mechanisms/" + name + ".xml";
}

}  // namespace

TEST_GROUP(SimContact) {
  SimRun sim;

  Columns simulate(const std::string& model, const std::string& stepper, const char* seconds) {
    return sim.record({model, "--quiet", "--stepper", stepper, "--duration", seconds});
  }
};

TEST(SimContact, BallBouncesAsItsFileSays) {
  for (const char* stepper : {"lagrange", "impulse"}) {
    const Columns columns = simulate(mechanism("bouncing_ball"), stepper, "5");
    const std::vector<double>& z = columns.at("x.ball.z");
    const auto highest = [&](std::size_t from, std::size_t to) {
      const auto begin = z.begin() + static_cast<std::ptrdiff_t>(from);
      return *std::max_element(begin, z.begin() + static_cast<std::ptrdiff_t>(to)) - 0.1;
    };
    DOUBLES_EQUAL(0.64, highest(500, 1100), 0.01);
    DOUBLES_EQUAL(0.4096, highest(1200, 1700), 0.01);
    DOUBLES_EQUAL(0.1, z.back(), 1e-3);
    DOUBLES_EQUAL(4.905, columns.at("contact.ball.z").back(), 1e-3);
  }
}

LONG_TEST(SimContact, ChainLandsAndIsBorne) {
  for (const char* stepper : {"lagrange", "impulse"}) {
    const Columns columns = simulate(mechanism("falling_chain"), stepper, "1.5");
    double force = 0;
    for (int i = 1; i <= 5; ++i) {
      force += columns.at("contact.rod_" + std::to_string(i) + ".z").back();
    }
    DOUBLES_EQUAL(58.86, force, 0.01);
    DOUBLES_EQUAL(2.943, columns.at("energy").back(), 0.01);
  }
}

TEST(SimContact, LimitHoldsADoor) {
  const std::string door = sim.folder.write("door.xml", R"(<mechanism name="door">
    <gravity xyz="0 -10 0"/>
    <body name="leaf" type="rigid">
      <mass value="2"/>
      <inertia ixx="0.3" iyy="0.2" izz="0.1"/>
      <origin xyz="0.4 0 0"/>
    </body>
    <constraint name="hinge" type="revolute">
      <a/><b body="leaf"/>
      <at xyz="0 0 0"/>
      <limit lower="-0.5"/>
    </constraint>
  </mechanism>)");
  for (const char* stepper : {"lagrange", "impulse"}) {
    const Columns columns = simulate(door, stepper, "2");
    DOUBLES_EQUAL(-0.4 * std::sin(0.5), columns.at("x.leaf.y").back(), 1e-4);
    DOUBLES_EQUAL(2 * 10 * 0.4 * std::cos(0.5), columns.at("limit.hinge").back(), 1e-3);
  }
}

// Runge-Kutta flies, Euler lands: a ball comes to rest on its floor.
TEST(SimContact, RungeKuttaBetweenContacts) {
  const Columns ball = sim.record({mechanism("bouncing_ball"), "--quiet", "--integrator", "rk4",
                                   "--duration", "5", "--every", "50"});
  DOUBLES_EQUAL(0.4905, ball.at("energy").back(), 1e-3);
}

// A box that slides on rough ground, at 45 degrees to the axes, by each solver.
TEST(SimContact, TheChosenSolverActsOnMechanisms) {
  const std::string file = sim.folder.write("sliding.xml", R"(<mechanism name="sliding">
    <gravity xyz="3.97871 3.97871 -8.03588"/>
    <ground friction="0.5"/>
    <body name="box" type="rigid">
      <mass value="2"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.01"/>
      <origin xyz="0 0 0.05"/>
      <collision friction="0.5"><geometry><box size="0.2 0.2 0.1"/></geometry></collision>
    </body>
  </mechanism>)");
  for (const char* stepper : {"lagrange", "impulse"}) {
    std::vector<std::string> solvers = {"pivoting", "gauss_seidel"}, ends;
    if (std::string(stepper) == "lagrange") solvers.push_back("newton");
    for (const std::string& solver : solvers) {
      const std::vector<std::string> arguments = {
          file, "--quiet", "--stepper", stepper, "--duration", "1", "--contact-solver", solver};
      const Columns run = sim.record(arguments);
      const double way = std::hypot(run.at("x.box.x").back(), run.at("x.box.y").back());
      DOUBLES_EQUAL(0.8045, way, 5e-3);
      const std::string summary = sim(arguments);
      ends.push_back(summary.substr(summary.find("hash")));
    }
    std::ranges::sort(ends);
    CHECK(std::ranges::adjacent_find(ends) == ends.end());
  }
}

TEST(SimContact, ASolverThatWouldNotActIsRefused) {
  const auto refused = [&](const char* why, std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--contact-solver", "gauss_seidel"});
    const std::string complaint = sim.complaint(arguments);
    STRCMP_CONTAINS(why, complaint.c_str());
    STRCMP_CONTAINS("--contact-solver", complaint.c_str());
  };
  refused("nothing touches", {mechanism("gyroscope")});
  refused("its own way", {mechanism("box_stack"), "--stepper", "impulse", "--method", "parts"});
  refused("--save", {mechanism("box_stack"), "--save", sim.folder.path("state.json")});
  for (std::vector<std::string> arguments : std::vector<std::vector<std::string>>{
           {mechanism("falling_chain")}, {mechanism("box_stack"), "--stepper", "impulse"}}) {
    arguments.insert(arguments.end(), {"--contact-solver", "newton"});
    STRCMP_CONTAINS("nothing ties together", sim.complaint(arguments).c_str());
  }
}

// Each bears the weight of itself and all above (the file's table), and is where it was.
TEST(SimContact, FreeBodiesStandByNewtonsMethod) {
  const std::vector<std::string> arguments = {mechanism("box_stack"), "--duration", "2"};
  STRCMP_CONTAINS("by newton, all solved", sim(arguments).c_str());
  for (const char* scalar : {"double", "float"}) {
    std::vector<std::string> more = arguments;
    more.insert(more.end(), {"--scalar", scalar, "--quiet", "--every", "500"});
    const Columns run = sim.record(more);
    for (int i = 1; i <= 5; ++i) {
      const std::string box = "box_" + std::to_string(i);
      DOUBLES_EQUAL(i * 9.81, run.at("contact." + box + ".z").back(), 0.01);
      DOUBLES_EQUAL(0, run.at("contact." + box + ".wx").back(), 0.01);
      DOUBLES_EQUAL(0.2 * i - 0.1, run.at("x." + box + ".z").back(), 1e-4);
      DOUBLES_EQUAL(0, run.at("x." + box + ".x").back(), 1e-5);
    }
  }
}

// Two that stand on three balls, so that every force is determined, slide and turn on a slope and
// on each other, pushed by a force and a moment that are constant in the world.
TEST(SimContact, FreeBodiesSlideAsByPivoting) {
  const std::string file = sim.folder.write("tripods.xml", R"(<mechanism name="tripods">
  <ground normal="0.28 0 0.96" friction="0.3"/>
  <body name="low" type="rigid">
    <mass value="2"/><inertia ixx="0.01" iyy="0.02" izz="0.025"/>
    <origin xyz="0.014 0 0.048" rpy="0 0.28379411 0"/>
    <velocity linear="0.48 0.3 -0.14" angular="0.56 0 1.92"/>
    <collision friction="0.3"><origin xyz="0.2 0 -0.03"/><geometry><sphere radius="0.02"/></geometry></collision>
    <collision friction="0.3"><origin xyz="-0.1 0.15 -0.03"/><geometry><sphere radius="0.02"/></geometry></collision>
    <collision friction="0.3"><origin xyz="-0.1 -0.15 -0.03"/><geometry><sphere radius="0.02"/></geometry></collision>
    <collision friction="0.3"><geometry><box size="0.4 0.3 0.02"/></geometry></collision>
    <force xyz="-2 1 0"/>
  </body>
  <body name="high" type="rigid">
    <mass value="1"/><inertia ixx="0.004" iyy="0.005" izz="0.003"/>
    <origin xyz="0.0308 0 0.1056" rpy="0 0.28379411 0"/>
    <velocity linear="0.48 0.3 -0.14" angular="-0.84 0 -2.88"/>
    <collision friction="0.2"><origin xyz="0.06 0 -0.03"/><geometry><sphere radius="0.02"/></geometry></collision>
    <collision friction="0.2"><origin xyz="-0.04 0.05 -0.03"/><geometry><sphere radius="0.02"/></geometry></collision>
    <collision friction="0.2"><origin xyz="-0.04 -0.05 -0.03"/><geometry><sphere radius="0.02"/></geometry></collision>
    <force xyz="0.5 -0.3 0.2"/><moment xyz="0.01 0.02 -0.01"/>
  </body>
</mechanism>)");
  const auto run = [&](const char* solver) {
    return sim.record({file, "--quiet", "--dt", "0.0005", "--duration", "0.3", "--every", "50",
                       "--contact-solver", solver});
  };
  const Columns newton = run("newton"), pivoting = run("pivoting");
  for (const auto& [name, values] : newton) {
    const bool place = name.starts_with("x."), force = name.ends_with(".z") && !place;
    if (!place && !(force && name.starts_with("contact."))) continue;
    for (std::size_t i = 0; i < values.size(); ++i) {
      DOUBLES_EQUAL(pivoting.at(name)[i], values[i], place ? 2e-4 : 0.03);
    }
  }
  CHECK(newton.at("x.high.x").back() > newton.at("x.high.x").front() + 0.2);
  CHECK(newton.at("x.high.qz").back() < newton.at("x.high.qz").front() - 0.1);
  CHECK(newton.at("contact.high.z").back() > 9);
}

TEST(SimContact, FreeBodiesFlyAsTheirMechanismDoes) {
  const std::string file = sim.folder.write("flying.xml", R"(<mechanism name="flying">
    <body name="box" type="rigid">
      <mass value="1"/><inertia ixx="0.004" iyy="0.006" izz="0.003"/>
      <origin xyz="0 0 1"/><velocity angular="7 0.1 0" linear="1 0 2"/>
      <collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>
    </body>
  </mechanism>)");
  const auto end = [&](const char* solver) {
    return sim.last_state({file, "--quiet", "--duration", "0.4", "--contact-solver", solver});
  };
  STRCMP_EQUAL(end("pivoting").c_str(), end("newton").c_str());
}

TEST(SimContact, ASavedStackGoesOnWithTheSameBits) {
  const auto end = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {mechanism("box_stack"), "--quiet"});
    return sim.last_state(arguments);
  };
  const std::string whole = end({"--duration", "0.2"});
  const std::string half = sim.folder.write("half.json", end({"--duration", "0.1"}));
  STRCMP_EQUAL(whole.c_str(), end({"--duration", "0.1", "--restore", half}).c_str());
  STRCMP_CONTAINS("\"forces\"", whole.c_str());
}
