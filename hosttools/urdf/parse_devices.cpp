#include "urdf/parse_devices.hpp"

#include "text/finding.hpp"

namespace lockstep::host {

using tinyxml2::XMLElement;

namespace {

// Sets what is given.
struct Numbers {
  const XMLElement* element;
  ElementReader& read;
  void operator()(const char* name, double& value) const {
    if (element) value = read.number(*element, name).value_or(value);
  }
};

// The joint that the element belongs to, which becomes the owner of what is told.
Reference joint_of(const XMLElement& element, ElementReader& read) {
  const char* joint = element.Attribute("joint");
  const std::string kind = element.Name();
  read.own(joint ? kind + " of joint " + quote(joint) : "<" + kind + ">");
  if (!joint) read.missing(element, "joint");
  return {joint ? joint : "", element.GetLineNum()};
}

// Whether the attribute is the second of two words; any other is an error.
bool is_second(const XMLElement& element, const char* name, std::string_view first,
               std::string_view second, const ElementReader& read, Findings& findings) {
  const tinyxml2::XMLAttribute* attribute = element.FindAttribute(name);
  if (!attribute) return false;
  const std::string_view word = attribute->Value();
  if (word != first && word != second) {
    findings.error(attribute->GetLineNum(), "unknown-word",
                   read.owner() + ": " + name + " is " + quote(word),
                   "write " + std::string(first) + " or " + std::string(second));
  }
  return word == second;
}

DraftEncoder parse_encoder(const XMLElement& element, ElementReader& read, Findings& findings) {
  DraftEncoder encoder;
  encoder.line = element.GetLineNum();
  encoder.joint = joint_of(element, read);
  encoder.at_motor = is_second(element, "side", "joint", "motor", read, findings);
  encoder.differentiates = is_second(element, "velocity", "exact", "from_position", read, findings);
  encoder.counts = read.number(element, "counts");
  encoder.resolution = read.number(element, "resolution");
  const Numbers set{&element, read};
  set("offset", encoder.offset), set("noise", encoder.noise);
  set("time_constant", encoder.time_constant);
  return encoder;
}

DraftImu parse_imu(const XMLElement& element, ElementReader& read) {
  DraftImu imu;
  imu.line = element.GetLineNum();
  imu.name = read.own_name(element);
  imu.link = read.link(element);
  imu.origin = read.origin(element);
  const Numbers set{&element, read};
  set("acceleration_noise", imu.force_noise), set("rate_noise", imu.rate_noise);
  set("acceleration_resolution", imu.force_resolution);
  set("rate_resolution", imu.rate_resolution);
  imu.force_offset = read.triple(element, "acceleration_offset").value_or(Triple{});
  imu.rate_offset = read.triple(element, "rate_offset").value_or(Triple{});
  return imu;
}

DraftForceTorque parse_force_torque(const XMLElement& element, ElementReader& read) {
  DraftForceTorque sensor;
  sensor.line = element.GetLineNum();
  sensor.joint = joint_of(element, read);
  const Numbers set{&element, read};
  set("force_noise", sensor.force_noise), set("torque_noise", sensor.torque_noise);
  set("force_resolution", sensor.force_resolution);
  set("torque_resolution", sensor.torque_resolution);
  return sensor;
}

}  // namespace

DraftDrivetrain parse_drivetrain(const XMLElement& element, ElementReader& read) {
  DraftDrivetrain result;
  result.line = element.GetLineNum();
  result.joint = joint_of(element, read);
  Numbers{&element, read}("delay", result.delay);

  MotorFigures& motor = result.motor;
  const Numbers of_motor{element.FirstChildElement("motor"), read};
  of_motor("torque_constant", motor.torque_constant), of_motor("resistance", motor.resistance);
  of_motor("voltage", motor.voltage), of_motor("current", motor.current);
  of_motor("inertia", motor.inertia), of_motor("time_constant", motor.time_constant);
  of_motor("friction", motor.friction), of_motor("viscous", motor.damping);

  GearFigures& gear = result.gear;
  const Numbers of_gear{element.FirstChildElement("gear"), read};
  of_gear("ratio", gear.ratio), of_gear("efficiency", gear.efficiency);
  of_gear("backlash", gear.backlash);
  const Numbers of_friction{element.FirstChildElement("friction"), read};
  of_friction("coulomb", gear.coulomb), of_friction("stiction", gear.stiction);
  of_friction("stribeck_velocity", gear.stribeck), of_friction("viscous", gear.damping);
  const Numbers of_spring{element.FirstChildElement("spring"), read};
  of_spring("stiffness", gear.stiffness), of_spring("damping", gear.spring_damping);
  return result;
}

DraftSensors parse_sensors(const XMLElement& element, ElementReader& read, Findings& findings) {
  DraftSensors sensors;
  sensors.line = element.GetLineNum();
  read.own("<sensors>");
  Numbers{&element, read}("seed", sensors.seed);
  for (auto* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) {
    const std::string_view kind = child->Name();
    if (kind == "encoder") sensors.encoders.push_back(parse_encoder(*child, read, findings));
    if (kind == "imu") sensors.imus.push_back(parse_imu(*child, read));
    if (kind == "force_torque") sensors.force_torques.push_back(parse_force_torque(*child, read));
  }
  return sensors;
}

}  // namespace lockstep::host
