#include "sweep/run.hpp"

#include <algorithm>
#include <iterator>

#include "sim/device_loop.hpp"
#include "sim/joint_watch.hpp"
#include "text/error.hpp"

namespace lockstep::host::sweep {

namespace {

Finished run_changed(const Question& question, std::uint64_t run, const sim::Changes& changes) {
  sim::SimOptions options = question.options;
  options.changes = changes;
  sim::JointStart start = prepare_joint(options, question.description);
  Devices devices;
  if (question.has_devices) {
    devices = devices_of(options, start.robot.computed, start.settings.dt);
    start.settings.devices = &devices;
  }
  const JointRecord rows(start.robot, start.bounds, !options.hold.empty());
  sim::JointWatch balanced(start.robot.whole, start.bounds);
  std::vector<RecordColumn> columns = rows.columns();
  std::ranges::copy(sim::device_columns(devices), std::back_inserter(columns));
  Measured measured(question.measures, question.columns, columns);
  const auto watch = [&](std::uint64_t, const JointMoment& now) {
    std::vector<double> row = rows.row(now, balanced.add(now));
    row.insert(row.end(), now.devices.begin(), now.devices.end());
    measured.add(row);
  };
  const auto simulate = options.scalar == "float" ? sim::simulate<float> : sim::simulate<double>;
  Finished finished = {.run = run};
  try {
    simulate(start.robot, start.settings, question.steps, question.every, start.state, watch);
    const bool broken = balanced.balance().is_broken(error_of(options, question.steps));
    if (broken) finished.verdict = Verdict::kUnstable;
  } catch (const BrokeOff&) {
    finished.verdict = Verdict::kBrokeOff;
  }
  finished.steps = start.state.step;
  finished.hash = start.state.hash;
  finished.values = measured.values();
  return finished;
}

}  // namespace

const char* to_string(Verdict verdict) {
  constexpr const char* kText[] = {"ok", "unstable", "broke off"};
  return kText[static_cast<std::size_t>(verdict)];
}

Finished run_one(const Question& question, std::uint64_t run) {
  const sim::Changes changes = question.plan.changes(run);
  try {
    return run_changed(question, run, changes);
  } catch (const Error& error) {
    throw Error("run " + std::to_string(run) + ": " + error.what());
  }
}

}  // namespace lockstep::host::sweep
