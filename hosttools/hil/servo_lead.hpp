// What a host tells a servo: settings before it starts, then ways along the waves of a scenario.
// Ticks are the servo's.
#pragma once

#include <cstdint>
#include <string>

#include "hil/client.hpp"
#include "hil/plan.hpp"

namespace lockstep::host::hil {

// What became of a servo, in its ticks.
struct ServoStory {
  std::optional<std::uint64_t> safe_at, off_at;  // the ticks in which it went safe, and motors off
  bool braked = false;                           // at the end
  Status reason = Status::kOk;
  double error = 0;  // rad or m: the greatest between the waves and the joints, on them
  double speed = 0;  // rad/s or m/s: the greatest of a joint at the end
};

// Throws Error that names the joint, unless each has one motor with finite limits.
void require_motors(const std::string& file, const Tree& tree, const Scenario& scenario);

// Throws Error where it went safe without a failure, or stayed running in spite of one.
void require_reaction(const Scenario& scenario, const ServoStory& story);

bool fails(const Scenario& scenario, Failure::Kind kind, std::uint64_t tick);

std::uint64_t ticks_a_reference(const Scenario& scenario);
// The tick at which the first way ends on the waves.
std::uint64_t first_goal(const Scenario& scenario);

// From here on motors are enabled.
template <class T>
void start_servo(Client& client, const Plan<T>& plan, const LoopSettings<T>& settings,
                 const ServoScenario& servo);

// A way from where the servo is at `tick` to where the waves are at `goal`, or when the first ends.
// Throws Error where a bad reference is taken.
template <class T>
void lead(Client& client, const Scenario& scenario, const LoopSettings<T>& settings,
          std::uint64_t tick, std::uint64_t goal);

// The greatest distance of a joint from its wave, while the servo is to be on them.
template <class T>
double error_at(const Scenario& scenario, const LoopSettings<T>& settings, std::uint64_t tick,
                const std::vector<T>& q);

}  // namespace lockstep::host::hil
