// Quaternions are w first here; ball and free joints move in the coordinates of the parent's side.
#include "simbody_plain.hpp"

#include <Simbody.h>

namespace lockstep::bench {

namespace {

using namespace SimTK;
using Joint = SimbodyBody::Joint;

Vec3 vector(const double* v) { return {v[0], v[1], v[2]}; }

Rotation rotation(const double* R) {
  Rotation result;
  result.setRotationFromApproximateMat33(
      Mat33(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]));
  return result;
}

class Robot : public SimbodyPlain {
 public:
  Robot(const std::vector<SimbodyBody>& bodies, double gravity)
      : matter_(system_),
        forces_(system_),
        gravity_(forces_, matter_, Vec3(0, 0, gravity)),
        efforts_(forces_, matter_) {
    for (const SimbodyBody& body : bodies) {
      bodies_.push_back(body.joint);
      mobods_.push_back(add(body));
    }
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
  }

  void set(const double* q, const double* v, const double* tau) override {
    v_.assign(v, v + state_.getNU());
    turns_.clear();
    for (std::size_t i = 0; i < mobods_.size(); ++i) {
      const MobilizedBody& mobod = mobods_[i];
      const bool floats = bodies_[i] == Joint::kFloating;
      if (bodies_[i] == Joint::kBall || floats) {
        const double* x = floats ? q + 3 : q;
        const Rotation R_JB(Quaternion(Vec4(x[3], x[0], x[1], x[2]), true));
        turns_.push_back(R_JB);
        for (int k = 0; k < 4; ++k) mobod.setOneQ(state_, k, x[(k + 3) % 4]);
        const int angular = floats ? 3 : 0;  // ours has the linear part first, Simbody last
        put(mobod, 0, R_JB * vector(v + angular), R_JB * vector(tau + angular));
        if (floats) {
          for (int k = 0; k < 3; ++k) mobod.setOneQ(state_, 4 + k, q[k]);
          put(mobod, 3, R_JB * vector(v), R_JB * vector(tau));
        }
      } else {
        mobod.setOneQ(state_, 0, *q);
        mobod.setOneU(state_, 0, *v);
        efforts_.setOneMobilityForce(state_, mobod, MobilizerUIndex(0), *tau);
      }
      const int dofs = mobod.getNumU(state_);
      q += mobod.getNumQ(state_), v += dofs, tau += dofs;
    }
  }

  void run(int times) override {
    for (int i = 0; i < times; ++i) {
      state_.invalidateAll(Stage::Position);  // as if q had changed
      system_.realize(state_, Stage::Acceleration);
    }
  }

  std::vector<double> vdot() const override {
    std::vector<double> result;
    std::size_t turn = 0, at = 0;
    const auto add = [&](const Vec3& part) {
      for (int k = 0; k < 3; ++k) result.push_back(part[k]);
    };
    for (std::size_t i = 0; i < mobods_.size(); ++i) {
      const Vector udot = mobods_[i].getUDotAsVector(state_);
      const auto part = [&](int k) { return Vec3(udot[k], udot[k + 1], udot[k + 2]); };
      if (bodies_[i] == Joint::kBall) {
        add(~turns_[turn++] * part(0));
      } else if (bodies_[i] == Joint::kFloating) {
        const Rotation& R_JB = turns_[turn++];
        add(~R_JB * part(3) - cross(vector(&v_[at + 3]), vector(&v_[at])));
        add(~R_JB * part(0));
      } else {
        result.push_back(udot[0]);
      }
      at = result.size();
    }
    return result;
  }

 private:
  MobilizedBody add(const SimbodyBody& body) {
    const double* I = body.inertia;
    const Body::Rigid rigid(
        MassProperties(body.mass, vector(body.com), Inertia(I[0], I[3], I[5], I[1], I[2], I[4])));
    MobilizedBody parent = matter_.Ground();
    if (body.parent >= 0) parent = mobods_[static_cast<std::size_t>(body.parent)];
    const Transform X_PJ(rotation(body.R_PJ), vector(body.p_PJ));
    switch (body.joint) {
      case Joint::kRevolute: return MobilizedBody::Pin(parent, X_PJ, rigid, Transform());
      case Joint::kBall: return MobilizedBody::Ball(parent, X_PJ, rigid, Transform());
      case Joint::kFloating: return MobilizedBody::Free(parent, X_PJ, rigid, Transform());
      case Joint::kPrismatic: break;
    }
    const Transform x_to_z(Rotation(-Pi / 2, YAxis));  // sliders move along x
    return MobilizedBody::Slider(parent, X_PJ * x_to_z, rigid, x_to_z);
  }

  void put(const MobilizedBody& mobod, int first, const Vec3& velocity, const Vec3& effort) {
    for (int k = 0; k < 3; ++k) {
      mobod.setOneU(state_, first + k, velocity[k]);
      efforts_.setOneMobilityForce(state_, mobod, MobilizerUIndex(first + k), effort[k]);
    }
  }

  MultibodySystem system_;
  SimbodyMatterSubsystem matter_;
  GeneralForceSubsystem forces_;
  Force::UniformGravity gravity_;
  Force::DiscreteForces efforts_;
  std::vector<Joint> bodies_;
  std::vector<MobilizedBody> mobods_;
  SimTK::State state_;
  std::vector<double> v_;
  std::vector<Rotation> turns_;
};

}  // namespace

std::unique_ptr<SimbodyPlain> make_simbody_plain(const std::vector<SimbodyBody>& bodies,
                                                 double gravity) {
  return std::make_unique<Robot>(bodies, gravity);
}

}  // namespace lockstep::bench
