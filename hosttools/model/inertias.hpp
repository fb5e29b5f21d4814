// What no body can have: a negative mass or moment, judged when all links of a body are one.
#pragma once

#include <string>

#include "model/tree.hpp"
#include "text/finding.hpp"

namespace lockstep::host {

// Dust, what rounding and an exporter's digits leave below zero, becomes zero; bodies that are
// sound keep their bits. What is worse throws Error or, if it is accepted, becomes zero with one
// warning for all of them: negative masses and moments and, where that does not do, products of
// inertia.
void settle_inertias(const std::string& file, bool accept, Tree& tree, Findings& findings);

}  // namespace lockstep::host
