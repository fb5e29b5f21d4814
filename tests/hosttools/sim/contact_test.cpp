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

// A box that slides on rough ground, at 45 degrees to the axes, by both solvers.
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
    std::vector<std::string> ends;
    for (const char* solver : {"pivoting", "gauss_seidel"}) {
      const std::vector<std::string> arguments = {
          file, "--quiet", "--stepper", stepper, "--duration", "1", "--contact-solver", solver};
      const Columns run = sim.record(arguments);
      const double way = std::hypot(run.at("x.box.x").back(), run.at("x.box.y").back());
      DOUBLES_EQUAL(0.8045, way, 5e-3);
      const std::string summary = sim(arguments);
      ends.push_back(summary.substr(summary.find("hash")));
    }
    CHECK(ends[0] != ends[1]);
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
  STRCMP_CONTAINS("joint coordinates",
                  sim.complaint({mechanism("box_stack"), "--contact-solver", "newton"}).c_str());
}
