// Drivetrains and sensors: what they hang on exists, and their figures have a meaning.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>
#include <utility>

#include "urdf/rules.hpp"

namespace lockstep::host {

namespace {

using Figure = std::pair<const char*, double>;

void check_signs(const std::string& label, int line, std::initializer_list<Figure> figures,
                 Findings& findings) {
  for (const auto& [name, value] : figures) {
    if (value >= 0) continue;
    findings.error(line, "negative-figure", label + ": " + name + " is negative",
                   "give zero or more, or leave it out");
  }
}

class DeviceRules {
 public:
  DeviceRules(const Draft& draft, Findings& findings) : draft_(draft), findings_(findings) {}

  void check() {
    for (const DraftDrivetrain& own : draft_.drivetrains) drivetrain(own);
    const DraftSensors& sensors = draft_.sensors;
    const double seed = sensors.seed;
    if (!(seed >= 0) || seed != std::floor(seed) || seed > 9e15) {
      findings_.error(sensors.line, "bad-seed", "<sensors>: the seed is no whole number from zero",
                      "write a whole number such as seed=\"1\"");
    }
    for (const DraftEncoder& own : sensors.encoders) encoder(own);
    for (const DraftImu& own : sensors.imus) imu(own);
    for (const DraftForceTorque& own : sensors.force_torques) force_torque(own);
  }

 private:
  // Of a joint with one coordinate that moves by itself.
  bool check_joint(const Reference& joint, const std::string& label, std::set<std::string>& taken) {
    if (joint.name.empty()) return false;  // told already
    const auto found = std::ranges::find(draft_.joints, joint.name, &DraftJoint::name);
    if (found == draft_.joints.end()) {
      findings_.error(joint.line, "unknown-joint", label + ": there is no such joint",
                      "name a joint of this file");
    } else if (found->type && !has_one_coordinate(*found->type)) {
      findings_.error(joint.line, "device-joint", label + ": the joint has not one coordinate",
                      "name a revolute, continuous or prismatic joint");
    } else if (!taken.insert(joint.name).second) {
      findings_.error(joint.line, "repeated-device", label + ": it is there twice", "remove one");
    } else {
      return true;
    }
    return false;
  }

  void drivetrain(const DraftDrivetrain& own) {
    if (check_joint(own.joint, own.label(), driven_)) {
      const auto joint = std::ranges::find(draft_.joints, own.joint.name, &DraftJoint::name);
      if (joint->mimic) {
        findings_.error(own.line, "drivetrain-mimic",
                        own.label() + ": the joint has a <mimic>, and its leader's motor moves it",
                        "give the leader a drivetrain");
      }
    }
    const auto error = [&](const char* what, const char* remedy) {
      findings_.error(own.line, "drivetrain-figures", own.label() + ": " + what, remedy);
    };
    const MotorFigures& motor = own.motor;
    const GearFigures& gear = own.gear;
    check_signs(own.label(), own.line,
                {{"delay", own.delay},
                 {"torque_constant", motor.torque_constant},
                 {"resistance", motor.resistance},
                 {"voltage", motor.voltage},
                 {"current", motor.current},
                 {"inertia", motor.inertia},
                 {"time_constant", motor.time_constant},
                 {"the motor's friction", motor.friction},
                 {"the motor's viscous friction", motor.damping},
                 {"backlash", gear.backlash},
                 {"coulomb", gear.coulomb},
                 {"stiction", gear.stiction},
                 {"stribeck_velocity", gear.stribeck},
                 {"viscous", gear.damping},
                 {"stiffness", gear.stiffness},
                 {"the spring's damping", gear.spring_damping}},
                findings_);
    const bool fed = std::isfinite(motor.voltage), bounded = std::isfinite(motor.current);
    if (gear.ratio == 0) error("the ratio is zero", "give the motor's speed over the joint's");
    if (!(gear.efficiency > 0 && gear.efficiency <= 1)) {
      error("the efficiency is not above zero and at most one", "0.72 is 72 percent");
    }
    if ((fed || bounded) && motor.torque_constant <= 0) {
      error("voltage or current without a torque constant", "give torque_constant in N m/A");
    }
    if (fed && motor.resistance <= 0) {
      error("a voltage without a resistance", "give resistance in ohm, between terminals");
    }
    if (gear.stiction > 0 && gear.stiction < gear.coulomb) {
      error("stiction is less than coulomb", "give the larger one, or leave stiction out");
    }
    if (!own.is_rigid() && motor.inertia <= 0) {
      error("a spring without a rotor's inertia", "give inertia of the <motor> in kg m^2");
    }
    if (own.is_rigid() && (gear.backlash > 0 || gear.spring_damping > 0)) {
      error("backlash or a spring's damping without a stiffness",
            "give the gear's torsional stiffness in <spring stiffness=...>");
    }
    if (own.is_rigid() && (gear.efficiency < 1 || gear.stiction > 0) &&
        gear.coulomb + motor.friction <= 0) {
      error("losses that depend on load or speed, without dry friction",
            "give the gear's starting torque in <friction coulomb=...>");
    }
  }

  void encoder(const DraftEncoder& own) {
    check_joint(own.joint, own.label(), read_);
    check_signs(own.label(), own.line,
                {{"counts", own.counts.value_or(0)},
                 {"resolution", own.resolution.value_or(0)},
                 {"noise", own.noise},
                 {"time_constant", own.time_constant}},
                findings_);
    const auto error = [&](const char* what, const char* remedy) {
      findings_.error(own.line, "encoder-figures", own.label() + ": " + what, remedy);
    };
    if (own.counts && own.resolution) {
      error("it has counts and a resolution", "give one of them");
    }
    if (own.counts == 0.0) error("counts is zero", "give the counts a turn, or leave it out");
    if (own.time_constant > 0 && !own.differentiates) {
      error("a time constant of an exact velocity", "add velocity=\"from_position\"");
    }
    const bool driven = std::ranges::any_of(draft_.drivetrains, [&](const DraftDrivetrain& train) {
      return train.joint.name == own.joint.name;
    });
    if (own.at_motor && !driven) {
      error("it is at a motor, and the joint has no drivetrain",
            "add a <drivetrain>, or write side=\"joint\"");
    }
  }

  void imu(const DraftImu& own) {
    const bool known =
        std::ranges::find(draft_.links, own.link.name, &DraftLink::name) != draft_.links.end();
    if (!own.link.name.empty() && !known) {
      findings_.error(own.line, "unknown-link",
                      own.label() + ": there is no link " + quote(own.link.name),
                      "name a link of this file");
    }
    if (!own.name.empty() && !units_.insert(own.name).second) {
      findings_.error(own.line, "repeated-device", own.label() + ": the name is taken",
                      "give each its own");
    }
    check_place(own.label(), own.origin, findings_);
    check_signs(own.label(), own.line,
                {{"acceleration_noise", own.force_noise},
                 {"rate_noise", own.rate_noise},
                 {"acceleration_resolution", own.force_resolution},
                 {"rate_resolution", own.rate_resolution}},
                findings_);
  }

  void force_torque(const DraftForceTorque& own) {
    check_joint(own.joint, own.label(), felt_);
    check_signs(own.label(), own.line,
                {{"force_noise", own.force_noise},
                 {"torque_noise", own.torque_noise},
                 {"force_resolution", own.force_resolution},
                 {"torque_resolution", own.torque_resolution}},
                findings_);
  }

  const Draft& draft_;
  Findings& findings_;
  std::set<std::string> driven_, read_, felt_, units_;
};

}  // namespace

void check_devices(const Draft& draft, Findings& findings) { DeviceRules(draft, findings).check(); }

}  // namespace lockstep::host
