#include "sim/changes.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "record/joint_columns.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"
#include "text/suggest.hpp"

namespace lockstep::host::sim {

namespace {

constexpr double kUsualPush = 0.1;  // s

[[noreturn]] void refuse_change(const Change& change, const std::string& why) {
  throw Error("--set " + change_text(change) + ": " + why);
}

void require_positive(const Change& change) {
  if (!(change.value > 0)) refuse_change(change, "give a number above 0");
}
void require_not_negative(const Change& change) {
  if (!(change.value >= 0)) refuse_change(change, "give 0 or a number above");
}
std::uint64_t require_whole(const Change& change) {
  if (!(change.value >= 0 && change.value <= 0x1p53) || std::floor(change.value) != change.value) {
    refuse_change(change, "give a whole number");
  }
  return static_cast<std::uint64_t>(change.value);
}

// What of the name follows "mass."; none if it does not begin so.
std::optional<std::string> after(const Change& change, std::string_view prefix) {
  if (!change.name.starts_with(prefix)) return std::nullopt;
  return change.name.substr(prefix.size());
}

const Change* find_change(const Changes& changes, std::string_view name) {
  const auto found = std::ranges::find(changes, name, &Change::name);
  return found == changes.end() ? nullptr : &*found;
}

// The first step at or after this time, as decimals mean it.
std::uint64_t step_at(const Change& change, double time, double dt) {
  constexpr double kLastStep = 1e15;
  if (!(time >= 0)) refuse_change(change, "give a time from 0");
  return static_cast<std::uint64_t>(std::clamp(std::ceil(time / dt - 1e-6), 0.0, kLastStep));
}

bool has_one_coordinate(const JointDescription& joint) {
  return joint.type == UrdfJoint::kRevolute || joint.type == UrdfJoint::kContinuous ||
         joint.type == UrdfJoint::kPrismatic;
}

}  // namespace

Change read_change(const std::string& text) {
  const std::size_t sign = text.rfind('=');
  const auto value = sign == std::string::npos
                         ? std::nullopt
                         : parse_number(std::string_view(text).substr(sign + 1));
  if (!value || sign == 0) {
    throw Error("--set " + text + ": give NAME=NUMBER, for example --set q.elbow=0.5");
  }
  return {text.substr(0, sign), *value};
}

std::string change_text(const Change& change) {
  return change.name + "=" + write_number(change.value);
}

std::vector<RecordColumn> changeable(const Description& description, const RobotTrees& robot) {
  const Tree& tree = robot.whole;
  std::vector<RecordColumn> columns;
  for (const RecordColumn& own : joint_columns(tree)) {
    if (own.name.starts_with("tau.")) {
      columns.push_back({"push." + own.name.substr(4), own.unit});
    } else {
      columns.push_back(own);
    }
  }
  columns.push_back({"push_time", "s"});
  columns.push_back({"push_duration", "s"});
  for (const LinkDescription& link : description.links) {
    const auto frame = std::ranges::find(tree.frame_names, link.name);
    const bool moves =
        frame != tree.frame_names.end() &&
        tree.frames[static_cast<std::size_t>(frame - tree.frame_names.begin())].body != kWorld;
    if (moves && link.mass > 0) columns.push_back({"mass." + link.name, "kg"});
  }
  for (const JointDescription& joint : description.joints) {
    if (!has_one_coordinate(joint) ||
        std::ranges::find(tree.joint_names, joint.name) == tree.joint_names.end()) {
      continue;
    }
    const bool slides = joint.type == UrdfJoint::kPrismatic;
    columns.push_back({"friction." + joint.name, slides ? "N" : "N m"});
    columns.push_back({"damping." + joint.name, slides ? "N s/m" : "N m s/rad"});
    const auto& moving = robot.computed.joint_names;
    if (std::ranges::find(moving, joint.name) != moving.end()) {
      columns.push_back({"dead." + joint.name, "s"});
    }
  }
  for (const char* axis : {"x", "y", "z"}) {
    columns.push_back({std::string("gravity.") + axis, "m/s^2"});
  }
  columns.insert(columns.end(), {{"kp", ""},
                                 {"kd", ""},
                                 {"drop", "m"},
                                 {"ground_friction", ""},
                                 {"ground_restitution", ""},
                                 {"ground_stiffness", "N/m"},
                                 {"ground_damping", "N s/m"},
                                 {"noise_seed", ""}});
  return columns;
}

void require_known(const Changes& changes, const Description& description,
                   const RobotTrees& robot) {
  const std::vector<RecordColumn> columns = changeable(description, robot);
  std::vector<std::string_view> known;
  for (const RecordColumn& column : columns) known.push_back(column.name);
  std::set<std::string_view> seen;
  for (const Change& change : changes) {
    if (std::ranges::find(known, change.name) == known.end()) {
      const std::string_view near = nearest_word(change.name, known);
      throw Error(quote(change.name) + " is nothing of robot " + quote(robot.whole.name) +
                  " that can be set" + (near.empty() ? "" : "; did you mean " + quote(near) + "?") +
                  "; docs/sweep.md lists the names");
    }
    if (!seen.insert(change.name).second) {
      throw Error(quote(change.name) + " is set twice; leave one out");
    }
  }
}

Description changed(const Changes& changes, const Description& description) {
  Description own = description;
  for (const Change& change : changes) {
    if (const auto name = after(change, "mass.")) {
      require_positive(change);
      for (LinkDescription& link : own.links) {
        if (link.name != *name) continue;
        link.inertia *= change.value / link.mass;
        link.mass = change.value;
      }
    }
    const auto set_joint = [&](std::string_view prefix, double JointDescription::*what) {
      const auto name = after(change, prefix);
      if (!name) return;
      require_not_negative(change);
      for (JointDescription& joint : own.joints) {
        if (joint.name == *name) joint.*what = change.value;
      }
    };
    set_joint("friction.", &JointDescription::friction);
    set_joint("damping.", &JointDescription::damping);
  }
  return own;
}

void change_options(const Changes& changes, SimOptions& options) {
  for (const Change& change : changes) {
    const auto set = [&](const char* name, std::optional<double>& value) {
      if (change.name != name) return false;
      require_not_negative(change);
      value = change.value;
      return true;
    };
    if (change.name == "kp" || change.name == "kd") {
      require_not_negative(change);
      if (options.hold.empty()) refuse_change(change, "nothing holds the robot; give --hold KP,KD");
      options.hold[change.name == "kp" ? 0 : 1] = change.value;
    } else if (const auto axis = after(change, "gravity.")) {
      if (options.gravity.empty()) options.gravity = {0, 0, -9.81};
      options.gravity[*axis == "x" ? 0 : *axis == "y" ? 1 : 2] = change.value;
    } else if (change.name.starts_with("friction.") && options.bounds.friction == "none") {
      refuse_change(change, "--friction none leaves it out; leave that out");
    } else if (change.name.starts_with("dead.") && options.hold.empty() &&
               options.torques.empty() && options.controller.command.empty()) {
      refuse_change(change, "nothing drives the robot; give --hold KP,KD or --torques");
    } else if (change.name.starts_with("damping.") && options.load.reduce.ignore_damping) {
      refuse_change(change, "--ignore-damping leaves it out; leave that out");
    } else if (set("ground_restitution", options.bounds.ground_restitution)) {
      if (change.value > 1) refuse_change(change, "give a number from 0 to 1");
    } else if (set("ground_stiffness", options.bounds.ground_stiffness)) {
      require_positive(change);
    } else {
      (void)set("drop", options.drop);
      (void)set("ground_friction", options.bounds.ground_friction);
      (void)set("ground_damping", options.bounds.ground_damping);
    }
  }
  if (options.bounds.ground_damping && !options.bounds.ground_stiffness) {
    throw Error("--set ground_damping: the ground is rigid; set ground_stiffness too");
  }
}

bool change_state(const Changes& changes, const Tree& tree, SimState& state) {
  const CoordinateNames names = coordinate_names(tree);
  bool any = false;
  for (const Change& change : changes) {
    const auto set = [&](const char* prefix, const std::vector<std::string>& all,
                         Eigen::VectorXd& values) {
      const auto name = after(change, prefix);
      if (!name) return;
      values[std::ranges::find(all, *name) - all.begin()] = change.value;
      any = true;
    };
    set("q.", names.q, state.q);
    set("v.", names.v, state.v);
  }
  if (any) normalize_quaternions("--set", tree, state.q);
  return any;
}

bool moves_base(const Changes& changes, const Tree& tree) {
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    if (body.joint != JointType::kFloating || body.parent != kWorld) continue;
    const std::string base = "q." + tree.joint_names[i] + ".";
    for (const Change& change : changes) {
      if (change.name.starts_with(base)) return true;
    }
  }
  return false;
}

void change_settings(const Changes& changes, const Tree& tree, SimSettings& settings) {
  const CoordinateNames names = coordinate_names(tree);
  const Change* window = nullptr;
  for (const Change& change : changes) {
    if (change.name.starts_with("push_")) window = &change;
    if (change.name.starts_with("ground_") && !settings.bounds.has_ground()) {
      refuse_change(change, "there is no ground; give --ground plane, and shapes");
    }
    if (const auto name = after(change, "push.")) {
      if (!settings.push) settings.push = Push{Eigen::VectorXd::Zero(total_dof(tree.bodies)), 0, 0};
      settings.push->effort[std::ranges::find(names.v, *name) - names.v.begin()] = change.value;
    }
    if (const auto name = after(change, "dead.")) {
      settings.dead.push_back({*name, step_at(change, change.value, settings.dt)});
    }
  }
  if (window != nullptr && !settings.push) refuse_change(*window, "nothing pushes; set push.JOINT");
  if (!settings.push) return;
  const Change *time = find_change(changes, "push_time"),
               *duration = find_change(changes, "push_duration");
  if (duration != nullptr) require_positive(*duration);
  const double from = time == nullptr ? 0 : time->value;
  const double until = from + (duration == nullptr ? kUsualPush : duration->value);
  const Change own = {"push_time", from};
  settings.push->from = step_at(own, from, settings.dt);
  settings.push->until = step_at(own, until, settings.dt);
}

void change_devices(const Changes& changes, Devices& devices) {
  const Change* seed = find_change(changes, "noise_seed");
  if (seed == nullptr) return;
  if (!devices.any()) refuse_change(*seed, "the file has no sensors whose noise it could seed");
  devices.seed = require_whole(*seed);
}

}  // namespace lockstep::host::sim
