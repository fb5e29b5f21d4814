// Random mechanisms and states for the tests: joints of all types, frames in general position,
// inertias of real boxes. The same seed gives the same robot everywhere.
#pragma once

#include <string_view>
#include <vector>

#include "lockstep/model.hpp"
#include "oracle/world.hpp"
#include "support/random.hpp"

namespace lockstep::test {

enum class Shape {
  kRandom,  // every body hangs on any earlier one
  kChain,   // every body hangs on the one before
  kStar,    // every body hangs on the first
  kForest,  // like kRandom, but about one body in four hangs on the world
  kSingle,  // one body
};
inline constexpr Shape kShapes[] = {Shape::kRandom, Shape::kChain, Shape::kStar, Shape::kForest,
                                    Shape::kSingle};
std::string_view to_string(Shape shape);

struct TreeOptions {
  Shape shape = Shape::kRandom;
  int bodies = 8;
  std::uint64_t seed = 1;
  bool massless = false;      // takes the mass from bodies whose children can bear it
  bool only_turning = false;  // revolute joints alone: one kind of node, for counting operations
};

std::vector<Body> random_tree(const TreeOptions& options);

// Joints anywhere, every input at work: velocities, efforts, external wrenches, a slanted gravity.
host::DenseInput random_state(std::span<const Body> bodies, Random& random);

// Sets a body's mass properties: a box with these edges, its centre and axes in B.
void make_box(Body& body, double mass, const Eigen::Vector3d& edges, const Eigen::Vector3d& centre,
              const Eigen::Matrix3d& R_BC = Eigen::Matrix3d::Identity());

}  // namespace lockstep::test
