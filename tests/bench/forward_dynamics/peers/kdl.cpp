// Orocos KDL: chains only, by the recursive Newton-Euler algorithm and a dense factorization.
#include <kdl/chain.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>

#include "candidate.hpp"
#include "central_inertia.hpp"

namespace lockstep::bench {

namespace {

KDL::Chain chain_of(std::span<const Body> bodies) {
  KDL::Chain chain;
  for (const Body& body : bodies) {
    const auto& R = body.R_PJ;
    const auto& p = body.p_PJ;
    const KDL::Frame X(KDL::Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]),
                       KDL::Vector(p[0], p[1], p[2]));
    const auto type =
        body.joint == JointType::kRevolute ? KDL::Joint::RotAxis : KDL::Joint::TransAxis;
    const auto [mass, com, I] = central_inertia(body);
    const KDL::RigidBodyInertia inertia(mass, KDL::Vector(com[0], com[1], com[2]),
                                        KDL::RotationalInertia(I[0], I[3], I[5], I[1], I[2], I[4]));
    chain.addSegment(KDL::Segment(KDL::Joint(X.p, X.M.UnitZ(), type), X, inertia));
  }
  return chain;
}

class Kdl : public Candidate {
 public:
  explicit Kdl(std::span<const Body> bodies)
      : chain_(chain_of(bodies)),
        solver_(chain_, KDL::Vector(0, 0, kGravity)),
        external_(bodies.size(), KDL::Wrench::Zero()) {}

  void set(const State& state) override {
    for (unsigned i = 0; i < chain_.getNrOfJoints(); ++i) {
      q_(i) = state.q[i], v_(i) = state.v[i], tau_(i) = state.tau[i];
    }
  }

  void run(int times) override {
    for (int i = 0; i < times; ++i) solver_.CartToJnt(q_, v_, tau_, external_, vdot_);
  }

  std::vector<double> vdot() const override {
    return {vdot_.data.data(), vdot_.data.data() + vdot_.data.size()};
  }

 private:
  KDL::Chain chain_;
  KDL::ChainFdSolver_RNE solver_;
  KDL::Wrenches external_;
  const unsigned joints_ = chain_.getNrOfJoints();
  KDL::JntArray q_{joints_}, v_{joints_}, tau_{joints_}, vdot_{joints_};
};

}  // namespace

[[gnu::visibility("default")]] std::unique_ptr<Candidate> make_kdl(std::span<const Body> bodies) {
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
    const Body& body = bodies[static_cast<std::size_t>(i)];
    if (body.parent != i - 1 || dof_count(body.joint) != 1) return nullptr;
  }
  return std::make_unique<Kdl>(bodies);
}

}  // namespace lockstep::bench
