#include "mechanism/energy.hpp"

#include "mechanism/state.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host {

namespace {

// p and the angular momentum about the centre of mass: M v along the linear and angular velocities.
template <class B>
void add_momentum(const Eigen::Vector3d& centre, const Eigen::VectorXd& Mv, Mechanics& sum) {
  Eigen::Vector3d p = Eigen::Vector3d::Zero(), spin = Eigen::Vector3d::Zero();
  if constexpr (std::is_same_v<B, maximal::PlanarBody<double>>) {
    p << Mv[0], Mv[1], 0;
    spin << 0, 0, Mv[2];
  } else {
    p = Mv.head<3>();
    if constexpr (B::kDimension >= 6) spin = Mv.segment<3>(3);
  }
  sum.momentum += p;
  sum.angular_momentum += centre.cross(p) + spin;
}

}  // namespace

Mechanics mechanics(const Mechanism& mechanism, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                    const Eigen::Vector3d& gravity) {
  Mechanics sum;
  Eigen::Index at_x = 0, at_v = 0;
  for (const maximal::BodyRecord& record : mechanism.bodies) {
    visit_body(record, [&]<class B>(const B& body, std::size_t pose_size, std::size_t size) {
      const auto pose = maximal::load<typename B::Pose>(x.data() + at_x);
      const auto M = body.mass_matrix(pose);
      const Eigen::VectorXd own = v.segment(at_v, B::kDimension);
      Eigen::VectorXd Mv = Eigen::VectorXd::Zero(B::kDimension);
      for (int i = 0; i < B::kDimension; ++i) {
        for (int j = 0; j < B::kDimension; ++j) {
          Mv[i] += M[at(i)][at(j)] * own[j];
        }
      }
      const Eigen::Vector3d centre = to_eigen(body.kinematics(pose, {}, kOrigin).frame.p);
      sum.kinetic += 0.5 * own.dot(Mv);
      sum.potential -= body.mass * gravity.dot(centre);
      sum.scale += body.mass * gravity.norm() * centre.norm();
      add_momentum<B>(centre, Mv, sum);
      at_x += static_cast<Eigen::Index>(pose_size);
      at_v += static_cast<Eigen::Index>(size);
    });
  }
  return sum;
}

std::string busiest_body(const Mechanism& mechanism, const Eigen::VectorXd& x,
                         const Eigen::VectorXd& v) {
  double most = -1;
  std::string name;
  const Offsets offsets(mechanism);
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const auto begin = static_cast<Eigen::Index>(offsets.velocity[i]);
    const auto size = static_cast<Eigen::Index>(offsets.velocity[i + 1]) - begin;
    Eigen::VectorXd alone = Eigen::VectorXd::Zero(v.size());
    alone.segment(begin, size) = v.segment(begin, size);
    const double kinetic = mechanics(mechanism, x, alone, Eigen::Vector3d::Zero()).kinetic;
    if (!(kinetic > most)) continue;
    most = kinetic;
    name = mechanism.body_names[i];
  }
  return "body " + quote(name) + " (" + brief(most) + " J)";
}

}  // namespace lockstep::host
