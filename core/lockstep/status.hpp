// Every answer that Lockstep's core gives instead of an exception. Codes travel on the wire and
// are written to logs: they are grouped by layer and never renumbered.
#pragma once

#include <cstdint>

namespace lockstep {

// clang-format off: it takes the attribute for a name
enum class [[nodiscard]] Status : std::uint8_t{
    kOk = 0,

    // 1..19: what the caller handed in
    kNotFinite = 1,          // a NaN or an infinity among the inputs
    kNotUnitQuaternion = 2,  // a quaternion whose length is not one
    kAngleTooLarge = 3,      // an angle beyond kMaxAngle, where sine and cosine lose digits
    kWrongSize = 4,          // a vector that does not fit the model
    kBadTimeStep = 5,        // a time step that is not positive or not finite
    kBadFrame = 6,           // a frame on a body that the model does not have
    kOutOfOrder = 7,         // a call before the one that it builds on
    kBadTolerance = 8,       // a tolerance that is not positive

    // 20..39: models
    kTooManyBodies = 20,  // the table model's capacity is exceeded
    kBadParent = 21,      // a body's parent does not come before it
    kBadInertia = 22,     // a number that is not finite, a negative mass, or a negative moment
    kBadJoint = 23,       // a joint type that does not exist, or a frame that is no rotation
    kBadConstraint = 24,  // a constraint type that does not exist, or parameters without a meaning
    kBadBody = 25,        // a body type that does not exist
    kTooManyRows = 26,    // the capacity for constraints or their rows is exceeded
    kGeared = 27,         // rotors that are no bodies, which this algorithm does not know

    // 40..59: the linear system
    kSingular = 40,      // a pivot is not positive: massless bodies with nothing to move
    kOverflow = 41,      // the inputs are so large that the answer is not finite
    kNotConverged = 42,  // an iteration used up its bound
    // a step was taken, but the solver of its rows used up its bound: the only status besides kOk
    // after which a state has moved
    kStoppedShort = 43,

    // 60..79: the link and the loop
    kWrongModel = 60,       // the hash of another model
    kOutOfStep = 61,        // a command for another step than the target is at
    kMalformed = 62,        // a payload that is not what its type says
    kNotNow = 63,           // the loop's state does not allow this message
    kUnknownMessage = 64,   // a type that this target does not know
    kTransferDamaged = 65,  // a model whose bytes did not all arrive as sent
    kWatchdog = 66,         // no command for too long
    kOverrun = 67,          // ticks were missed
    kWrongSession = 68,     // a session that has ended, or was never begun
    kNotConfigured = 69,    // a start without settings, or without finite limits for motors
    kStale = 70,            // a measurement that is too old
    kFloatMode = 71,        // an FPU that flushes to zero or does not round to nearest
    kDriveFault = 72,       // a drive that reports a fault or is not enabled
    kBeyondLimits = 73,     // a joint that is measured beyond its limits
};
// clang-format on

// Whether a step moved its state.
constexpr bool has_moved(Status status) {
  return status == Status::kOk || status == Status::kStoppedShort;
}

// Of a step whose inputs were finite: what is not has overflowed on the way.
constexpr Status after_start(Status status) {
  return status == Status::kNotFinite ? Status::kOverflow : status;
}

constexpr const char* to_string(Status status) {
  switch (status) {
    case Status::kOk: return "ok";
    case Status::kNotFinite: return "an input is NaN or infinite";
    case Status::kNotUnitQuaternion: return "a quaternion does not have length one";
    case Status::kAngleTooLarge: return "an angle is too large; wrap it into one turn";
    case Status::kWrongSize: return "a vector does not fit the model";
    case Status::kBadTimeStep: return "the time step is not positive and finite";
    case Status::kBadFrame: return "the frame is on a body that the model does not have";
    case Status::kOutOfOrder: return "a call came before the one that it builds on";
    case Status::kBadTolerance: return "the tolerance is not positive";
    case Status::kTooManyBodies: return "more bodies than the table model can hold";
    case Status::kBadParent: return "a body comes before its parent";
    case Status::kBadInertia: return "a mass or an inertia has no physical meaning";
    case Status::kBadJoint: return "unknown joint type, or a frame that is no rotation";
    case Status::kBadConstraint: return "unknown constraint type, or parameters without a meaning";
    case Status::kBadBody: return "unknown body type";
    case Status::kTooManyRows: return "more constraints, or rows of them, than there is room for";
    case Status::kGeared: return "merged rotors are not known here; keep them as bodies";
    case Status::kSingular: return "the mass matrix is singular";
    case Status::kOverflow: return "the answer overflows; the inputs are too large";
    case Status::kNotConverged: return "an iteration stopped short of its tolerance";
    case Status::kStoppedShort: return "a step was taken, but some rows are not satisfied yet";
    case Status::kWrongModel: return "the other end runs another model";
    case Status::kOutOfStep: return "the command is for another step";
    case Status::kMalformed: return "the payload does not parse";
    case Status::kNotNow: return "the loop's state does not allow this message";
    case Status::kUnknownMessage: return "the target does not know this message";
    case Status::kTransferDamaged: return "the model did not arrive as it was sent";
    case Status::kWatchdog: return "no command came for too long";
    case Status::kWrongSession: return "another host has begun a session, or the target was reset";
    case Status::kNotConfigured: return "settings, or finite limits of motors, are missing";
    case Status::kStale: return "a measurement is too old";
    case Status::kFloatMode: return "the FPU flushes to zero or does not round to nearest";
    case Status::kDriveFault: return "a drive reports a fault or is not enabled";
    case Status::kBeyondLimits: return "a joint is measured beyond its limits";
    case Status::kOverrun: return "a tick took longer than its period";
  }
  return "unknown status";
}

}  // namespace lockstep
