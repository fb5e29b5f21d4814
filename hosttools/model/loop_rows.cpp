#include "model/loop_rows.hpp"

#include <algorithm>

#include "lockstep/constraint/any_constraint.hpp"
#include "oracle/world.hpp"
#include "urdf/draft.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host {

namespace {

using constraint::AnyConstraint;
using constraint::ConstraintType;
using Eigen::Vector3d;

class RowWriter {
 public:
  RowWriter(const Tree& tree, const Eigen::VectorXd& q)
      : tree_(tree), q_(q), placed_(place_in_world(tree.bodies, q, still(tree))) {
    rows_.value = Eigen::VectorXd::Zero(row_count(tree));
    rows_.J = Eigen::MatrixXd::Zero(row_count(tree), total_dof(tree.bodies));
    rows_.is_length.resize(at(row_count(tree)));
    int at_q = 0, at_v = 0;
    for (const Body& body : tree.bodies) {
      first_q_.push_back(at_q), first_v_.push_back(at_v);
      at_q += config_count(body.joint), at_v += dof_count(body.joint);
    }
  }

  LoopRows write() && {
    for (const maximal::ConstraintRecord& loop : tree_.loops) add_loop(loop);
    for (const Coupling& coupling : tree_.couplings) add_coupling(coupling);
    return std::move(rows_);
  }

 private:
  static Eigen::VectorXd still(const Tree& tree) {
    return Eigen::VectorXd::Zero(total_dof(tree.bodies));
  }

  maximal::FrameMotion<double> frame(int body, const Placement<double>& X_BF) const {
    if (body == kWorld) return {X_BF.p, X_BF.R, {}, {}};
    const WorldBody& placed = placed_[at(body)];
    const auto turn = [&](const Vec3<double>& v) { return to_vec(placed.R_WB * to_eigen(v)); };
    return {to_vec(placed.origin) + turn(X_BF.p),
            {turn(X_BF.R.x), turn(X_BF.R.y), turn(X_BF.R.z)},
            {},
            {}};
  }

  void add_loop(const maximal::ConstraintRecord& loop) {
    const AnyConstraint<double> own(loop);
    const auto A = frame(loop.a, own.X_A), B = frame(loop.b, own.X_B);
    const auto rows = own.rows(A, B, 0);
    for (std::size_t i = 0; i < at(rows.size()); ++i, ++next_) {
      rows_.value[next_] = rows.value[i];
      rows_.is_length[at(next_)] = to_eigen(rows.b[i].linear) != Vector3d::Zero();
      add_power(loop.a, A, rows.a[i]);
      add_power(loop.b, B, rows.b[i]);
    }
    rows_.turned_over.push_back(turned_over(static_cast<ConstraintType>(loop.type), A.R, B.R));
  }

  // What a wrench at the frame does along each velocity of the joints that carry the body.
  void add_power(int body, const maximal::FrameMotion<double>& frame,
                 const Spatial<double>& wrench) {
    const Vector3d force = to_eigen(wrench.linear), moment = to_eigen(wrench.angular);
    for (; body != kWorld; body = tree_.bodies[at(body)].parent) {
      const WorldBody& placed = placed_[at(body)];
      const Vector3d about_origin = moment + (to_eigen(frame.p) - placed.origin).cross(force);
      int column = first_v_[at(body)];
      for (const int axis : free_axes(tree_.bodies[at(body)].joint)) {
        const Vector3d e = placed.R_WB.col(axis % 3);
        rows_.J(next_, column++) += e.dot(axis < 3 ? force : about_origin);
      }
    }
  }

  // Rows that keep axes square cannot tell an axis from its opposite.
  static bool turned_over(ConstraintType type, const Mat3<double>& A, const Mat3<double>& B) {
    const bool x = dot(A.x, B.x) < 0, y = dot(A.y, B.y) < 0, z = dot(A.z, B.z) < 0;
    switch (type) {
      case ConstraintType::kRevolute:
      case ConstraintType::kCylindrical:
      case ConstraintType::kPlanar: return z;
      case ConstraintType::kPrismatic:
      case ConstraintType::kFixed: return x || y || z;
      default: return false;
    }
  }

  void add_coupling(const Coupling& coupling) {
    rows_.value[next_] = -coupling.offset;
    for (const CouplingTerm& term : terms_of(tree_, coupling)) {
      rows_.value[next_] += term.coefficient * q_[first_q_[at(term.body)]];
      rows_.J(next_, first_v_[at(term.body)]) += term.coefficient;
    }
    ++next_;
  }

  const Tree& tree_;
  const Eigen::VectorXd& q_;
  std::vector<WorldBody> placed_;
  std::vector<int> first_q_, first_v_;
  LoopRows rows_;
  int next_ = 0;
};

}  // namespace

const char* loop_name(int type) {
  if (type == static_cast<int>(maximal::ConstraintType::kStrut)) return "distance";
  for (const LoopTypeName& row : kLoopTypeNames) {
    if (static_cast<int>(row.type) == type) return row.name;
  }
  return "of another type";
}

int loop_row_count(const maximal::ConstraintRecord& loop) {
  return AnyConstraint<double>(loop).dimension();
}

int row_count(const Tree& tree) {
  int count = static_cast<int>(tree.couplings.size());
  for (const maximal::ConstraintRecord& loop : tree.loops) count += loop_row_count(loop);
  return count;
}

bool has_soft_rows(const Tree& tree) {
  return std::ranges::any_of(tree.loops, yields<maximal::ConstraintRecord>) ||
         std::ranges::any_of(tree.couplings, yields<Coupling>);
}

Tree without_soft_rows(Tree tree) {
  const auto take_out = [](auto& records, std::vector<std::string>& names) {
    std::size_t i = 0;
    std::erase_if(names, [&](const std::string&) {  // of a reduced tree there may be more of them
      const std::size_t own = i++;
      return own < records.size() && yields(records[own]);
    });
    std::erase_if(records, [](const auto& record) { return yields(record); });
  };
  take_out(tree.loops, tree.loop_names);
  take_out(tree.couplings, tree.coupling_names);
  return tree;
}

double soft_row_energy(const Tree& tree, const Eigen::VectorXd& q) {
  if (!has_soft_rows(tree)) return 0;
  const LoopRows rows = evaluate_rows(tree, q);
  double sum = 0;
  Eigen::Index row = 0;
  const auto add = [&](const auto& record, int count) {
    for (int i = 0; i < count; ++i, ++row) {
      sum += 0.5 * record.stiffness * rows.value[row] * rows.value[row];
    }
  };
  for (const maximal::ConstraintRecord& loop : tree.loops) add(loop, loop_row_count(loop));
  for (const Coupling& coupling : tree.couplings) add(coupling, 1);
  return sum;
}

LoopRows evaluate_rows(const Tree& tree, const Eigen::VectorXd& q) {
  return RowWriter(tree, q).write();
}

}  // namespace lockstep::host
