// A servo on the target by its own clock, with its robot at its port: the host leads and looks on.
#pragma once

#include <cstdint>
#include <functional>

#include "hil/servo_lead.hpp"

namespace lockstep::host::hil {

// `progress` hears how many ticks the servo has made. Throws Error.
template <class T>
ServoStory follow_clock(Client& client, const Scenario& scenario, const Plan<T>& plan,
                        const std::function<void(std::uint64_t)>& progress);

}  // namespace lockstep::host::hil
