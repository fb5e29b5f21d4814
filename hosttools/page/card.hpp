// The model card of a page: what a robot is and costs, and what bounded its motion.
#pragma once

#include "mechanism/mechanism.hpp"
#include "model/load.hpp"
#include "page/run_page.hpp"
#include "robot/bounds.hpp"

namespace lockstep::host {

CardLines model_lines(const LoadOptions& load, const Tree& tree);
CardLines model_lines(const LoadOptions& load, const Mechanism& mechanism);

// Operations of a call of forward_dynamics and bytes of data, as `lockstep inspect` tells them.
CardLines cost_lines(const Tree& tree);

// Limits, friction, ground and contacts as they acted, whether they were asked for or usual.
CardLines bound_lines(const Tree& tree, const Bounds& bounds);

}  // namespace lockstep::host
