#include "sim/maximal_picture.hpp"

#include "mechanism/coupling.hpp"
#include "mechanism/state.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host::sim {

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
    picture.balls.push_back(
        {place(collider.body, contact::to_collider<double>(collider, {}).X_BS), collider.radius});
  }
  return picture;
}

}  // namespace lockstep::host::sim
