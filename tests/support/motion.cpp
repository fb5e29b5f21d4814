#include "support/motion.hpp"

namespace lockstep::test {

namespace {

bool has_quaternion(JointType joint) {
  return joint == JointType::kBall || joint == JointType::kFloating;
}

}  // namespace

Eigen::VectorXd config_rate(std::span<const Body> bodies, const Eigen::VectorXd& q,
                            const Eigen::VectorXd& v) {
  Eigen::VectorXd rate(q.size());
  Eigen::Index at_q = 0, at_v = 0;
  for (const Body& body : bodies) {
    const Eigen::Index end = at_q + config_count(body.joint);
    const host::Vector6d twist = host::spread(body.joint, v.segment(at_v, dof_count(body.joint)));
    if (has_quaternion(body.joint)) {
      const Eigen::Quaterniond turn(q[end - 1], q[end - 4], q[end - 3], q[end - 2]);
      const Eigen::Quaterniond spin(0, twist[3], twist[4], twist[5]);
      rate.segment<4>(end - 4) = 0.5 * (turn * spin).coeffs();
      if (body.joint == JointType::kFloating) rate.segment<3>(at_q) = turn * twist.head<3>();
    } else if (body.joint == JointType::kPlanar) {
      const Eigen::Rotation2Dd turn(q[at_q + 2]);
      rate.segment<2>(at_q) = turn * twist.head<2>();
      rate[at_q + 2] = twist[5];
    } else {
      rate[at_q] = v[at_v];
    }
    at_q = end;
    at_v += dof_count(body.joint);
  }
  return rate;
}

Eigen::VectorXd normalized(std::span<const Body> bodies, Eigen::VectorXd q) {
  Eigen::Index end = 0;
  for (const Body& body : bodies) {
    end += config_count(body.joint);
    if (has_quaternion(body.joint)) q.segment<4>(end - 4).normalize();
  }
  return q;
}

}  // namespace lockstep::test
