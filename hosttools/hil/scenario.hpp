// What a run in the loop does, from a JSON file; every key may be left out. SI units, radians.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "hil/faulty.hpp"
#include "hil/servo_scenario.hpp"
#include "lockstep/integrate/integrator.hpp"
#include "lockstep/link/message.hpp"

namespace lockstep::host::hil {

using link::Application;  // what runs on the target
const char* name_of(Application application);

enum class Drive {
  kTrack,   // a joint's wave is a position to follow
  kTorque,  // a joint's wave is a torque
  kHold,    // springs and dampers hold the joint at its wave
};
enum class Limits { kUrdf, kNone };
enum class Mode {
  kStep,        // compare at every step
  kCheckpoint,  // compare hashes now and then
  kFree,        // the target runs by its own clock; compare whenever it is asked
};

// offset + amplitude * sin(2 pi frequency t + phase)
struct Wave {
  double amplitude = 0.3;  // rad or m; Nm or N where the drive is torque
  double frequency = 0.5;  // Hz
  double phase = 0;
  double offset = 0;
};

struct Scenario {
  std::string path = {};  // opens every message
  Application application = Application::kPlant;
  std::uint64_t steps = 1000;
  double rate = 1000;         // plant steps a second
  double control_rate = 250;  // divides the rate; a quarter of it when left out, a servo's all
  bool has_control_rate = false;
  Integrator integrator = Integrator::kSemiImplicitEuler;
  std::array<double, 3> gravity = {0, 0, -9.81};
  std::uint64_t seed = 1;
  Drive drive = Drive::kTrack;
  bool is_driven = false;                    // the file tells of drives or waves
  std::map<std::string, double> start = {};  // by joint; 0 for the others
  Wave wave = {};                            // of the joints that have none of their own
  std::map<std::string, Wave> joints = {};
  double kp = 100, kd = 20;
  Limits limits = Limits::kUrdf;
  double torque_rate = 1e4;                                    // Nm or N a second
  std::uint64_t watchdog = 50;                                 // ticks without a command
  std::uint16_t missed_allowed = 10, missed_forgotten = 1000;  // ticks
  ServoScenario servo = {};
  Mode mode = Mode::kStep;
  std::uint64_t checkpoint = 1000;  // steps between hashes
  LinkFaults link_faults = {};
  std::optional<std::uint64_t> corrupt_state = {};  // the step before which a bit is turned

  std::optional<double> exact_dt = {};  // s, where a period was given and not a rate

  double dt() const { return exact_dt.value_or(1 / rate); }  // s
  std::uint64_t steps_a_tick() const;                        // plant steps to a control tick
  // Hz, of what ticks on the target
  double tick_rate() const {
    const bool controls =
        application == Application::kController || application == Application::kServo;
    return controls ? control_rate : rate;
  }
  // s that torques which hold last: those of a host, and under Runge-Kutta. A plant's own drives
  // are implicit.
  std::optional<double> hold_period() const {
    if (drive != Drive::kHold) return std::nullopt;
    if (mode == Mode::kStep) return 1 / control_rate;
    return integrator == Integrator::kRungeKutta4 ? std::optional(dt()) : std::nullopt;
  }
  double start_of(const std::string& joint) const;
  // Lets the joints go: no wave moves those that have none of their own.
  void rest() { wave.amplitude = 0; }
  // A position without an offset of its own is around the joint's start.
  Wave wave_of(const std::string& joint) const;
};

// `rate` is what the user says beside it. Throws Error that names the file, the key and the remedy.
Scenario read_scenario(const std::string& path, std::optional<double> rate = {});

// Throws Error when the scenario speaks of a joint that is none of these: those of the robot that
// have one degree of freedom.
void check_joints(const Scenario& scenario, std::span<const std::string> joints);

}  // namespace lockstep::host::hil
