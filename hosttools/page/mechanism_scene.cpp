#include <cmath>
#include <limits>

#include "page/scene.hpp"
#include "page/scene_draft.hpp"
#include "robot/maximal_columns.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host {

namespace {

using contact::ShapeType;

constexpr double kParticle = 0.015;  // radius of a point, of the size of all
constexpr std::array<double, 9> kUnturned = {1, 0, 0, 0, 1, 0, 0, 0, 1};

const char* name_of(maximal::BodyType type) {
  switch (type) {
    case maximal::BodyType::kParticle: return "particle";
    case maximal::BodyType::kPlanar: return "planar";
    case maximal::BodyType::kRigid: break;
    case maximal::BodyType::kScaling: return "scaling";
    case maximal::BodyType::kStretching: return "stretching";
  }
  return "floating";
}

}  // namespace

std::string scene_of(const Mechanism& mechanism, std::span<const RecordColumn> columns) {
  SceneDraft scene;
  const auto own = body_columns(mechanism);
  std::vector<std::size_t> sizes;
  for (const maximal::BodyRecord& body : mechanism.bodies) sizes.push_back(pose_size(body));
  const auto begins = find_coordinates(own, sizes, 'x', columns);
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const maximal::BodyRecord& body = mechanism.bodies[i];
    const auto type = static_cast<maximal::BodyType>(body.type);
    scene.bodies.push_back({{"name", mechanism.body_names[i]},
                            {"joint", mechanism.body_names[i]},
                            {"parent", kWorld},
                            {"type", name_of(type)},
                            {"R", kUnturned},
                            {"p", std::array<double, 3>()},
                            {"turn", kUnturned},
                            {"q", begins[i]},
                            {"reference", kNone},
                            {"mass", body.numbers[0]},
                            {"com", std::array<double, 3>()}});
    scene.weight += kGravity * body.numbers[0];
  }
  for (const maximal::ConstraintRecord& constraint : mechanism.constraints) {
    scene.add_constraint(constraint);
  }
  // how large it all is, for points that have no size of their own
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Eigen::Vector3d low = Eigen::Vector3d::Constant(kInfinity), high = -low;
  std::size_t x = 0;
  for (const maximal::BodyRecord& body : mechanism.bodies) {
    const bool planar = body.type == static_cast<int>(maximal::BodyType::kPlanar);
    const Eigen::Vector3d p(mechanism.x0[x], mechanism.x0[x + 1], planar ? 0 : mechanism.x0[x + 2]);
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
    x += pose_size(body);
  }
  const double size = mechanism.bodies.empty() ? 1 : (high - low).norm();
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const std::array<double, maximal::kMaxBodyNumbers>& n = mechanism.bodies[i].numbers;
    const int number = static_cast<int>(i);
    switch (static_cast<maximal::BodyType>(mechanism.bodies[i].type)) {
      case maximal::BodyType::kParticle:
        scene.shapes.push_back(shape_of(number, "inertia",
                                        {ShapeType::kSphere, {}, kParticle * (size > 0 ? size : 1)},
                                        kOrigin));
        break;
      case maximal::BodyType::kPlanar: {  // the disc of its moment of inertia
        const double radius = std::sqrt(2 * n[1] / n[0]);
        scene.shapes.push_back(shape_of(
            number, "inertia", {ShapeType::kCylinder, {0, 0, 0.05 * radius}, radius}, kOrigin));
        break;
      }
      default: scene.add_inertia_box(number, n[0], {}, {n[1], n[2], n[3], n[4], n[5], n[6]});
    }
  }
  scene.add_colliders(mechanism.colliders, {});
  if (mechanism.ground != maximal::kNoGround) {
    scene.ground = {{"normal", mechanism.ground.normal}, {"offset", mechanism.ground.offset}};
  }
  return scene.text("mechanism");
}

}  // namespace lockstep::host
