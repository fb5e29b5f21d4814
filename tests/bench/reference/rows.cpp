#include "rows.hpp"

#include <Eigen/SVD>

namespace reference {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

using Jacobian = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;

// A frame on a body: where it is in the world, and how it moves and accelerates at qacc = 0.
struct Frame {
  Matrix3d R;
  Vector3d p, w, alpha, a;
  Jacobian linear, angular;
};

Frame frame_of(const MuJoCo& robot, int body, const Eigen::Isometry3d& X) {
  const mjModel* model = robot.model();
  const mjData* data = robot.data();
  const int id = robot.body(body);
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R_WL(data->xmat + 9 * id);
  const Eigen::Map<const Vector3d> origin(data->xpos + 3 * id);
  const Vector3d r = R_WL * X.translation();
  Frame frame;
  frame.R = R_WL * X.linear();
  frame.p = origin + r;
  frame.linear.resize(3, model->nv);
  frame.angular.resize(3, model->nv);
  mj_jac(model, data, frame.linear.data(), frame.angular.data(), frame.p.data(), id);
  frame.w = frame.angular * robot.velocity();
  double acceleration[6];  // angular first; gravity is in it, for all bodies alike
  mj_objectAcceleration(model, data, mjOBJ_XBODY, id, acceleration, 0);
  frame.alpha = Eigen::Map<const Vector3d>(acceleration);
  frame.a = Eigen::Map<const Vector3d>(acceleration + 3) + frame.alpha.cross(r) +
            frame.w.cross(frame.w.cross(r));
  return frame;
}

class Builder {
 public:
  Builder(Eigen::Index rows, Eigen::Index columns) {
    result.phi = result.bias = VectorXd::Zero(rows);
    result.G = MatrixXd::Zero(rows, columns);
  }

  void add_loop(const Loop& loop, const Frame& A, const Frame& B) {
    result.phi.segment<3>(at_) = A.p - B.p;
    result.G.middleRows<3>(at_) = A.linear - B.linear;
    result.bias.segment<3>(at_) = A.a - B.a;
    at_ += 3;
    for (const auto& [of_A, of_B] : loop.right_angles()) {
      add_right_angle(A.R * of_A, A, B.R * of_B, B);
    }
  }

  // phi = a . b with a' = wA x a and b' = wB x b
  void add_right_angle(const Vector3d& a, const Frame& A, const Vector3d& b, const Frame& B) {
    const Vector3d c = a.cross(b), da = A.w.cross(a), db = B.w.cross(b);
    result.phi[at_] = a.dot(b);
    result.G.row(at_) = c.transpose() * (A.angular - B.angular);
    result.bias[at_] =
        (A.alpha - B.alpha).dot(c) + A.w.cross(da).dot(b) + 2 * da.dot(db) + a.dot(B.w.cross(db));
    ++at_;
  }

  void add_coupling(const MuJoCo& robot, const Coupling& coupling) {
    result.phi[at_] = -coupling.offset;
    for (const auto& [body, coefficient] : coupling.terms) {
      result.phi[at_] += coefficient * robot.data()->qpos[robot.config(body)];
      result.G(at_, robot.dof(body)) = coefficient;
    }
    ++at_;
  }

  Rows result;

 private:
  Eigen::Index at_ = 0;
};

}  // namespace

Rows rows_of(const MuJoCo& robot) {
  mju_zero(robot.data()->qacc, robot.model()->nv);
  mj_rnePostConstraint(robot.model(), robot.data());
  auto count = static_cast<Eigen::Index>(robot.robot().couplings.size());
  for (const Loop& loop : robot.robot().loops) {
    count += 3 + static_cast<Eigen::Index>(loop.right_angles().size());
  }
  Builder builder(count, robot.model()->nv);
  for (const Loop& loop : robot.robot().loops) {
    builder.add_loop(loop, frame_of(robot, loop.a, loop.X_A), frame_of(robot, loop.b, loop.X_B));
  }
  for (const Coupling& coupling : robot.robot().couplings) builder.add_coupling(robot, coupling);
  return builder.result;
}

bool upright(const MuJoCo& robot) {
  for (const Loop& loop : robot.robot().loops) {
    if (loop.type == Loop::kBall) continue;
    const Matrix3d R_A = frame_of(robot, loop.a, loop.X_A).R,
                   R_B = frame_of(robot, loop.b, loop.X_B).R;
    if ((R_A * loop.axis).dot(R_B * loop.axis) < 0) return false;
    if (loop.type == Loop::kFixed && (R_A.transpose() * R_B).trace() < 2) return false;
  }
  return true;
}

Split split_of(const MatrixXd& G) {
  const Eigen::JacobiSVD<MatrixXd> svd(G, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const VectorXd& s = svd.singularValues();
  Split split;
  // rows are of metres and of one; less than this is rounding
  while (split.rank < s.size() && s[split.rank] > 1e-10 * s[0]) ++split.rank;
  split.free = svd.matrixV().rightCols(G.cols() - split.rank);
  split.inverse = svd.matrixV().leftCols(split.rank) *
                  s.head(split.rank).cwiseInverse().asDiagonal() *
                  svd.matrixU().leftCols(split.rank).transpose();
  return split;
}

namespace {

// Free motion and what rows settle are told apart by singular vectors: no multipliers.
class Closed : public Peer {
 public:
  explicit Closed(const Robot& robot) : robot_(robot) {}

  std::string name() const override { return std::string("MuJoCo ") + mj_versionString(); }
  std::string how() const override {
    return std::string(robot_.robot().has(JointType::kBall)
                           ? "MJCF from the generator's reader"
                           : "its own reader of URDF, its principal inertias made exact") +
           "; its mass matrix, bias forces, Jacobians and accelerations at qacc = 0, then a dense "
           "solve in the null space of the constraint rows by the generator";
  }

  Answer answer(const State& state) override {
    robot_.set(state);
    const Rows rows = rows_of(robot_);
    const Split split = split_of(rows.G);
    const MatrixXd M = robot_.mass_matrix();
    const VectorXd force = robot_.effort() - robot_.bias(), settled = -split.inverse * rows.bias;
    const MatrixXd& N = split.free;
    const VectorXd qacc =
        settled + N * (N.transpose() * M * N).llt().solve(N.transpose() * (force - M * settled));
    Answer answer;
    answer.vdot = robot_.vdot_of(qacc);
    answer.generalized = robot_.force_of(M * qacc - force);
    return answer;
  }

 private:
  MuJoCo robot_;
};

}  // namespace

std::unique_ptr<Peer> make_closed_mujoco(const Robot& robot) {
  return std::make_unique<Closed>(robot);
}

}  // namespace reference
