// The core against dense solves of Baraff's equations (8) and (7), in world coordinates, on random
// mechanisms of every shape with all joint types, dampers, efforts, external wrenches and gravity.
// Measured, double: at most 6e-14 from equation (8); 5e-13 between equations (7) and (8).
#include <CppUTest/TestHarness.h>

#include <functional>
#include <string>

#include "oracle/dense.hpp"
#include "support/answers.hpp"
#include "support/float_bound.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

namespace lockstep::test {

namespace {

using host::DenseEquation;
using host::DenseInput;
using host::DenseOutput;
using host::EvalScalar;
using host::solve_dense;

constexpr double kBound = 1e-11;

struct Sample {
  std::string name;
  std::vector<Body> bodies;
  DenseInput in;
};

// Many small mechanisms, few large ones: the oracle's time is cubic.
void each_sample(bool massless, int largest, const std::function<void(const Sample&)>& f) {
  for (const Shape shape : kShapes) {
    for (int bodies = 1; bodies <= largest; bodies *= 2) {
      if (shape == Shape::kSingle && bodies > 5) break;
      const int repeats = bodies <= 8 ? 6 : bodies <= 16 ? 2 : 1;
      for (int repeat = 0; repeat < repeats; ++repeat) {
        const auto seed = static_cast<std::uint64_t>(1000 * bodies + repeat);
        Sample sample;
        sample.bodies =
            random_tree({.shape = shape, .bodies = bodies, .seed = seed, .massless = massless});
        Random random(seed + 1);
        sample.in = random_state(sample.bodies, random);
        sample.name = std::string(to_string(shape)) + " of " + std::to_string(bodies) +
                      " bodies, seed " + std::to_string(seed);
        f(sample);
      }
    }
  }
}

void check_close(const DenseOutput& x, const DenseOutput& reference, double bound,
                 const std::string& where) {
  CHECK_AT_MOST(bound, relative_error(x.vdot, reference.vdot), (where + ": vdot").c_str());
  CHECK_AT_MOST(bound, relative_error(x.reaction, reference.reaction),
                (where + ": reaction").c_str());
}

}  // namespace

TEST_GROUP(Oracle){};

TEST(Oracle, BothEliminationsSolveEquationEightOnEveryShape) {
  each_sample(false, 64, [](const Sample& sample) {
    const DenseOutput reference = solve_dense(sample.bodies, sample.in);
    for (const auto& [name, method] : kCoreMethods) {
      check_close(answer(sample.bodies, sample.in, method), reference, kBound,
                  sample.name + ", " + name);
    }
  });
}

TEST(Oracle, EquationSevenGivesTheSameMultipliersAsEquationEight) {
  each_sample(false, 64, [](const Sample& sample) {
    check_close(solve_dense(sample.bodies, sample.in, DenseEquation::kMultipliers),
                solve_dense(sample.bodies, sample.in), kBound, sample.name);
  });
}

TEST(Oracle, MasslessBodiesInBetweenChangeNothing) {
  int massless = 0;
  each_sample(true, 32, [&](const Sample& sample) {
    for (const Body& body : sample.bodies) massless += body.mass == 0 ? 1 : 0;
    const DenseOutput reference = solve_dense(sample.bodies, sample.in);
    for (const auto& [name, method] : kCoreMethods) {
      check_close(answer(sample.bodies, sample.in, method), reference, kBound,
                  sample.name + ", massless, " + name);
    }
  });
  CHECK(massless > 50);
}

TEST(Oracle, FloatStaysWithinItsBound) {
  each_sample(false, 16, [](const Sample& sample) {
    const DenseOutput reference = solve_dense(sample.bodies, sample.in);
    const double condition = mass_condition(sample.bodies, sample.in);
    const Cancellation cancellation = cancellation_of(sample.bodies, sample.in, reference);
    for (const auto& [name, method] : kCoreMethods) {
      const DenseOutput x = answer(sample.bodies, sample.in, method, EvalScalar::kFloat);
      const double bound = float_bound(sample.bodies, condition, method);
      const std::string where = sample.name + ", float, " + name;
      CHECK_AT_MOST(bound * cancellation.vdot, relative_error(x.vdot, reference.vdot),
                    (where + ": vdot").c_str());
      CHECK_AT_MOST(bound * cancellation.reaction, relative_error(x.reaction, reference.reaction),
                    (where + ": reaction").c_str());
    }
  });
}

// The oracle must be able to disagree.
TEST(Oracle, ASlightlyDifferentRobotIsNotClose) {
  auto bodies = random_tree({.shape = Shape::kChain, .bodies = 4});
  Random random(3);
  const DenseInput in = random_state(bodies, random);
  const DenseOutput reference = solve_dense(bodies, in);
  bodies[2].mass *= 1.001;
  CHECK(relative_error(answer(bodies, in, host::EvalMethod::kNullSpace).vdot, reference.vdot) >
        1e-6);
}

}  // namespace lockstep::test
