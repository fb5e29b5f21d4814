#include "sim/maximal_picture.hpp"

#include <cmath>
#include <numbers>

#include "mechanism/coupling.hpp"
#include "mechanism/state.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host::sim {

namespace {

constexpr int kRimCorners = 24;  // of a cylinder that is drawn

// A shape at a place in the world; of a set of points its radius around the middle.
void add_shape(const contact::ColliderRecord& shape, const Placement<double>& X_WS,
               Picture& picture) {
  const Eigen::Vector3d p = to_eigen(X_WS.p);
  Eigen::Matrix3d R;
  R << to_eigen(X_WS.R.x), to_eigen(X_WS.R.y), to_eigen(X_WS.R.z);
  std::vector<Eigen::Vector2d> outline;
  switch (shape.type) {
    case contact::ShapeType::kBox:
      outline = {{-shape.half[0], -shape.half[1]},
                 {shape.half[0], -shape.half[1]},
                 {shape.half[0], shape.half[1]},
                 {-shape.half[0], shape.half[1]}};
      break;
    case contact::ShapeType::kCylinder:
      for (int i = 0; i < kRimCorners; ++i) {
        const double angle = 2 * std::numbers::pi * i / kRimCorners;
        outline.emplace_back(shape.radius * std::cos(angle), shape.radius * std::sin(angle));
      }
      break;
    case contact::ShapeType::kCapsule:
      picture.rods.push_back(
          {p - shape.half[2] * R.col(2), p + shape.half[2] * R.col(2), shape.radius});
      return;
    case contact::ShapeType::kSphere:
    case contact::ShapeType::kPoints: picture.balls.push_back({p, shape.radius}); return;
  }
  for (Picture::Face& face : prism(R, p, outline, shape.half[2])) {
    picture.faces.push_back(std::move(face));
  }
}

}  // namespace

Picture picture_of(const Mechanism& mechanism, const Eigen::VectorXd& x) {
  Mechanism moved = mechanism;
  moved.x0.assign(x.begin(), x.end());
  const Offsets offsets(moved);
  const auto place = [&](int body, const Placement<double>& X) {
    return to_eigen(hold(moved, offsets, body, X).frame.p);
  };
  Picture picture = {.title = mechanism.name, .lines = {}, .balls = {}};
  const auto line = [&](const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
    if (from != to) picture.lines.push_back({from, to});
  };
  for (const maximal::ConstraintRecord& record : moved.constraints) {
    if (is_coupling(record)) continue;
    const constraint::AnyConstraint<double> own(record);
    const Eigen::Vector3d a = place(record.a, own.X_A), b = place(record.b, own.X_B);
    if (record.a != kWorld) line(place(record.a, kOrigin), a);
    line(a, b);
    if (record.b != kWorld) line(b, place(record.b, kOrigin));
  }
  for (const contact::ColliderRecord& collider : moved.colliders) {
    const maximal::BodyRecord& body = moved.bodies[at(collider.body)];
    if (body.type == static_cast<int>(maximal::BodyType::kParticle)) continue;
    const Placement<double> X_BS = contact::to_collider<double>(collider, {}).X_BS;
    const auto frame = hold(moved, offsets, collider.body, X_BS).frame;
    add_shape(collider, {frame.R, frame.p}, picture);
  }
  return picture;
}

}  // namespace lockstep::host::sim
