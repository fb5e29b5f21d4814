#include "hil/servo_scenario.hpp"

#include "text/error.hpp"

namespace lockstep::host::hil {

std::string text_of(Failure::Kind kind) {
  using enum Failure::Kind;
  switch (kind) {
    case kSilence: return "the host is silent";
    case kStale: return "measurements are stale";
    case kNotFinite: return "a measurement is NaN";
    case kDriveFault: return "a drive reports a fault";
    case kBeyondLimits: return "a joint is beyond its limits";
    case kTooFast: return "a joint is too fast";
    case kLate: return "every second tick is missed";
    case kBadReference: return "references are beyond limits";
  }
  return "unknown";
}

ServoScenario read_servo(const Json& object, const std::string& where) {
  const JsonFields fields(object, where,
                          {"references", "acceleration", "stale", "cutoff", "stiffness", "damping",
                           "safe", "law", "failure"});
  ServoScenario servo;
  servo.references = fields.positive("references", servo.references);
  servo.acceleration = fields.positive("acceleration", servo.acceleration);
  servo.stale = fields.positive("stale", servo.stale);
  servo.cutoff = fields.not_negative("cutoff", servo.cutoff);
  servo.stiffness = fields.not_negative("stiffness", servo.stiffness);
  servo.damping = fields.not_negative("damping", servo.damping);
  servo.safe =
      static_cast<link::SafePolicy>(fields.choice("safe", {"off", "brake", "damp", "hold"}, 0));
  if (const Json* failure = fields.find("failure")) {
    const JsonFields what(*failure, fields.where("failure"), {"kind", "tick"});
    if (what.find("kind") == nullptr) {
      throw Error(fields.where("failure") + " has no 'kind'; give silence, stale or another");
    }
    servo.failure = Failure{.kind = static_cast<Failure::Kind>(
                                what.choice("kind",
                                            {"silence", "stale", "not_finite", "drive_fault",
                                             "beyond_limits", "too_fast", "late", "bad_reference"},
                                            0)),
                            .tick = what.whole("tick", 0, 1)};
  }
  return servo;
}

}  // namespace lockstep::host::hil
