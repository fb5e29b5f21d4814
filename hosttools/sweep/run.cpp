#include "sweep/run.hpp"

#include <algorithm>
#include <iterator>

#include "robot/equipped_plant.hpp"
#include "text/error.hpp"

namespace lockstep::host::sweep {

namespace {

std::vector<RecordColumn> columns_of(const JointRecord& rows, const StartedRun& run) {
  std::vector<RecordColumn> columns = rows.columns();
  std::ranges::copy(DeviceRow(run.devices).columns(), std::back_inserter(columns));
  return columns;
}

Error named(std::uint64_t run, const Error& error) {
  return Error("run " + std::to_string(run) + ": " + error.what());
}

}  // namespace

const char* to_string(Verdict verdict) {
  constexpr const char* kText[] = {"ok", "unstable", "broke off"};
  return kText[static_cast<std::size_t>(verdict)];
}

RunWatch::RunWatch(const Question& question, const StartedRun& run)
    : question_(question),
      run_(run),
      rows_(run.start.robot, run.start.bounds, !question.options.hold.empty()),
      balanced_(run.start.robot.whole, run.start.bounds),
      measured_(question.measures, question.columns, columns_of(rows_, run)) {}

void RunWatch::add(const JointMoment& now) {
  std::vector<double> row = rows_.row(now, balanced_.add(now));
  row.insert(row.end(), now.devices.begin(), now.devices.end());
  measured_.add(row);
}

Finished RunWatch::finished(std::uint64_t steps, std::uint64_t hash, bool broke_off) const {
  const bool broken = balanced_.balance().is_broken(error_of(question_.options, question_.steps));
  return {.run = run_.run,
          .verdict = broke_off ? Verdict::kBrokeOff
                     : broken  ? Verdict::kUnstable
                               : Verdict::kOk,
          .steps = steps,
          .hash = hash,
          .values = measured_.values()};
}

StartedRun start_run(const Question& question, std::uint64_t run) {
  try {
    sim::SimOptions options = question.options;
    options.changes = question.plan.changes(run);
    sim::JointStart start = prepare_joint(options, question.description);
    StartedRun own = {.run = run, .start = std::move(start)};
    if (question.has_devices) {
      own.devices = devices_of(options, own.start.robot.computed, own.start.settings.dt);
    }
    return own;
  } catch (const Error& error) {
    throw named(run, error);
  }
}

Finished finish_run(const Question& question, StartedRun& run) {
  sim::JointStart& start = run.start;
  if (question.has_devices) start.settings.devices = &run.devices;
  RunWatch watch(question, run);
  const auto look = [&](std::uint64_t, const JointMoment& now) { watch.add(now); };
  const auto simulate =
      question.options.scalar == "float" ? sim::simulate<float> : sim::simulate<double>;
  bool broke_off = false;
  try {
    simulate(start.robot, start.settings, question.steps, question.every, start.state, look);
  } catch (const BrokeOff&) {
    broke_off = true;
  } catch (const Error& error) {
    throw named(run.run, error);
  }
  return watch.finished(start.state.step, start.state.hash, broke_off);
}

}  // namespace lockstep::host::sweep
