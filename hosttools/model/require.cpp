#include "model/require.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <span>

#include "lockstep/joint.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"

namespace lockstep::host {

namespace {

using Inertia = Eigen::Matrix<double, 6, 6>;  // rows linear x y z, angular x y z
using RowMajor3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

bool all_finite(std::span<const double> numbers) {
  return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
}

Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  return Eigen::Matrix3d{{0, -a.z(), a.y()}, {a.z(), 0, -a.x()}, {-a.y(), a.x(), 0}};
}

Inertia rigid(const Body& body) {
  const Eigen::Map<const Eigen::Vector3d> h(body.h.data());
  const auto& I = body.inertia;
  Inertia B;
  B << body.mass * Eigen::Matrix3d::Identity(), -skew(h), skew(h),
      Eigen::Matrix3d{{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}};
  return B;
}

// Poses that no robot was designed around, so that a zero pivot means a singular mechanism and
// not a singular pose. A fixed generator: the verdict is the same every time.
class GenericPose {
 public:
  // Maps a twist of the parent to the twist it gives the body.
  Inertia twist_to_child(const Body& body) {
    Eigen::Matrix3d R_JB = Eigen::Matrix3d::Identity();
    Eigen::Vector3d p_JB = Eigen::Vector3d::Zero();
    const double angle = std::numbers::pi * draw();
    const Eigen::Vector3d random(draw(), draw(), draw());
    switch (body.joint) {
      case JointType::kRevolute: R_JB = turn(angle, Eigen::Vector3d::UnitZ()); break;
      case JointType::kPrismatic: p_JB.z() = kReach * random.z(); break;
      case JointType::kPlanar:
        R_JB = turn(angle, Eigen::Vector3d::UnitZ());
        p_JB.head<2>() = kReach * random.head<2>();
        break;
      case JointType::kFloating: p_JB = kReach * random; [[fallthrough]];
      case JointType::kBall: R_JB = turn(angle, random.normalized()); break;
    }
    const Eigen::Matrix3d R_PJ = Eigen::Map<const RowMajor3>(body.R_PJ.data());
    const Eigen::Matrix3d R_BP = (R_PJ * R_JB).transpose();
    const Eigen::Vector3d p = Eigen::Map<const Eigen::Vector3d>(body.p_PJ.data()) + R_PJ * p_JB;
    Inertia X;
    X << R_BP, -R_BP * skew(p), Eigen::Matrix3d::Zero(), R_BP;
    return X;
  }

 private:
  static constexpr double kReach = 0.1;  // m, about the size of a link

  static Eigen::Matrix3d turn(double angle, const Eigen::Vector3d& axis) {
    return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  }
  // in [-1, 1); written out because the standard distributions differ between libraries
  double draw() { return static_cast<double>(generator_()) / 2147483648.0 - 1.0; }

  std::mt19937 generator_;
};

// Takes a joint's freedom out of B axis by axis; false when an axis has nothing to move.
bool eliminate(const Body& body, const Inertia& locked, Inertia& B) {
  const double mass = locked(0, 0);
  const double inertia = locked.diagonal().tail<3>().sum();
  for (int axis = 0; axis < 6; ++axis) {
    if ((free_mask(body.joint) >> axis & 1u) == 0) continue;
    const double pivot = B(axis, axis) + body.armature;
    if (!(pivot > kNoInertia * (axis < 3 ? mass : inertia))) return false;
    const Eigen::Matrix<double, 6, 1> column = B.col(axis);
    B -= column * (column / pivot).transpose();
  }
  return true;
}

// As find_immovable, at the next pose.
std::vector<int> immovable_at(const Tree& tree, GenericPose& pose) {
  const std::size_t count = tree.bodies.size();
  std::vector<Inertia> articulated(count), locked(count);
  std::vector<int> found;
  for (std::size_t i = 0; i < count; ++i) articulated[i] = locked[i] = rigid(tree.bodies[i]);
  for (std::size_t i = count; i-- > 0;) {
    const Body& body = tree.bodies[i];
    Inertia B = articulated[i];
    if (eliminate(body, locked[i], B)) {
      articulated[i] = B;
    } else {
      found.push_back(static_cast<int>(i));
    }
    const Inertia X = pose.twist_to_child(body);
    if (body.parent == kWorld) continue;
    const std::size_t parent = at(body.parent);
    articulated[parent] += X.transpose() * articulated[i] * X;
    locked[parent] += X.transpose() * locked[i] * X;
  }
  return found;
}

}  // namespace

void require_finite(const Tree& tree, const std::string& file) {
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    const std::array<double, 8> others = {
        body.mass,      body.damping, body.friction,         body.armature,
        body.stiffness, body.rest,    body.mimic.multiplier, body.mimic.offset};
    if (!all_finite(body.h) || !all_finite(body.inertia) || !all_finite(others) ||
        !all_finite(body.R_PJ) || !all_finite(body.p_PJ) || !all_finite(body.R_LB)) {
      throw Error(file + ": link " + quote(tree.link_names[i]) + ", joint " +
                  quote(tree.joint_names[i]) +
                  ": a number is not finite; look for huge masses and lengths");
    }
  }
  for (std::size_t i = 0; i < tree.frames.size(); ++i) {
    if (!all_finite(tree.frames[i].R_BF) || !all_finite(tree.frames[i].p_BF)) {
      throw Error(file + ": link " + quote(tree.frame_names[i]) +
                  ": its place is not finite; look for huge lengths");
    }
  }
  for (std::size_t i = 0; i < tree.loops.size(); ++i) {
    if (!all_finite(tree.loops[i].numbers)) {
      throw Error(file + ": loop " + quote(tree.loop_names[i]) +
                  ": its place is not finite; look for huge lengths");
    }
  }
}

std::vector<int> find_immovable(const Tree& tree) {
  constexpr int kPoses = 3;
  GenericPose pose;
  std::vector<int> fewest = immovable_at(tree, pose);
  for (int trial = 1; trial < kPoses && !fewest.empty(); ++trial) {
    std::vector<int> found = immovable_at(tree, pose);
    if (found.size() < fewest.size()) fewest = std::move(found);
  }
  return fewest;
}

void refuse_immovable(const Tree& tree, const std::string& file, const std::vector<int>& bodies) {
  const std::size_t i = at(bodies.front());
  const bool base = tree.bodies[i].joint == JointType::kFloating;
  throw Error(
      file + ": link " + quote(tree.link_names[i]) + ": joint " + quote(tree.joint_names[i]) +
      " has no inertia to move, so the mass matrix is singular" +
      (bodies.size() > 1 ? " (one of " + std::to_string(bodies.size()) + " such joints)" : "") +
      "; give the link mass and inertia, " +
      (base ? "use --base fixed" : "hold the joint as if it were fixed with --massless freeze") +
      ", or let it move with --inertia-floor 1e-6, in kg m^2");
}

}  // namespace lockstep::host
