#include "core/auxiliary/dense_rows.hpp"

#include "text/error.hpp"

namespace lockstep::test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

DenseRows::DenseRows(std::span<const Body> bodies, const host::DenseInput& in)
    : bodies_(bodies.begin(), bodies.end()),
      in_(in),
      placed_(host::place_in_world(bodies, in.q, in.v)) {}

const host::WorldBody& DenseRows::at(int body) const {
  static const host::WorldBody kGround;
  return body == kWorld ? kGround : placed_[static_cast<std::size_t>(body)];
}

DenseRow& DenseRows::add(double bias) {
  const VectorXd zero = VectorXd::Zero(6 * static_cast<Index>(bodies_.size()));
  rows_.push_back({zero, zero, VectorXd::Zero(in_.v.size()), bias});
  return rows_.back();
}

void DenseRows::push(VectorXd& row, int body, const Vector3d& f, const Vector3d& p,
                     const Vector3d& m) const {
  if (body == kWorld) return;
  row.segment<3>(6 * body) += f;
  row.segment<3>(6 * body + 3) += m + (p - at(body).com).cross(f);
}

DenseRows::Point DenseRows::point(int body, const Vector3d& p) const {
  const host::WorldBody& placed = at(body);
  const Vector3d swing = placed.omega.cross(p - placed.com);
  return {p, placed.velocity + swing, placed.omega.cross(swing)};
}

DenseRows::Point DenseRows::point(const Frame& frame) const {
  const host::WorldBody& placed = at(frame.body);
  return point(frame.body, placed.origin + placed.R_WB * frame.p_BF);
}

Vector3d DenseRows::axis(const Frame& frame, int i) const {
  return at(frame.body).R_WB * frame.R_BF.col(i);
}

void DenseRows::add_wrench(DenseRow& row, int body, const host::Vector6d& value, bool motion,
                           bool force) {
  const host::WorldBody& placed = at(body);
  const Vector3d f = placed.R_WB * value.head<3>(), m = placed.R_WB * value.tail<3>();
  if (force) push(row.K, body, f, placed.origin, m);
  if (!motion) return;
  push(row.J, body, f, placed.origin, m);
  // the components in turning axes change by less than the vector does
  const Point origin = point(body, placed.origin);
  row.c += f.dot(origin.bias - placed.omega.cross(origin.v));
}

void DenseRows::add_joint(DenseRow& row, int body, double coefficient) {
  const Body& data = bodies_[static_cast<std::size_t>(body)];
  const host::WorldBody &child = at(body), &parent = at(data.parent);
  const Vector3d z = coefficient * child.R_WB.col(2), none = Vector3d::Zero();
  Index at_v = 0;
  for (int i = 0; i < body; ++i) at_v += dof_count(bodies_[static_cast<std::size_t>(i)].joint);
  row.tau[at_v] += coefficient;
  if (data.joint == JointType::kRevolute) {
    push(row.J, body, none, none, z);
    push(row.J, data.parent, none, none, -z);
    return;
  }
  push(row.J, body, z, child.origin, none);
  push(row.J, data.parent, -z, child.origin, none);
  const Point own = point(body, child.origin), under = point(data.parent, child.origin);
  row.c += z.dot(own.bias - under.bias - parent.omega.cross(own.v - under.v));
}

void DenseRows::add_along(const Frame& A, const Frame& B, int i) {
  const Point a = point(A), b = point(B);
  const Vector3d e = axis(A, i), w = at(A.body).omega, d = b.p - a.p;
  DenseRow& row =
      add(e.dot(b.bias - a.bias) + 2 * w.cross(e).dot(b.v - a.v) + w.cross(w.cross(e)).dot(d));
  push(row.J, B.body, e, b.p, Vector3d::Zero());
  push(row.J, A.body, -e, a.p, e.cross(d));
  row.K = row.J;
}

void DenseRows::add_perpendicular(const Frame& A, const Frame& B, int i, int j) {
  const Vector3d e = axis(A, i), f = axis(B, j), none = Vector3d::Zero();
  const Vector3d w = at(A.body).omega, u = at(B.body).omega;
  DenseRow& row =
      add(w.cross(w.cross(e)).dot(f) + 2 * w.cross(e).dot(u.cross(f)) + e.dot(u.cross(u.cross(f))));
  push(row.J, A.body, none, none, e.cross(f));
  push(row.J, B.body, none, none, f.cross(e));
  row.K = row.J;
}

DenseRows::Answer DenseRows::solve() const {
  const host::DenseSystem system = host::assemble(bodies_, placed_, in_);
  const Index n = system.M.rows(), m = system.J.rows(), k = static_cast<Index>(rows_.size());
  MatrixXd J(m + k, n), K(n, m + k);
  VectorXd c(m + k);
  J.topRows(m) = system.J, K.leftCols(m) = system.J.transpose(), c.head(m) = system.c;
  for (Index i = 0; i < k; ++i) {
    const DenseRow& row = rows_[static_cast<std::size_t>(i)];
    J.row(m + i) = row.J.transpose();
    K.col(m + i) = row.K;
    c[m + i] = row.c;
    Index at_v = 0;  // efforts as pairs of wrenches
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const Index dofs = dof_count(bodies_[b].joint);
      if (dofs == 1 && row.tau[at_v] != 0) {
        const Vector3d z = row.tau[at_v] * placed_[b].R_WB.col(2), none = Vector3d::Zero();
        const bool turns = bodies_[b].joint == JointType::kRevolute;
        const Vector3d force = turns ? none : z, moment = turns ? z : none;
        VectorXd pair = VectorXd::Zero(n);
        push(pair, static_cast<int>(b), force, placed_[b].origin, moment);
        push(pair, bodies_[b].parent, -force, placed_[b].origin, -moment);
        K.col(m + i) += pair;
      }
      at_v += dofs;
    }
  }
  MatrixXd H = MatrixXd::Zero(n + m + k, n + m + k);
  H.topLeftCorner(n, n) = system.M;
  H.topRightCorner(n, m + k) = -K;
  H.bottomLeftCorner(m + k, n) = J;
  VectorXd right(n + m + k);
  right << system.F, -c;
  const Eigen::FullPivLU<MatrixXd> lu(H);
  if (!lu.isInvertible()) throw host::Error("rows that depend on each other");
  VectorXd x = lu.solve(right);
  x += lu.solve(right - H * x);

  // the answer to these forces, as if they came from outside
  Answer answer{{}, x.tail(k)};
  host::DenseInput in = in_;
  for (Index i = 0; i < k; ++i) {
    const DenseRow& row = rows_[static_cast<std::size_t>(i)];
    in.tau += answer.mu[i] * row.tau;
    for (Index b = 0; b < in.external.cols(); ++b) {
      const host::WorldBody& placed = placed_[static_cast<std::size_t>(b)];
      const Eigen::Matrix3d R_LW =
          host::link_axes(bodies_[static_cast<std::size_t>(b)], placed).transpose();
      const Vector3d f = answer.mu[i] * row.K.segment<3>(6 * b);
      const Vector3d moment = answer.mu[i] * row.K.segment<3>(6 * b + 3);
      in.external.col(b).head<3>() += R_LW * f;
      in.external.col(b).tail<3>() += R_LW * (moment + (placed.com - placed.origin).cross(f));
    }
  }
  answer.out = host::solve_dense(bodies_, in);
  return answer;
}

}  // namespace lockstep::test
