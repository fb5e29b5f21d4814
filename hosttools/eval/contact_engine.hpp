// Answers states of a robot whose joints have limits and rub, and whose shapes touch: accelerations
// and what every bound exerts, as the limit of shorter and shorter steps.
#pragma once

#include <functional>

#include "model/tree.hpp"
#include "oracle/dense.hpp"
#include "robot/bounds.hpp"
#include "system/json_file.hpp"

namespace lockstep::host {

struct ContactAnswer {
  DenseOutput out;
  Json contacts;               // by point: link, other, point, normal, distance, force
  Json limit_force, friction;  // by joint, N m or N
};

// Throws Error with the reason alone when a state has no answer.
using ContactEngine = std::function<ContactAnswer(const DenseInput&)>;

ContactEngine make_contact_engine(const Tree& tree, const Bounds& bounds);

}  // namespace lockstep::host
