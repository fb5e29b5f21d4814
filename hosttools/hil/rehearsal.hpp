// The usual motion of a robot, tried on the host before anything is sent: motors that are too weak
// for it let the joints run past their limits, where a tree's plant has no stops.
#pragma once

#include "hil/plan.hpp"
#include "hil/start.hpp"

namespace lockstep::host::hil {

// The plan of a scenario that starts there.
template <class T>
std::unique_ptr<Plan<T>> make_plan(const RobotTrees& robot, const Start& start,
                                   const Bounds& bounds, const Scenario& scenario);

// The same. Of waves that nobody asked for it has as much as the motors can follow
// within the joints' limits; the scenario then says so, and `note` is not empty. Null where they
// are too weak even to keep it there: it needs stops, as `note` tells. Throws Error where joints
// without limits run away.
template <class T>
std::unique_ptr<Plan<T>> make_fitting_plan(const RobotTrees& robot, const Start& start,
                                           const Bounds& bounds, Scenario& scenario,
                                           std::string& note);

// Throws Error where the scenario's motion runs away.
template <class T>
void require_end(const RobotTrees& robot, const Scenario& scenario, const Plan<T>& plan);

}  // namespace lockstep::host::hil
