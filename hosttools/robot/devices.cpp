#include "robot/devices.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "text/error.hpp"
#include "text/number.hpp"
#include "urdf/placement.hpp"
#include "urdf/rotation.hpp"

namespace lockstep::host {

namespace {

Draft draft_of(const LoadOptions& options) {
  Examination examination = examine(options.file, options.read.limits);
  if (options.read.ignore_mimic) forget_mimics(examination);
  refuse_errors(options.file, examination.findings);
  return std::move(examination.draft);
}

bool has_devices(const Draft& draft) {
  const DraftSensors& sensors = draft.sensors;
  return !draft.drivetrains.empty() || !sensors.encoders.empty() || !sensors.imus.empty() ||
         !sensors.force_torques.empty();
}

class Resolver {
 public:
  Resolver(const LoadOptions& options, const Tree& tree, double dt)
      : file_(options.file), tree_(tree), dt_(dt), draft_(draft_of(options)) {
    Counts counts;
    for (const Body& body : tree.bodies) {
      at_.push_back(counts);
      counts.add(body.joint);
    }
  }

  Devices resolve() {
    const DraftSensors& sensors = draft_.sensors;
    devices_.seed = static_cast<std::uint64_t>(sensors.seed);
    for (const DraftDrivetrain& own : draft_.drivetrains) add(own);
    for (const DraftEncoder& own : sensors.encoders) add(own);
    for (const DraftImu& own : sensors.imus) add(own);
    for (const DraftForceTorque& own : sensors.force_torques) add(own);
    return std::move(devices_);
  }

 private:
  int body_of(const std::string& joint, const std::string& label) const {
    const auto found = std::ranges::find(tree_.joint_names, joint);
    if (found == tree_.joint_names.end()) {
      throw Error(file_ + ": " + label +
                  ": the joint is a rotor or a base that is fixed, and does " +
                  "not move by itself; hang it on the joint that does");
    }
    return static_cast<int>(found - tree_.joint_names.begin());
  }
  bool slides(int body) const { return tree_.bodies[at(body)].joint == JointType::kPrismatic; }
  std::uint32_t channels(std::uint32_t count) {
    const std::uint32_t first = channel_;
    channel_ += count;
    return first;
  }

  void add(const DraftDrivetrain& own) {
    const double steps = std::round(own.delay / dt_);
    if (steps > kMostDelay) {
      throw Error(file_ + ": " + own.label() + ": the delay is " + write_number(steps) +
                  " steps of " + write_number(dt_) + " s, and " + std::to_string(kMostDelay) +
                  " fit; give a longer --dt or a shorter delay");
    }
    auto train = to_drivetrain<double>(own.motor, own.gear, static_cast<int>(steps));
    const int body = body_of(own.joint.name, own.label());
    const Body& moved = tree_.bodies[at(body)];
    // of a rigid one these are the joint's already (urdf/describe.cpp)
    const double friction = own.is_rigid() ? moved.friction - train.coulomb : moved.friction;
    if (own.is_rigid()) train.inertia = train.damping = 0;
    if (train.check() != Status::kOk) {
      throw Error(file_ + ": " + own.label() + ": " + to_string(train.check()));
    }
    devices_.drives.push_back({.joint = own.joint.name,
                               .slides = slides(body),
                               .body = body,
                               .q = at_[at(body)].q,
                               .v = at_[at(body)].v,
                               .friction = friction > 0 ? friction : 0,
                               .train = train});
  }

  void add(const DraftEncoder& own) {
    const int body = body_of(own.joint.name, own.label());
    double side = 1;  // of the joint a unit of what is counted
    const auto train =
        std::ranges::find(draft_.drivetrains, own.joint.name,
                          [](const DraftDrivetrain& drive) { return drive.joint.name; });
    if (own.at_motor && train != draft_.drivetrains.end()) side = 1 / std::abs(train->gear.ratio);
    const double count = own.counts ? 2 * std::numbers::pi / *own.counts : 0;
    devices_.encoders.push_back({.joint = own.joint.name,
                                 .slides = slides(body),
                                 .body = body,
                                 .q = at_[at(body)].q,
                                 .v = at_[at(body)].v,
                                 .at_motor = own.at_motor,
                                 .figures = {.resolution = side * own.resolution.value_or(count),
                                             .offset = side * own.offset,
                                             .noise = side * own.noise,
                                             .differentiates = own.differentiates,
                                             .time_constant = own.time_constant,
                                             .channel = channels(1)}});
  }

  void add(const DraftImu& own) {
    const auto found = std::ranges::find(tree_.frame_names, own.link.name);
    if (found == tree_.frame_names.end()) {
      throw Error(file_ + ": " + own.label() + ": link " + quote(own.link.name) +
                  " is part of a rotor; name another");
    }
    const NamedFrame& link =
        tree_.frames[static_cast<std::size_t>(found - tree_.frame_names.begin())];
    LinkFrame<double> frame(link);
    const Placement<double> X_LS = {to_mat(rotation_from_rpy(own.origin.rpy)),
                                    to_vec(to_eigen(own.origin.xyz))};
    frame.X_BL = frame.X_BL * X_LS;
    Imu<double> figures;
    figures.frame = frame;
    figures.force_offset = to_vec(to_eigen(own.force_offset));
    figures.rate_offset = to_vec(to_eigen(own.rate_offset));
    figures.force_noise = own.force_noise, figures.rate_noise = own.rate_noise;
    figures.force_resolution = own.force_resolution;
    figures.rate_resolution = own.rate_resolution;
    figures.channel = channels(6);
    devices_.imus.push_back({own.name, figures});
  }

  void add(const DraftForceTorque& own) {
    devices_.wrenches.push_back({own.joint.name,
                                 {.body = body_of(own.joint.name, own.label()),
                                  .force_noise = own.force_noise,
                                  .torque_noise = own.torque_noise,
                                  .force_resolution = own.force_resolution,
                                  .torque_resolution = own.torque_resolution,
                                  .channel = channels(6)}});
  }

  const std::string file_;
  const Tree& tree_;
  const double dt_;
  const Draft draft_;
  std::vector<Counts> at_;
  std::uint32_t channel_ = 0;
  Devices devices_;
};

}  // namespace

bool has_devices(const LoadOptions& options) { return has_devices(draft_of(options)); }

void refuse_devices(const LoadOptions& options, const std::string& what) {
  const Draft draft = draft_of(options);
  if (!has_devices(draft)) return;
  const bool driven = !draft.drivetrains.empty();
  throw Error(options.file + ": " +
              (driven ? draft.drivetrains.front().label() : std::string("<sensors>")) + ": " +
              what + " knows no drivetrains and sensors; lockstep sim does, in joint space");
}

Devices load_devices(const LoadOptions& options, const Tree& computed, double dt) {
  return Resolver(options, computed, dt).resolve();
}

}  // namespace lockstep::host
