// Real robots against a peer's numbers, from the URDF to the wrenches: double within 1e-9, float
// within its derived bound (support/float_bound.hpp). Measured: double at most 1.6e-13, float at
// most 1.2e-5. The robots are also built from the numbers the peer printed, for the oracle alone.
#include <CppUTest/TestHarness.h>

#include "eval/states.hpp"
#include "model/load.hpp"
#include "support/answers.hpp"
#include "support/conformance.hpp"
#include "support/float_bound.hpp"
#include "support/tolerance.hpp"

namespace lockstep::test {

namespace {

using host::EvalScalar;
using host::State;

constexpr double kDoubleBound = 1e-9;

// As the reference was computed: mimic joints independent, no damping.
host::Tree load(const ConformanceCase& robot) {
  host::LoadOptions options;
  options.file = robot.urdf;
  options.quiet = true;
  options.read.ignore_mimic = true;
  options.reduce.ignore_mimic = true;
  options.reduce.ignore_damping = true;
  options.reduce.base = robot.base == "fixed" ? host::ReduceOptions::Base::kFixed
                                              : host::ReduceOptions::Base::kFloating;
  return host::load_tree(options);
}

void check_answer(const State& state, const host::DenseOutput& x, double bound,
                  const std::string& where) {
  CHECK_AT_MOST(bound, relative_error(x.vdot, state.vdot.value()), (where + ": qdd").c_str());
  CHECK_AT_MOST(bound, relative_error(x.reaction, state.reaction.value()),
                (where + ": reaction").c_str());
}

}  // namespace

TEST_GROUP(Conformance){};

TEST(Conformance, EveryRobotAgreesInDouble) {
  for (const ConformanceCase& robot : conformance_cases()) {
    const host::Tree tree = load(robot);
    const host::StatesFile states(robot.states_file, tree);
    for (const auto& [name, method] : kCoreMethods) {
      const host::Engine engine = host::make_engine(tree, EvalScalar::kDouble, method);
      for (std::size_t i = 0; i < states.size(); ++i) {
        const State state = states.state(i);
        check_answer(state, engine(state.in), kDoubleBound, states.where(i) + ", " + name);
      }
    }
  }
}

TEST(Conformance, EveryRobotStaysWithinTheBoundOfFloat) {
  for (const ConformanceCase& robot : conformance_cases()) {
    const host::Tree tree = load(robot);
    const host::StatesFile states(robot.states_file, tree);
    const auto json = read_json(robot.states_file);
    for (const auto& [name, method] : kCoreMethods) {
      const host::Engine engine = host::make_engine(tree, EvalScalar::kFloat, method);
      for (std::size_t i = 0; i < states.size(); ++i) {
        const State state = states.state(i);
        const double condition = condition_of(json.at("states").at(i));
        check_answer(state, engine(state.in), float_bound(tree.bodies, condition, method),
                     states.where(i) + ", float, " + name);
      }
    }
  }
}

// the oracle knows nothing of URDF readers and body frames here
TEST(Conformance, DenseOracleAgreesWithThePeerOnThePeersOwnNumbers) {
  for (const ConformanceCase& robot : conformance_cases()) {
    const auto json = read_json(robot.states_file);
    const std::vector<Body> bodies = bodies_of(json);
    const auto states = states_of(json, bodies);
    for (std::size_t i = 0; i < states.size(); i += 5) {
      const auto out = host::solve_dense(bodies, states[i].in);
      const std::string where = robot.name + ", state " + std::to_string(i);
      CHECK_AT_MOST(1e-11, relative_error(out.vdot, states[i].reference.vdot), where.c_str());
      CHECK_AT_MOST(1e-11, relative_error(out.reaction, states[i].reference.reaction),
                    where.c_str());
    }
  }
}

}  // namespace lockstep::test
