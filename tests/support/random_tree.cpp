#include "support/random_tree.hpp"

#include <numbers>

namespace lockstep::test {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

std::array<double, 9> rows(const Matrix3d& R) {
  std::array<double, 9> result{};
  for (int i = 0; i < 9; ++i) result[static_cast<std::size_t>(i)] = R(i / 3, i % 3);
  return result;
}

int random_parent(Shape shape, int index, Random& random) {
  if (index == 0) return kWorld;
  switch (shape) {
    case Shape::kChain: return index - 1;
    case Shape::kStar: return 0;
    case Shape::kForest: return random.below(4) == 0 ? kWorld : random.below(index);
    case Shape::kRandom:
    case Shape::kSingle: break;
  }
  return random.below(index);
}

// A body on a one-axis joint may be massless if a child with mass makes that motion felt: a child
// that moves freely would not, and a massless child has nothing to feel with.
void drop_masses(std::vector<Body>& bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (dof_count(bodies[i].joint) != 1) continue;
    for (std::size_t k = i + 1; k < bodies.size(); ++k) {
      const bool feels = bodies[k].parent == static_cast<int>(i) && i % 2 == 0 && k % 2 == 1 &&
                         bodies[k].joint != JointType::kFloating;
      if (!feels) continue;
      bodies[i].mass = 0;
      bodies[i].h = {};
      bodies[i].inertia = {};
      break;
    }
  }
}

}  // namespace

std::string_view to_string(Shape shape) {
  switch (shape) {
    case Shape::kRandom: return "random";
    case Shape::kChain: return "chain";
    case Shape::kStar: return "star";
    case Shape::kForest: return "forest";
    case Shape::kSingle: return "single";
  }
  return "";
}

void make_box(Body& body, double mass, const Vector3d& edges, const Vector3d& centre,
              const Matrix3d& R_BC) {
  const Vector3d squares = edges.cwiseProduct(edges);
  const Vector3d principal = mass / 12 * (Vector3d::Constant(squares.sum()) - squares);
  const Matrix3d I =
      R_BC * principal.asDiagonal() * R_BC.transpose() +
      mass * (centre.squaredNorm() * Matrix3d::Identity() - centre * centre.transpose());
  const Vector3d h = mass * centre;
  body.mass = mass;
  body.h = {h[0], h[1], h[2]};
  body.inertia = {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)};
}

std::vector<Body> random_tree(const TreeOptions& options) {
  Random random(options.seed);
  std::vector<Body> bodies;
  const int count = options.shape == Shape::kSingle ? 1 : options.bodies;
  for (int i = 0; i < count; ++i) {
    Body body;
    body.parent = random_parent(options.shape, i, random);
    body.joint = options.only_turning ? JointType::kRevolute
                                      : static_cast<JointType>(random.below(kJointTypes));
    body.R_PJ = rows(random.rotation().toRotationMatrix());
    body.R_LB = rows(random.rotation().toRotationMatrix());
    const Vector3d p = random.vector(0.4);
    body.p_PJ = {p[0], p[1], p[2]};
    const double mass = random.uniform(0.3, 4);
    const Vector3d edges = random.vector(0.1) + Vector3d::Constant(0.2);
    const Vector3d centre = random.vector(0.15);
    make_box(body, mass, edges, centre, random.rotation().toRotationMatrix());
    body.damping = random.uniform(0, 0.5);
    bodies.push_back(body);
  }
  if (options.massless) drop_masses(bodies);
  return bodies;
}

host::DenseInput random_state(std::span<const Body> bodies, Random& random) {
  host::DenseInput in = host::rest(bodies);
  Eigen::Index end = 0;
  for (const Body& body : bodies) {
    const Eigen::Index count = config_count(body.joint);
    end += count;
    const bool turns = body.joint == JointType::kBall || body.joint == JointType::kFloating;
    const Eigen::Index plain = turns ? count - 4 : count;
    const double size = body.joint == JointType::kRevolute ? std::numbers::pi : 0.5;
    for (Eigen::Index k = 0; k < plain; ++k) in.q[end - count + k] = random.uniform(-size, size);
    if (turns) in.q.segment<4>(end - 4) = random.rotation().coeffs();
  }
  for (double& v : in.v) v = random.uniform(-2, 2);
  for (double& tau : in.tau) tau = random.uniform(-10, 10);
  for (double& wrench : in.external.reshaped()) wrench = random.uniform(-10, 10);
  in.gravity = random.vector(10);
  return in;
}

}  // namespace lockstep::test
