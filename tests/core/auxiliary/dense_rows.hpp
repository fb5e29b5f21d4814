// Auxiliary rows the plain way: all bodies in world axes at their centres of mass, one dense solve
// of bodies, joints and rows together. Shares nothing with the core.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "oracle/dense.hpp"

namespace lockstep::test {

struct DenseRow {
  Eigen::VectorXd J, K;  // over the bodies' six coordinates each
  Eigen::VectorXd tau;   // the part of K that joints exert, over the joints' efforts
  double c = 0;
};

class DenseRows {
 public:
  DenseRows(std::span<const Body> bodies, const host::DenseInput& in);

  // An empty row, to which terms are added.
  DenseRow& add(double bias);

  // value . V of the body, both at its origin in body axes.
  void add_wrench(DenseRow& row, int body, const host::Vector6d& value, bool motion, bool force);
  // coefficient * v of a revolute or prismatic joint.
  void add_joint(DenseRow& row, int body, double coefficient);

  struct Frame {
    int body = kWorld;
    Eigen::Matrix3d R_BF = Eigen::Matrix3d::Identity();
    Eigen::Vector3d p_BF = Eigen::Vector3d::Zero();
  };
  // Rows e_A,i . (p_B - p_A), and e_A,i . e_B,j, twice differentiated.
  void add_along(const Frame& A, const Frame& B, int axis);
  void add_perpendicular(const Frame& A, const Frame& B, int axis_A, int axis_B);

  struct Answer {
    host::DenseOutput out;
    Eigen::VectorXd mu;
  };
  // Throws where the system has no unique solution.
  Answer solve() const;

 private:
  struct Point {
    Eigen::Vector3d p, v, bias;  // bias: its acceleration while the body's is zero
  };
  const host::WorldBody& at(int body) const;
  Point point(int body, const Eigen::Vector3d& p) const;
  Point point(const Frame& frame) const;
  Eigen::Vector3d axis(const Frame& frame, int i) const;
  // The row measures f . acceleration of a point, or m . angular acceleration.
  void push(Eigen::VectorXd& row, int body, const Eigen::Vector3d& f, const Eigen::Vector3d& p,
            const Eigen::Vector3d& m) const;

  std::vector<Body> bodies_;
  host::DenseInput in_;
  std::vector<host::WorldBody> placed_;
  std::vector<DenseRow> rows_;
};

}  // namespace lockstep::test
