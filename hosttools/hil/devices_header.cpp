#include "hil/devices_header.hpp"

#include "emit/cpp_struct.hpp"
#include "loop/device_loop.hpp"
#include "model/content_hash.hpp"

namespace lockstep::host::hil {

namespace {

// Fields in the scalar of the firmware.
class ScalarFields : public Fields {
 public:
  using Fields::add;
  void add(const std::string& name, double value, double standard = 0) {
    if (value != standard) Fields::add(name, scalar(value));
  }
  void add(const std::string& name, const Vec3<double>& a) {
    if (a.x == 0 && a.y == 0 && a.z == 0) return;
    Fields::add(name, braced_line({scalar(a.x), scalar(a.y), scalar(a.z)}));
  }
  static std::string scalar(double value) { return "T(" + number(value) + ")"; }
};

std::string write(const Drivetrain<double>& train) {
  constexpr Drivetrain<double> kStandard;
  ScalarFields fields;
  if (train.delay != 0) fields.add("delay", std::to_string(train.delay));
  fields.add("effort", train.effort, kStandard.effort);
  fields.add("time_constant", train.time_constant);
  fields.add("stall", train.stall, kStandard.stall);
  fields.add("back_emf", train.back_emf);
  fields.add("efficiency", train.efficiency, 1);
  fields.add("coulomb", train.coulomb);
  fields.add("stiction", train.stiction);
  fields.add("stribeck", train.stribeck);
  fields.add("damping", train.damping);
  fields.add("inertia", train.inertia);
  fields.add("stiffness", train.stiffness);
  fields.add("spring_damping", train.spring_damping);
  fields.add("backlash", train.backlash);
  return fields.a_line_each();
}

std::string write(const JointEncoder& own) {
  ScalarFields figures, fields;
  figures.add("resolution", own.figures.resolution);
  figures.add("offset", own.figures.offset);
  figures.add("noise", own.figures.noise);
  if (own.figures.differentiates) figures.add("differentiates", "true");
  figures.add("time_constant", own.figures.time_constant);
  figures.add("channel", std::to_string(own.figures.channel));
  fields.add("body", std::to_string(own.body));
  fields.add("q", std::to_string(own.q));
  fields.add("v", std::to_string(own.v));
  if (own.at_motor) fields.add("at_motor", "true");
  fields.add("figures", figures.on_one_line());
  return fields.a_line_each();
}

std::string write(const Imu<double>& imu) {
  const Mat3<double>& R = imu.frame.X_BL.R;
  const Vec3<double>& p = imu.frame.X_BL.p;
  const NamedFrame standard;
  Fields frame;
  frame.add("body", write_holder(imu.frame.body));
  frame.add("R_BF", {R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z}, standard.R_BF);
  frame.add("p_BF", {p.x, p.y, p.z}, standard.p_BF);
  ScalarFields fields;
  fields.add("frame", "lockstep::LinkFrame<T>(lockstep::NamedFrame" + frame.on_one_line() + ")");
  fields.add("force_offset", imu.force_offset);
  fields.add("rate_offset", imu.rate_offset);
  fields.add("force_noise", imu.force_noise);
  fields.add("rate_noise", imu.rate_noise);
  fields.add("force_resolution", imu.force_resolution);
  fields.add("rate_resolution", imu.rate_resolution);
  fields.add("channel", std::to_string(imu.channel));
  return fields.a_line_each();
}

std::string write(const ForceTorque<double>& sensor) {
  ScalarFields fields;
  fields.add("body", std::to_string(sensor.body));
  fields.add("force_noise", sensor.force_noise);
  fields.add("torque_noise", sensor.torque_noise);
  fields.add("force_resolution", sensor.force_resolution);
  fields.add("torque_resolution", sensor.torque_resolution);
  fields.add("channel", std::to_string(sensor.channel));
  return fields.a_line_each();
}

std::string members(const Devices& devices, const Tree& tree) {
  std::vector<Item> trains, encoders, imus, wrenches;
  std::vector<std::string> friction(tree.bodies.size(), "T(0)");
  for (const std::string& joint : tree.joint_names) trains.push_back({commented(joint), "{}"});
  for (const JointDrive& own : devices.drives) {
    trains[at(own.body)].value = write(own.train);
    friction[at(own.body)] = ScalarFields::scalar(own.friction);
  }
  for (const JointEncoder& own : devices.encoders) {
    encoders.push_back({commented(own.joint), write(own)});
  }
  for (const LinkImu& own : devices.imus) imus.push_back({commented(own.name), write(own.figures)});
  for (const JointWrench& own : devices.wrenches) {
    wrenches.push_back({commented(own.joint), write(own.figures)});
  }
  return "  static constexpr std::uint64_t kSeed = " + std::to_string(devices.seed) + "u;\n" +
         array("lockstep::Drivetrain<T>", "kTrains", trains) +
         plain_array("T", "kFriction", friction) +
         array("lockstep::firmware::MountedEncoder<T>", "kEncoders", encoders) +
         array("lockstep::Imu<T>", "kImus", imus) +
         array("lockstep::ForceTorque<T>", "kWrenches", wrenches);
}

}  // namespace

std::string to_header(const Devices& devices, const Tree& tree) {
  return "// Drivetrains and sensors of " + commented(tree.name) +
         ", for steps of one length.\n#pragma once\n\n#include \"loop/device_loop.hpp\"\n\n" +
         "template <class T>\nstruct robot_devices {\n  static constexpr std::uint64_t kHash = " +
         hash_text(devices_hash(devices, tree)) + "u;\n" + members(devices, tree) + "};\n";
}

std::uint64_t devices_hash(const Devices& devices, const Tree& tree) {
  if (!devices.any()) return 0;
  Hash hash;
  hash.add(members(devices, tree));
  return hash.value();
}

}  // namespace lockstep::host::hil
