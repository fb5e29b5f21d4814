#include "systems.hpp"

namespace lockstep::bench {

namespace {

struct Placed {
  Eigen::Vector3d p, v, w;
  Eigen::Quaterniond q;
};

// With its frame where the parent's is.
void hang(const maximal::ConstraintRecord& joint, const Placed& parent, Placed& child) {
  const Eigen::Vector3d r_A = parent.q * Eigen::Vector3d(joint.numbers.data() + 9);
  const Eigen::Vector3d r_B = child.q * Eigen::Vector3d(joint.numbers.data() + 21);
  child.p = parent.p + r_A - r_B;
  child.v = parent.v + parent.w.cross(r_A) - child.w.cross(r_B);
}

}  // namespace

template <class World>
Motion random_motion(const Records& records, unsigned seed) {
  test::Random random(seed);
  std::vector<Placed> placed;
  Motion motion;
  for (std::size_t i = 0; i < records.bodies.size(); ++i) {
    Placed body = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), random.vector(2),
                   random.rotation()};
    const double angle = random.uniform(-3, 3);
    if constexpr (World::kBody == 3) {
      body.q = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ());
      body.w.head<2>().setZero();
    }
    if (i > 0) {
      const auto& joint = records.joints[i - 1];
      hang(joint, placed[static_cast<std::size_t>(joint.a)], body);
    }
    placed.push_back(body);
    if constexpr (World::kBody == 3) {
      motion.x.insert(motion.x.end(), {body.p.x(), body.p.y(), angle});
      motion.v.insert(motion.v.end(), {body.v.x(), body.v.y(), body.w.z()});
    } else {
      motion.x.insert(motion.x.end(), body.p.begin(), body.p.end());
      motion.x.insert(motion.x.end(), body.q.coeffs().begin(), body.q.coeffs().end());
      motion.v.insert(motion.v.end(), body.v.begin(), body.v.end());
      motion.v.insert(motion.v.end(), body.w.begin(), body.w.end());
    }
  }
  return motion;
}

template Motion random_motion<Plane>(const Records&, unsigned);
template Motion random_motion<Space>(const Records&, unsigned);

}  // namespace lockstep::bench
