// Between a robot's joints and its bodies in maximal coordinates (from_tree.hpp): joint coordinates
// from poses, forces on bodies from torques. World axes, points and lever arms.
#pragma once

#include <Eigen/Core>

#include "mechanism/from_tree.hpp"
#include "model/tree.hpp"
#include "oracle/dense.hpp"

namespace lockstep::host {

struct JointMotion {
  Eigen::VectorXd q, v;
};

// x and v as the mechanism has them: seven and six numbers a body. Angles are within half a turn of
// those in `near`, or of zero where it is empty.
JointMotion joint_motion(const Tree& tree, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                         const Eigen::VectorXd& near = {});

// The rates of the joints' v, from the bodies' accelerations.
Eigen::VectorXd joint_accelerations(const Tree& tree, const Eigen::VectorXd& x,
                                    const Eigen::VectorXd& v, const Eigen::VectorXd& vdot);

// What dampers and springs do in the joints; without those that are rows (passive_joints).
Eigen::VectorXd passive_torque(const Tree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                               Passive passive);
// Loads::near of a mechanism with such rows: how far joints are from the rest of their springs,
// which tells the rows how often they have turned. Empty where there are none.
Eigen::VectorXd passive_values(const Tree& tree, const Mechanism& mechanism,
                               const Eigen::VectorXd& q);

// What torques in the joints do to the bodies: on each child, and back on its parent.
Eigen::VectorXd body_forces(const Tree& tree, const Eigen::VectorXd& x, const Eigen::VectorXd& tau);

// The wrench on each body, a column of force and moment about its centre of mass, as forces and
// moments at its link's origin in link axes; and the other way round.
Matrix6Xd to_links(const Tree& tree, const Eigen::VectorXd& x, const Matrix6Xd& at_centres);
Matrix6Xd to_centres(const Tree& tree, const Eigen::VectorXd& x, const Matrix6Xd& at_links);

}  // namespace lockstep::host
