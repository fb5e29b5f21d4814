#include "model/colliders.hpp"

#include "lockstep/contact/model_colliders.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host {

namespace {

contact::ColliderRecord record_of(const CollisionDescription& shape, const NamedFrame& link) {
  const Placement<double> X_BS = to_placement(link.R_BF, link.p_BF) *
                                 Placement<double>{to_mat(shape.R_LS), to_vec(shape.p_LS)};
  return {.body = link.body,
          .type = shape.type,
          .half = to_array(to_vec(shape.half)),
          .radius = shape.radius,
          .R_BS = to_rows(X_BS.R),
          .p_BS = to_array(X_BS.p),
          .count = static_cast<int>(shape.points.size()),
          .friction = shape.friction + 0.0,
          .restitution = shape.restitution + 0.0};
}

}  // namespace

void add_colliders(const Description& robot, Tree& tree) {
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    for (const CollisionDescription& shape : robot.links[i].collisions) {
      contact::ColliderRecord record = record_of(shape, tree.frames[i]);
      if (contact::to_collider<double>(record, shape.points).check() != Status::kOk) {
        throw Error(robot.file + ": link " + quote(robot.links[i].name) +
                    ": the <collision> in line " + std::to_string(shape.line) +
                    " has no finite size and place; look for huge lengths");
      }
      if (record.count > 0) record.first = static_cast<int>(tree.collider_points.size());
      tree.colliders.push_back(record);
      tree.collider_names.push_back(shape.name.empty() ? robot.links[i].name : shape.name);
      for (const Vec3<double>& p : shape.points) tree.collider_points.push_back(to_array(p));
    }
  }
}

}  // namespace lockstep::host
