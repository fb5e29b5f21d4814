#include "sweep/question.hpp"

#include <iostream>

#include "model/content_hash.hpp"
#include "robot/equipped_plant.hpp"
#include "sim/changes.hpp"
#include "sweep/lanes.hpp"
#include "system/read_file.hpp"
#include "text/error.hpp"

namespace lockstep::host::sweep {

namespace {

// Files that a run reads besides the robot's, and the robot's itself: every byte may matter.
void add_file(Hash& hash, const std::string& path) {
  if (path.empty()) return;
  const FileText text = try_read_file(path, 256 * kMebibyte);
  hash.add(std::string_view(text.trouble.empty() ? text.bytes : path));
}

void add_vector(Hash& hash, const Eigen::VectorXd& values) {
  hash.add(static_cast<std::uint64_t>(values.size()));
  hash.add_all(values);
}

std::uint64_t hash_of(const Question& own, const sim::JointStart& start) {
  const sim::SimOptions& options = own.options;
  const sim::SimSettings& settings = start.settings;
  Hash hash;
  const auto add_text = [&](const std::string& text) { hash.add(std::string_view(text)); };
  add_text(LOCKSTEP_VERSION);
  add_text(own.plan.text());
  add_file(hash, options.load.file);
  hash.add(content_hash(start.robot.whole));
  hash.add(content_hash(start.robot.computed));
  add_text(options.scalar);
  add_text(options.integrator);
  add_text(options.stabilization);
  hash.add(settings.dt);
  hash.add(own.steps);
  hash.add(own.every);
  hash.add_all(settings.gravity);
  for (const double gain : options.hold) hash.add(gain);
  add_file(hash, options.torques);
  add_text(options.start);
  add_vector(hash, start.state.q);
  add_vector(hash, start.state.v);
  add_vector(hash, start.state.held);
  const Bounds& bounds = start.bounds;
  for (const std::string& word : options.bounds.limits) add_text(word);
  add_text(options.bounds.friction);
  add_text(options.bounds.ground);
  add_file(hash, options.bounds.ground);
  add_text(options.bounds.contact_solver);
  hash.add(static_cast<std::int32_t>(bounds.contacts));
  for (const double number :
       {bounds.ground_friction, bounds.ground_restitution, bounds.ground_stiffness,
        bounds.ground_damping, bounds.height, options.drop.value_or(-1)}) {
    hash.add(number);
  }
  return hash.value();
}

}  // namespace

Question ask(sim::SimOptions options, const std::string& sweep, std::uint64_t every) {
  // one after the other: gcc 12 destroys twice what an aggregate has, where its next member throws
  Question own;
  own.every = every;
  own.plan = Plan::read(sweep);
  own.description = read_description(options.load);
  own.has_devices = has_devices(options.load);
  settle_for_joints(options, own.has_devices);
  own.options = std::move(options);
  const sim::JointStart start = prepare_joint(own.options, own.description);
  const double dt = start.settings.dt;
  own.steps = step_count(own.options, dt);
  // the first run tells what all vary
  const sim::Changes first = own.plan.changes(0);
  require_known(first, own.description, start.robot);
  const auto known = sim::changeable(own.description, start.robot);
  for (const std::string& name : own.plan.names()) {
    own.varied.push_back(known[find_column(known, name).value()]);
  }
  own.columns = JointRecord(start.robot, start.bounds, !own.options.hold.empty()).columns();
  if (own.has_devices) {
    const Devices devices = devices_of(own.options, start.robot.computed, dt);
    for (const RecordColumn& column : DeviceRow(devices).columns()) own.columns.push_back(column);
  } else {
    Devices none;
    change_devices(first, none);
  }
  own.measures = read_measures(sweep, own.plan.measures(), own.columns);
  own.hash = hash_of(own, start);
  own.in_lanes = goes_in_lanes(own, start);
  own.options.load.quiet = true;  // what is to be told has been
  return own;
}

}  // namespace lockstep::host::sweep
