// Real robots against a peer's numbers, from the URDF to the wrenches: double within 1e-9, float
// within its derived bound (support/float_bound.hpp). Measured: double at most 1.6e-13, float at
// most 1.2e-5. The robots are also built from the numbers the peer printed, for the oracle alone.
#include <CppUTest/TestHarness.h>

#include "support/conformance.hpp"
#include "support/float_bound.hpp"
#include "support/tolerance.hpp"

namespace lockstep::test {

TEST_GROUP(Conformance){};

TEST(Conformance, EveryRobotAgreesInDouble) {
  for (const ConformanceCase& robot : conformance_cases()) {
    check_tree(robot, host::EvalScalar::kDouble, [](const auto&...) {
      return AnswerBound{1e-9, 1e-9};
    });
  }
}

TEST(Conformance, EveryRobotStaysWithinTheBoundOfFloat) {
  for (const ConformanceCase& robot : conformance_cases()) {
    check_tree(robot, host::EvalScalar::kFloat,
               [](const host::Tree& tree, const host::State&, double condition, auto method) {
                 const double bound = float_bound(tree.bodies, condition, method);
                 return AnswerBound{bound, bound};
               });
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
