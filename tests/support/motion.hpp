// A mechanism moving in time, for the tests: how q changes with v, and a step along it.
#pragma once

#include "oracle/world.hpp"

namespace lockstep::test {

// dq/dt, quaternions included.
Eigen::VectorXd config_rate(std::span<const Body> bodies, const Eigen::VectorXd& q,
                            const Eigen::VectorXd& v);

// q with every quaternion at length one again.
Eigen::VectorXd normalized(std::span<const Body> bodies, Eigen::VectorXd q);

}  // namespace lockstep::test
