#include "python/simulation.hpp"

#include "model/loop_rows.hpp"
#include "robot/placement.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"
#include "text/number.hpp"

namespace lockstep::host::python {

namespace {

sim::SimSettings settings_of(const RunOptions& options, Bounds bounds) {
  sim::SimSettings settings = {.dt = options.dt,
                               .gravity = options.gravity,
                               .limits = wants_limit(options.bounds, "effort"),
                               .bounds = std::move(bounds),
                               .hold = options.hold,
                               .torques = {}};
  settings.integrator = sim::integrator_named(options.integrator);
  settings.stabilization = options.stabilization == "none"         ? Stabilization::kOff
                           : options.stabilization == "projection" ? Stabilization::kProjection
                                                                   : Stabilization::kBaumgarte;
  return settings;
}

// As `lockstep sim` places a robot.
SimState start_of(const RunOptions& options, const std::string& file, const Tree& tree,
                  const Bounds& bounds) {
  SimState state = rest_state(tree);
  state.q = options.q ? *options.q : usual_start(file, tree).q;
  if (options.v) state.v = *options.v;
  if (options.drop || !options.q) place_on_ground(file, options.drop, bounds, tree, state.q);
  state.held = state.q;
  require_closed(file, "", tree, state.q);
  return state;
}

}  // namespace

Run::Run(std::shared_ptr<const RobotTrees> robot, std::string file, const RunOptions& options)
    : robot_(std::move(robot)),
      file_(std::move(file)),
      scalar_(options.scalar),
      settings_(settings_of(options, make_bounds(options.bounds, file_, robot_->computed))),
      bounded_(robot_->computed, settings_.bounds),
      record_(*robot_, settings_.bounds, false, false),
      moment_{rest(robot_->whole.bodies)} {
  require_motion(file_, robot_->whole);
  torques = moment_.tau;
  settings_.law = [this](std::uint64_t, const Eigen::VectorXd&, const Eigen::VectorXd&) {
    return torques;
  };
  if (options.restore.empty()) {
    state_ = start_of(options, file_, robot_->whole, settings_.bounds);
  } else {
    const SavedState saved = read_saved(options.restore, robot_->whole, scalar_);
    settings_.dt = saved.dt;
    state_ = saved.state;
  }
  moment_.gravity = Eigen::Vector3d(settings_.gravity.data());
  begin();
}

void Run::begin() {
  run_ = scalar_ == "float" ? sim::make_stepped_run<float>(*robot_, settings_, state_)
                            : sim::make_stepped_run<double>(*robot_, settings_, state_);
  read();
}

void Run::read() {
  run_->keep(state_);
  run_->read(moment_);
  moment_.tau = run_->tau();
}

void Run::step(std::uint64_t count) {
  try {
    for (; count > 0; --count) {
      run_->drive();
      limited_ += run_->advance(outcome_);
    }
  } catch (...) {
    read();
    throw;
  }
  read();
}

void Run::hold(const Hold& gains, const std::optional<Eigen::VectorXd>& q) {
  if (q) require_closed(file_, "hold", robot_->whole, *q);
  state_.held = q ? *q : state_.q;
  settings_.hold = gains;
  begin();
}

void Run::release() {
  settings_.hold.reset();
  begin();
}

void Run::set_state(const SimState& state) {
  if (state.q.size() != state_.q.size() || state.v.size() != state_.v.size()) {
    throw Error("state: is of another robot; give one that a simulation of this robot had");
  }
  const SimState before = std::exchange(state_, state);
  try {
    begin();
  } catch (...) {
    state_ = before;
    throw;
  }
}

void Run::save(const std::string& path) const {
  write_file(path, saved_text({.state = state_, .dt = settings_.dt}, robot_->whole, scalar_));
}

Mechanics Run::energy() const {
  Mechanics own = mechanics(robot_->whole.bodies, moment_);
  own.potential += soft_row_energy(robot_->whole, moment_.q) + moment_.stored;
  return own;
}

}  // namespace lockstep::host::python
