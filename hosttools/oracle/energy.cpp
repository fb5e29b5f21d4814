#include "oracle/energy.hpp"

#include <cmath>

namespace lockstep::host {

double spring_energy(std::span<const Body> bodies, const Eigen::VectorXd& q) {
  double sum = 0;
  Eigen::Index at_q = 0;
  for (const Body& body : bodies) {
    if (body.stiffness != 0) sum += 0.5 * body.stiffness * std::pow(q[at_q] - body.rest, 2);
    at_q += config_count(body.joint);
  }
  return sum;
}

double armature_energy(std::span<const Body> bodies, const Eigen::VectorXd& v) {
  double sum = 0;
  Eigen::Index at_v = 0;
  for (const Body& body : bodies) {
    const Eigen::Index n = dof_count(body.joint);
    if (body.armature != 0) sum += 0.5 * body.armature * v.segment(at_v, n).squaredNorm();
    at_v += n;
  }
  return sum;
}

Mechanics mechanics(std::span<const Body> bodies, const DenseInput& state) {
  using Eigen::Vector3d;
  const auto placed = place_in_world(bodies, state.q, state.v);
  Mechanics sum;
  sum.potential = spring_energy(bodies, state.q);
  sum.scale = sum.potential;
  sum.kinetic = armature_energy(bodies, state.v);
  Eigen::Index at_v = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const WorldBody& body = placed[i];
    const Vector3d momentum = body.mass * body.velocity;
    const Vector3d spin = body.inertia * body.omega;
    sum.kinetic += 0.5 * (momentum.dot(body.velocity) + spin.dot(body.omega));
    sum.potential -= body.mass * state.gravity.dot(body.com);
    sum.scale += body.mass * state.gravity.norm() * body.com.norm();
    sum.momentum += momentum;
    sum.angular_momentum += spin + body.com.cross(momentum);

    const auto column = state.external.col(static_cast<Eigen::Index>(i));
    const Eigen::Matrix3d R_WL = link_axes(bodies[i], body);
    sum.power += (R_WL * column.head<3>()).dot(velocity_at(body, body.origin)) +
                 (R_WL * column.tail<3>()).dot(body.omega);
    const Eigen::Index n = dof_count(bodies[i].joint);
    const auto v = state.v.segment(at_v, n);
    sum.power += (state.tau.segment(at_v, n) - bodies[i].damping * v).dot(v);
    at_v += n;
  }
  return sum;
}

}  // namespace lockstep::host
