#include "sweep/lanes.hpp"

#include <algorithm>
#include <deque>
#include <optional>

#include "model/rotor_map.hpp"
#include "model/tree_rows.hpp"
#include "robot/lane_stepping.hpp"

namespace lockstep::host::sweep {

namespace {

// A run in its lane.
class LaneRun {
 public:
  LaneRun(const Question& question, const StartedRun& run)
      : run_(run),
        map_(run.start.robot.whole, run.start.robot.computed),
        watch_(question, run),
        now_{rest(run.start.robot.whole.bodies)} {
    now_.gravity = Eigen::Vector3d(run.start.settings.gravity.data());
  }

  const StartedRun& run() const { return run_; }
  Eigen::VectorXd merged_q() const { return map_.merged_q(run_.start.state.q); }
  Eigen::VectorXd merged_v() const { return map_.merged_v(run_.start.state.v); }

  void look(const LaneStepping& stepping, int lane) {
    now_.q = map_.whole_q(stepping.q(lane));
    now_.v = map_.whole_v(stepping.v(lane));
    watch_.add(now_);
  }
  Finished finish(std::uint64_t steps, std::uint64_t hash) const {
    return watch_.finished(steps, hash, false);
  }

 private:
  const StartedRun& run_;
  const RotorMap map_;
  RunWatch watch_;
  JointMoment now_;
};

// Those that fit, to their end. One that fails on the way is left to itself: `finished` has no
// place for it.
void run_lanes(const Question& question, std::deque<LaneRun>& lanes,
               std::vector<std::optional<Finished>>& finished) {
  std::vector<const Tree*> trees;
  for (const LaneRun& own : lanes) trees.push_back(&own.run().start.robot.computed);
  LaneStepping stepping(trees);
  const auto lane_count = static_cast<int>(lanes.size());
  for (int lane = 0; lane < kStepLanes; ++lane) {
    const LaneRun& own = lanes[at(std::min(lane, lane_count - 1))];
    stepping.set(lane, own.merged_q(), own.merged_v(), own.run().start.settings.gravity);
  }
  const sim::SimSettings& settings = lanes[0].run().start.settings;
  std::array<bool, kStepLanes> failed = {};
  for (std::uint64_t step = 0; step <= question.steps; ++step) {
    const bool shown = step % question.every == 0 || step == question.steps;
    for (int lane = 0; shown && lane < lane_count; ++lane) {
      if (!failed[at(lane)]) lanes[at(lane)].look(stepping, lane);
    }
    if (step == question.steps) break;
    const auto statuses = stepping.step(settings.dt, settings.integrator);
    for (int lane = 0; lane < lane_count; ++lane) {
      failed[at(lane)] |= statuses[at(lane)] != Status::kOk;
    }
  }
  for (int lane = 0; lane < lane_count; ++lane) {
    std::optional<Finished>& own = finished.emplace_back();
    if (!failed[at(lane)]) own = lanes[at(lane)].finish(question.steps, stepping.hash(lane));
  }
}

}  // namespace

bool goes_in_lanes(const Question& question, const sim::JointStart& start) {
  const Tree& tree = start.robot.computed;
  return question.options.scalar == "double" && !question.has_devices &&
         start.settings.integrator != Integrator::kMidpoint && !start.settings.is_driven() &&
         !is_closed(tree) && !Bounded(tree, start.bounds).any() && LaneStepping::fits(tree, tree);
}

std::vector<Finished> run_side_by_side(const Question& question,
                                       std::span<const std::uint64_t> runs) {
  std::deque<StartedRun> started;
  for (const std::uint64_t run : runs) started.push_back(start_run(question, run));
  std::vector<Finished> results;
  for (std::size_t first = 0; first < started.size();) {
    std::deque<LaneRun> lanes;
    const auto fits = [&](const StartedRun& run) {
      return goes_in_lanes(question, run.start) &&
             LaneStepping::fits(started[first].start.robot.computed, run.start.robot.computed);
    };
    std::size_t end = first;
    while (end < started.size() && end < first + kStepLanes && fits(started[end])) {
      lanes.emplace_back(question, started[end++]);
    }
    std::vector<std::optional<Finished>> finished;
    if (!lanes.empty()) run_lanes(question, lanes, finished);
    if (finished.empty()) finished.emplace_back();
    for (const std::optional<Finished>& own : finished) {
      StartedRun& run = started[first++];
      results.push_back(own ? *own : finish_run(question, run));
    }
  }
  return results;
}

}  // namespace lockstep::host::sweep
