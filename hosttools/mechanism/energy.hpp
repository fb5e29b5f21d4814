// Energy and momentum of a mechanism's state.
#pragma once

#include "mechanism/mechanism.hpp"
#include "oracle/energy.hpp"

namespace lockstep::host {

// Power is not computed.
Mechanics mechanics(const Mechanism& mechanism, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                    const Eigen::Vector3d& gravity);

// The body with the most kinetic energy: "body 'rod' (3 J)".
std::string busiest_body(const Mechanism& mechanism, const Eigen::VectorXd& x,
                         const Eigen::VectorXd& v);

}  // namespace lockstep::host
