// What a servo on the target is told, and what fails on the way: the object "servo" of a scenario.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lockstep/link/message.hpp"
#include "system/json_file.hpp"

namespace lockstep::host::hil {

// From a tick of the servo on.
struct Failure {
  enum class Kind {
    kSilence,       // the host sends no references
    kStale,         // the encoders tell what they told, older and older
    kNotFinite,     // one of them tells NaN
    kDriveFault,    // the drives say so
    kBeyondLimits,  // a joint is measured beyond its upper limit
    kTooFast,       // a joint is measured at twice its greatest speed
    kLate,          // every second tick is missed
    kBadReference,  // references end at twice the greatest speed
  };
  Kind kind = Kind::kSilence;
  std::uint64_t tick = 0;
};
std::string text_of(Failure::Kind kind);

struct ServoScenario {
  double references = 50;                // a second
  double acceleration = 100;             // rad/s^2 or m/s^2, the greatest of a way
  double stale = 0.005;                  // s
  double cutoff = 0;                     // Hz, of the filter of velocities; 0: none
  double stiffness = 100, damping = 20;  // 1/s^2, 1/s, of `safe`: times the inertia of each joint
  link::SafePolicy safe = link::SafePolicy::kOff;
  bool has_own_law = false;  // of the firmware; instead of the law that the drive is
  std::optional<Failure> failure = {};
};

// Throws Error that opens with `where`.
ServoScenario read_servo(const Json& object, const std::string& where);

}  // namespace lockstep::host::hil
