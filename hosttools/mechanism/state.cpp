#include "mechanism/state.hpp"

#include <Eigen/SparseQR>
#include <algorithm>

#include "urdf/placement.hpp"

namespace lockstep::host {

namespace {

Vec3<double> scale_of(const auto& pose) {
  if constexpr (requires { pose.scale.x; }) {
    return pose.scale;
  } else if constexpr (requires { pose.scale; }) {
    return {pose.scale, pose.scale, pose.scale};
  } else {
    return {1, 1, 1};
  }
}

Eigen::Matrix<double, 6, 1> to_eigen(const Spatial<double>& s) {
  return {s.linear.x, s.linear.y, s.linear.z, s.angular.x, s.angular.y, s.angular.z};
}

// f(body, pose, velocity) with the types of the body, which may be the world.
template <class F>
void with_body(const Mechanism& mechanism, const Offsets& offsets, int body, F&& f) {
  if (body == kWorld) {
    f(maximal::World<double>{}, maximal::World<double>::Pose{}, maximal::Vector<double, 0>{});
    return;
  }
  const double* x = mechanism.x0.data() + offsets.pose[at(body)];
  const double* v = mechanism.v0.data() + offsets.velocity[at(body)];
  visit_body(mechanism.bodies[at(body)], [&]<class B>(const B& typed, std::size_t, std::size_t) {
    f(typed, maximal::load<typename B::Pose>(x), maximal::load<typename B::Velocity>(v));
  });
}

}  // namespace

Offsets::Offsets(const Mechanism& mechanism) : pose{0}, velocity{0} {
  for (const maximal::BodyRecord& body : mechanism.bodies) {
    pose.push_back(pose.back() + pose_size(body));
    velocity.push_back(velocity.back() + velocity_size(body));
  }
}

HeldFrame hold(const Mechanism& mechanism, const Offsets& offsets, int body,
               const Placement<double>& X) {
  HeldFrame held;
  with_body(mechanism, offsets, body, [&](const auto& typed, const auto& pose, const auto& v) {
    const auto k = typed.kinematics(pose, v, X);
    held.frame = k.frame;
    held.bias = k.bias;
    const auto& columns = k.columns();
    held.J.resize(6, static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      held.J.col(static_cast<Eigen::Index>(i)) = to_eigen(columns[i]);
    }
  });
  return held;
}

Placement<double> in_body(const Mechanism& mechanism, const Offsets& offsets, int body,
                          const Placement<double>& X_WF) {
  const maximal::FrameMotion<double> own = hold(mechanism, offsets, body, kOrigin).frame;
  const Mat3<double>& F = X_WF.R;
  const Vec3<double> arm = transpose_times(own.R, X_WF.p - own.p);
  Vec3<double> scale;
  with_body(mechanism, offsets, body,
            [&](const auto&, const auto& pose, const auto&) { scale = scale_of(pose); });
  return {{transpose_times(own.R, F.x), transpose_times(own.R, F.y), transpose_times(own.R, F.z)},
          {arm.x / scale.x, arm.y / scale.y, arm.z / scale.z}};
}

ConstraintState evaluate(const Mechanism& mechanism, const Offsets& offsets, std::size_t constraint,
                         double time) {
  const maximal::ConstraintRecord& record = mechanism.constraints[constraint];
  const constraint::AnyConstraint<double> own(record);
  ConstraintState state;
  state.a = hold(mechanism, offsets, record.a, own.X_A);
  state.b = hold(mechanism, offsets, record.b, own.X_B);
  const maximal::FrameMotion<double>&A = state.a.frame, &B = state.b.frame;
  const auto rows = own.rows(A, B, time);
  const Spatial<double> V_A = {A.v, A.w}, V_B = {B.v, B.w};
  state.value.resize(rows.size());
  state.velocity_error.resize(rows.size());
  state.c.resize(rows.size());
  Eigen::MatrixXd &a = state.rows_A, &b = state.rows_B;
  a.resize(rows.size(), 6), b.resize(rows.size(), 6);
  for (int row = 0; row < rows.size(); ++row) {
    const std::size_t i = at(row);
    state.value[row] = rows.value[i];
    state.velocity_error[row] = dot(rows.a[i], V_A) + dot(rows.b[i], V_B) + rows.phi_t[i];
    state.c[row] = rows.bias[i] + (dot(rows.a[i], state.a.bias) + dot(rows.b[i], state.b.bias));
    a.row(row) = to_eigen(rows.a[i]);
    b.row(row) = to_eigen(rows.b[i]);
  }
  state.J_A = a * state.a.J;
  state.J_B = b * state.b.J;
  return state;
}

Eigen::SparseMatrix<double> jacobian(const Mechanism& mechanism,
                                     const std::vector<ConstraintState>& states, Which which) {
  const Offsets offsets(mechanism);
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::Index rows = 0;
  bool wanted = true;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const maximal::ConstraintRecord& record = mechanism.constraints[i];
    if (!record.joins) wanted = which == Which::kAll || !yields(record);
    if (!wanted) continue;
    if (record.joins) rows -= states[i].value.size();  // entries of one place are added up
    const auto put = [&](int body, const Eigen::MatrixXd& J) {
      if (body == kWorld) return;
      const auto column = static_cast<Eigen::Index>(offsets.velocity[at(body)]);
      for (Eigen::Index r = 0; r < J.rows(); ++r) {
        for (Eigen::Index c = 0; c < J.cols(); ++c) {
          entries.emplace_back(rows + r, column + c, J(r, c));
        }
      }
    };
    put(record.a, states[i].J_A);
    put(record.b, states[i].J_B);
    rows += states[i].value.size();
  }
  Eigen::SparseMatrix<double> J(rows, static_cast<Eigen::Index>(offsets.velocity.back()));
  J.setFromTriplets(entries.begin(), entries.end());
  return J;
}

std::vector<int> entangled_rows(const Offsets& offsets, const Eigen::SparseMatrix<double>& J) {
  constexpr double kClear = 1e-6;  // what is nearer to dependent is left for the whole
  using ByRow = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  const ByRow rows(J);
  const std::size_t bodies = offsets.velocity.size() - 1;
  std::vector<std::size_t> body_of(offsets.velocity.back()), waiting(bodies), left(bodies);
  std::vector<std::vector<int>> rows_of(bodies);
  for (std::size_t b = 0; b < bodies; ++b) {
    waiting[b] = b;
    for (std::size_t c = offsets.velocity[b]; c < offsets.velocity[b + 1]; ++c) body_of[c] = b;
  }
  const auto for_bodies = [&](int row, auto&& f) {
    std::size_t last = bodies;
    for (ByRow::InnerIterator entry(rows, row); entry; ++entry) {
      const std::size_t b = body_of[static_cast<std::size_t>(entry.col())];
      if (b != last) f(last = b);
    }
  };
  for (int row = 0; row < J.rows(); ++row) {
    for_bodies(row, [&](std::size_t b) { rows_of[b].push_back(row), ++left[b]; });
  }
  std::vector<bool> taken(static_cast<std::size_t>(J.rows()));
  while (!waiting.empty()) {
    const std::size_t b = waiting.back(), first = offsets.velocity[b];
    const std::size_t width = offsets.velocity[b + 1] - first;
    waiting.pop_back();
    if (left[b] == 0 || left[b] > width) continue;
    std::erase_if(rows_of[b], [&](int row) { return taken[at(row)]; });
    Eigen::MatrixXd block =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(width), static_cast<Eigen::Index>(left[b]));
    for (std::size_t i = 0; i < rows_of[b].size(); ++i) {
      for (ByRow::InnerIterator entry(rows, rows_of[b][i]); entry; ++entry) {
        const auto c = static_cast<std::size_t>(entry.col());
        if (body_of[c] == b) {
          block(static_cast<Eigen::Index>(c - first), static_cast<Eigen::Index>(i)) = entry.value();
        }
      }
    }
    const Eigen::VectorXd pivots = block.colPivHouseholderQr().matrixQR().diagonal().cwiseAbs();
    if (!(pivots.minCoeff() > kClear * std::max(1.0, pivots.maxCoeff()))) continue;
    for (const int row : rows_of[b]) {
      taken[at(row)] = true;
      for_bodies(row, [&](std::size_t other) { --left[other], waiting.push_back(other); });
    }
  }
  std::vector<int> result;
  for (int row = 0; row < J.rows(); ++row) {
    if (!taken[at(row)]) result.push_back(row);
  }
  return result;
}

std::vector<int> dependent_rows(const Offsets& offsets, const Eigen::SparseMatrix<double>& J) {
  std::vector<int> rows;
  const std::vector<int> entangled = entangled_rows(offsets, J);
  const auto count = static_cast<Eigen::Index>(entangled.size());
  if (count == 0 || J.cols() == 0 || count > kMostRankRows) return rows;
  Eigen::SparseMatrix<double> chosen(J.rows(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    chosen.insert(entangled[static_cast<std::size_t>(i)], i) = 1;
  }
  Eigen::SparseMatrix<double> columns = J.transpose() * chosen;
  columns.makeCompressed();
  // natural: of two rows that say the same, the later one is at fault
  Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::NaturalOrdering<int>> qr;
  qr.setPivotThreshold(1e-9);
  qr.compute(columns);
  for (Eigen::Index i = qr.rank(); i < columns.cols(); ++i) {
    rows.push_back(entangled[at(qr.colsPermutation().indices()[i])]);
  }
  std::ranges::sort(rows);
  return rows;
}

}  // namespace lockstep::host
