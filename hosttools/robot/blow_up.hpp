// Why a run could not go on: which joint ran away, how far, and what probably made it.
#pragma once

#include <Eigen/Core>
#include <string>

#include "lockstep/integrate/integrator.hpp"
#include "lockstep/status.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

struct BlowUp {
  const Tree& tree;
  Eigen::VectorXd start;  // q of a pose that was good
  Eigen::VectorXd q, v;   // of the state that no step leads on from
  double dt = 0;
  Integrator integrator = Integrator::kSemiImplicitEuler;
};

// Whether such an answer of a step means that the state ran away.
bool ran_away(Status status);

// "an angle is too large: joint 'elbow' is at 1.2e+06 rad and moves at 3e+07 rad/s; unstable: ..."
std::string blow_up_text(Status status, const BlowUp& blow_up);

}  // namespace lockstep::host
