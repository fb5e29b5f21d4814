#include "hil/scenario.hpp"

#include <algorithm>
#include <cmath>

#include "system/json_file.hpp"
#include "text/error.hpp"
#include "text/number.hpp"

namespace lockstep::host::hil {

namespace {

constexpr double kMostSteps = 1e9;

// Keys that are names of joints: any will do until the robot is known.
template <class Read>
void for_joints(const JsonFields& fields, const char* key, Read read) {
  const Json* object = fields.find(key);
  if (object == nullptr) return;
  if (!object->is_object()) fields.refuse(key, "an object with a joint's name for each key");
  for (const auto& [name, value] : object->items()) {
    read(name, value, fields.where(key) + ": joint '" + name + "'");
  }
}

void read_time(const JsonFields& fields, std::optional<double> rate, Scenario& scenario) {
  scenario.rate = fields.positive("rate", rate.value_or(scenario.rate));
  if (rate && std::abs(scenario.rate - *rate) > 1e-9 * *rate) {
    throw Error(fields.where("rate") + ": " + write_number(scenario.rate) +
                " Hz, and --rate or --dt makes " + write_number(*rate) + "; leave out one of them");
  }
  scenario.has_control_rate = fields.find("control_rate") != nullptr;
  scenario.control_rate = fields.positive("control_rate", scenario.rate / 4);
  const double ticks = scenario.rate / scenario.control_rate;
  if (ticks < 1 || std::abs(ticks - std::round(ticks)) > 1e-9 * ticks) {
    fields.refuse("control_rate", "the rate or a whole fraction of it");
  }
  scenario.steps = fields.whole("steps", scenario.steps, 1);
  if (fields.find("duration") != nullptr) {
    if (fields.find("steps") != nullptr) fields.refuse("duration", "it or 'steps', not both");
    const double steps = std::round(fields.positive("duration", 1) * scenario.rate);
    if (!(steps >= 1 && steps <= kMostSteps))
      fields.refuse("duration", "1 to 1e9 steps at the rate");
    scenario.steps = static_cast<std::uint64_t>(steps);
  }
  if (static_cast<double>(scenario.steps) > kMostSteps) fields.refuse("steps", "at most 1e9");
}

void read_motion(const JsonFields& fields, Scenario& scenario) {
  scenario.drive = static_cast<Drive>(fields.choice("drive", {"track", "torque", "hold"}, 0));
  for (const char* key : {"drive", "amplitude", "frequency", "joints"}) {
    scenario.is_driven |= fields.find(key) != nullptr;
  }
  if (scenario.drive == Drive::kHold) {
    if (fields.find("gains") == nullptr) {
      fields.refuse("drive", "'gains' too, in N m/rad and N m s/rad, to hold with");
    }
    scenario.rest();
  }
  for_joints(fields, "start", [&](const std::string& name, const Json& value, const auto& where) {
    if (!value.is_number()) throw Error(where + ": give its position, a number");
    scenario.start[name] = value.get<double>();
  });
  scenario.wave.amplitude = fields.number("amplitude", scenario.wave.amplitude);
  scenario.wave.frequency = fields.not_negative("frequency", scenario.wave.frequency);
  for_joints(fields, "joints", [&](const std::string& name, const Json& value, const auto& where) {
    const JsonFields wave(value, where, {"amplitude", "frequency", "phase", "offset"});
    const Wave absent = scenario.wave_of(name);
    scenario.joints[name] = {.amplitude = wave.number("amplitude", absent.amplitude),
                             .frequency = wave.not_negative("frequency", absent.frequency),
                             .phase = wave.number("phase", absent.phase),
                             .offset = wave.number("offset", absent.offset)};
  });
}

void read_control(const JsonFields& fields, Scenario& scenario) {
  if (const Json* object = fields.find("gains")) {
    const JsonFields gains(*object, fields.where("gains"), {"kp", "kd"});
    scenario.kp = gains.not_negative("kp", scenario.kp);
    scenario.kd = gains.not_negative("kd", scenario.kd);
  }
  scenario.limits = static_cast<Limits>(fields.choice("limits", {"urdf", "none"}, 0));
  scenario.torque_rate = fields.positive("torque_rate", scenario.torque_rate);
  scenario.watchdog = fields.whole("watchdog", scenario.watchdog, 1);
  if (const Json* object = fields.find("missed")) {
    const JsonFields missed(*object, fields.where("missed"), {"allowed", "forgotten"});
    const auto ticks = [&](const char* key, std::uint16_t absent, std::uint64_t least) {
      const std::uint64_t count = missed.whole(key, absent, least);
      if (count > 0xFFFF) missed.refuse(key, "at most 65535 ticks");
      return static_cast<std::uint16_t>(count);
    };
    scenario.missed_allowed = ticks("allowed", scenario.missed_allowed, 0);
    scenario.missed_forgotten = ticks("forgotten", scenario.missed_forgotten, 1);
  }
  if (const Json* servo = fields.find("servo")) {
    if (scenario.application != Application::kServo) {
      fields.refuse("servo", "'application' servo too");
    }
    scenario.servo = read_servo(*servo, fields.where("servo"));
  }
}

LinkFaults read_faults(const Json& object, const std::string& where) {
  const JsonFields fields(object, where, {"flip", "lose", "double", "delay", "cut", "garbage"});
  const auto rate = [&](const char* key) {
    const double value = fields.number(key, 0);
    if (!(value >= 0 && value <= 1)) fields.refuse(key, "a rate from 0 to 1");
    return value;
  };
  return {.flip = rate("flip"),
          .lose = rate("lose"),
          .repeat = rate("double"),
          .delay = rate("delay"),
          .cut = rate("cut"),
          .garbage = rate("garbage")};
}

void read_checks(const JsonFields& fields, Scenario& scenario) {
  scenario.mode = static_cast<Mode>(fields.choice("mode", {"step", "checkpoint", "free"}, 0));
  scenario.checkpoint = fields.whole("checkpoint", scenario.checkpoint, 1);
  if (const Json* object = fields.find("link_faults")) {
    scenario.link_faults = read_faults(*object, fields.where("link_faults"));
  }
  if (const Json* object = fields.find("corrupt_state")) {
    const JsonFields corrupt(*object, fields.where("corrupt_state"), {"step"});
    scenario.corrupt_state = corrupt.whole("step", 0, 0);
    if (*scenario.corrupt_state >= scenario.steps) {
      corrupt.refuse("step", "one of the " + std::to_string(scenario.steps) + " steps from 0");
    }
  }
}

}  // namespace

const char* name_of(Application application) {
  switch (application) {
    case Application::kPlant: return "plant";
    case Application::kDynamics: return "dynamics";
    case Application::kController: return "controller";
    case Application::kServo: return "servo";
  }
  return "unknown";
}

std::uint64_t Scenario::steps_a_tick() const {
  return static_cast<std::uint64_t>(std::llround(rate / control_rate));
}

double Scenario::start_of(const std::string& joint) const {
  const auto found = start.find(joint);
  return found == start.end() ? 0 : found->second;
}

Wave Scenario::wave_of(const std::string& joint) const {
  const auto found = joints.find(joint);
  if (found != joints.end()) return found->second;
  Wave around_start = wave;
  if (drive != Drive::kTorque) around_start.offset = start_of(joint);
  return around_start;
}

Scenario read_scenario(const std::string& path, std::optional<double> rate) {
  const Json document = read_json(path, "a scenario");
  const JsonFields fields(
      document, path,
      {"application", "steps",       "duration",      "rate",        "control_rate", "integrator",
       "gravity",     "seed",        "drive",         "start",       "amplitude",    "frequency",
       "joints",      "gains",       "limits",        "torque_rate", "watchdog",     "mode",
       "checkpoint",  "link_faults", "corrupt_state", "servo",       "missed"});
  Scenario scenario;
  scenario.path = path;
  constexpr Application kApplications[] = {Application::kPlant, Application::kDynamics,
                                           Application::kController, Application::kServo};
  scenario.application =
      kApplications[fields.choice("application",
                                  {name_of(kApplications[0]), name_of(kApplications[1]),
                                   name_of(kApplications[2]), name_of(kApplications[3])},
                                  0)];
  scenario.integrator = static_cast<Integrator>(
      fields.choice("integrator", {"euler", "rk4", "midpoint", "euler_middle"}, 0));
  scenario.seed = fields.whole("seed", scenario.seed, 0);
  if (const Json* gravity = fields.find("gravity")) {
    scenario.gravity = three_numbers(*gravity, fields.where("gravity"));
  }
  read_time(fields, rate, scenario);
  read_motion(fields, scenario);
  read_control(fields, scenario);
  read_checks(fields, scenario);
  return scenario;
}

void check_joints(const Scenario& scenario, std::span<const std::string> joints) {
  const auto check = [&](const char* key, const auto& named) {
    for (const auto& [name, value] : named) {
      if (std::ranges::find(joints, name) != joints.end()) continue;
      throw Error(scenario.path + ": '" + key + "': joint '" + name +
                  "': the robot has no such joint with one degree of freedom; " +
                  (joints.empty() ? "remove it" : "it has " + listed(joints)));
    }
  };
  check("start", scenario.start);
  check("joints", scenario.joints);
}

}  // namespace lockstep::host::hil
