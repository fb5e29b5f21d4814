// Simbody's recursive algorithm, from the generator's description. Quaternions are w first here;
// ball and free joints move in the coordinates of the parent's side.
#include <Simbody.h>

#include <Eigen/Eigenvalues>

#include "peer.hpp"

namespace reference {

namespace {

using SimTK::Rotation;
using SimTK::Transform;
using SimTK::UnitVec3;
using SimTK::Vec3;

Vec3 to_simbody(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }
Eigen::Vector3d to_eigen(const Vec3& v) { return {v[0], v[1], v[2]}; }

Transform to_simbody(const Eigen::Isometry3d& X) {
  const auto R = X.linear();
  Rotation rotation;
  rotation.setRotationFromApproximateMat33(SimTK::Mat33(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1),
                                                        R(1, 2), R(2, 0), R(2, 1), R(2, 2)));
  return {rotation, to_simbody(Eigen::Vector3d(X.translation()))};
}

SimTK::MassProperties to_simbody(const Inertial& inertial) {
  const Eigen::Matrix3d& I = inertial.moment;
  const Vec3 com = to_simbody(inertial.com);
  const SimTK::Inertia central(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
  return {inertial.mass, com, central.shiftFromMassCenter(com, inertial.mass)};
}

class Simbody : public MassPeer {
 public:
  explicit Simbody(const Robot& robot)
      : robot_(robot),
        matter_(system_),
        forces_(system_),
        gravity_(forces_, matter_, Vec3(0, 0, kGravity)),
        efforts_(forces_, matter_) {
    for (const Body& body : robot_.bodies) mobods_.push_back(add(body));
    for (const Loop& loop : robot_.loops) add(loop);
    for (const Coupling& coupling : robot_.couplings) add(coupling);
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
  }

  std::string name() const override {
    int major, minor, build;
    SimTK_version_simbody(&major, &minor, &build);
    return "Simbody " + std::to_string(major) + "." + std::to_string(minor);
  }

  std::string how() const override {
    return std::string("built from the generator's reader; ") +
           (robot_.closed() ? "accelerations and multipliers of its constraints (Ball, Weld, "
                              "ConstantAngle, CoordinateCoupler)"
                            : "accelerations, joint wrenches by calcMobilizerReactionForces") +
           "; the numbers in this file are its own";
  }

  Answer answer(const State& state) override {
    set(state);
    system_.realize(state_, SimTK::Stage::Acceleration);
    Answer answer;
    answer.vdot = from_simbody(state_.getUDot());
    if (robot_.floating) {  // d/dt (R v) = R (vdot + w x v)
      answer.vdot.head<3>() -=
          Eigen::Vector3d(state.v.segment<3>(3)).cross(Eigen::Vector3d(state.v.head<3>()));
    }
    if (robot_.closed()) {
      SimTK::Vector force;  // M udot + G^T multipliers = what else acts
      matter_.multiplyByGTranspose(state_, state_.getMultipliers(), force);
      answer.generalized = -from_simbody(force);
    } else {
      answer.reaction = reactions();
    }
    return answer;
  }

  Spectrum spectrum(const State& state) override {
    set(state);
    system_.realize(state_, SimTK::Stage::Position);
    SimTK::Matrix M;
    matter_.calcM(state_, M);
    Eigen::MatrixXd dense(M.nrow(), M.ncol());
    for (int i = 0; i < M.nrow(); ++i) {
      for (int k = 0; k < M.ncol(); ++k) dense(i, k) = M(i, k);
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(dense, Eigen::EigenvaluesOnly);
    return {solver.eigenvalues().minCoeff(), solver.eigenvalues().maxCoeff()};
  }

 private:
  SimTK::MobilizedBody& mobod(int i) {
    return i < 0 ? matter_.updGround() : mobods_[static_cast<std::size_t>(i)];
  }

  SimTK::MobilizedBody add(const Body& body) {
    using namespace SimTK;
    const SimTK::Body::Rigid rigid(to_simbody(body.inertial));
    const Transform X_PJ = to_simbody(body.X_PJ);
    const UnitVec3 axis(to_simbody(body.axis));
    const bool slides = body.type == JointType::kPrismatic;
    const Transform turn(Rotation(axis, slides ? CoordinateAxis(XAxis) : CoordinateAxis(ZAxis)));
    MobilizedBody& parent = mobod(body.parent);
    switch (body.type) {
      case JointType::kRevolute: return MobilizedBody::Pin(parent, X_PJ * turn, rigid, turn);
      case JointType::kPrismatic: return MobilizedBody::Slider(parent, X_PJ * turn, rigid, turn);
      case JointType::kBall: return MobilizedBody::Ball(parent, X_PJ, rigid, Transform());
      default: return MobilizedBody::Free(parent, X_PJ, rigid, Transform());
    }
  }

  void add(const Loop& loop) {
    using namespace SimTK;
    const Transform A = to_simbody(loop.X_A), B = to_simbody(loop.X_B);
    if (loop.type == Loop::kFixed) {
      Constraint::Weld(mobod(loop.a), A, mobod(loop.b), B);
      return;
    }
    Constraint::Ball(mobod(loop.a), A.p(), mobod(loop.b), B.p());
    for (const auto& [of_A, of_B] : loop.right_angles()) {
      Constraint::ConstantAngle(mobod(loop.a), UnitVec3(A.R() * to_simbody(of_A)), mobod(loop.b),
                                UnitVec3(B.R() * to_simbody(of_B)), Pi / 2);
    }
  }

  void add(const Coupling& coupling) {
    using namespace SimTK;
    const int count = static_cast<int>(coupling.terms.size());
    Vector coefficients(count + 1);
    Array_<MobilizedBodyIndex> bodies;
    for (int i = 0; i < count; ++i) {
      const auto& [body, coefficient] = coupling.terms[static_cast<std::size_t>(i)];
      coefficients[i] = coefficient;
      bodies.push_back(mobod(body).getMobilizedBodyIndex());
    }
    coefficients[count] = -coupling.offset;
    const Array_<MobilizerQIndex> first(static_cast<unsigned>(count), MobilizerQIndex(0));
    Constraint::CoordinateCoupler(matter_, new Function::Linear(coefficients), bodies, first);
  }

  void set(const State& state) {
    turns_.clear();
    for (std::size_t i = 0; i < mobods_.size(); ++i) {
      const JointType type = robot_.bodies[i].type;
      const SimTK::MobilizedBody& mobod = mobods_[i];
      const int q = robot_.bodies[i].q, v = robot_.bodies[i].v;
      const int configs = config_count(type), dofs = dof_count(type);
      if (dofs == 1) {
        turns_.push_back(Rotation());
        mobod.setOneQ(state_, 0, state.q[q]);
        mobod.setOneU(state_, 0, state.v[v]);
        efforts_.setOneMobilityForce(state_, mobod, SimTK::MobilizerUIndex(0), state.tau[v]);
      } else {
        const double* x = state.q.data() + q + configs - 4;
        turns_.push_back(Rotation(SimTK::Quaternion(SimTK::Vec4(x[3], x[0], x[1], x[2]), true)));
        for (int k = 0; k < 4; ++k) mobod.setOneQ(state_, k, x[(k + 3) % 4]);
        for (int k = 0; k < configs - 4; ++k) mobod.setOneQ(state_, 4 + k, state.q[q + k]);
        for (int part = 0; part < dofs; part += 3) {  // angular first, along the parent's axes
          const int from = v + (part + 3) % dofs;
          put(mobod, part, turns_.back() * to_simbody(Eigen::Vector3d(state.v.segment<3>(from))),
              turns_.back() * to_simbody(Eigen::Vector3d(state.tau.segment<3>(from))));
        }
      }
    }
  }

  void put(const SimTK::MobilizedBody& mobod, int first, const Vec3& velocity, const Vec3& effort) {
    for (int k = 0; k < 3; ++k) {
      mobod.setOneU(state_, first + k, velocity[k]);
      efforts_.setOneMobilityForce(state_, mobod, SimTK::MobilizerUIndex(first + k), effort[k]);
    }
  }

  // From Simbody's velocities, or what is dual to them, to the joints'.
  Eigen::VectorXd from_simbody(const SimTK::Vector& u) const {
    Eigen::VectorXd result(robot_.dofs());
    for (std::size_t i = 0; i < mobods_.size(); ++i) {
      const int at = robot_.bodies[i].v, dofs = dof_count(robot_.bodies[i].type);
      const int first = mobods_[i].getFirstUIndex(state_);
      if (dofs == 1) {
        result[at] = u[first];
      } else {
        for (int part = 0; part < dofs; part += 3) {
          const int from = first + part;
          result.segment<3>(at + (part + 3) % dofs) =
              to_eigen(~turns_[i] * Vec3(u[from], u[from + 1], u[from + 2]));
        }
      }
    }
    return result;
  }

  Eigen::Matrix<double, 6, Eigen::Dynamic> reactions() const {
    SimTK::Vector_<SimTK::SpatialVec> wrenches;  // at the links' origins, along the world's axes
    matter_.calcMobilizerReactionForces(state_, wrenches);
    Eigen::Matrix<double, 6, Eigen::Dynamic> result(6, static_cast<Eigen::Index>(mobods_.size()));
    for (std::size_t i = 0; i < mobods_.size(); ++i) {
      const SimTK::SpatialVec& wrench = wrenches[mobods_[i].getMobilizedBodyIndex()];
      const Rotation& R_WL = mobods_[i].getBodyRotation(state_);
      result.col(static_cast<Eigen::Index>(i)) << to_eigen(~R_WL * wrench[1]),
          to_eigen(~R_WL * wrench[0]);
    }
    return result;
  }

  Robot robot_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::Force::UniformGravity gravity_;
  SimTK::Force::DiscreteForces efforts_;
  std::vector<SimTK::MobilizedBody> mobods_;
  SimTK::State state_;
  std::vector<Rotation> turns_;  // of ball and free joints: R_JL
};

}  // namespace

std::unique_ptr<MassPeer> make_simbody(const Robot& robot) {
  return std::make_unique<Simbody>(robot);
}

}  // namespace reference
