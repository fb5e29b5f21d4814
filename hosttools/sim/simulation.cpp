#include "sim/simulation.hpp"

#include <chrono>
#include <cmath>
#include <memory>

#include "model/loop_rows.hpp"
#include "model/rotor_map.hpp"
#include "robot/balance.hpp"
#include "robot/equipped_plant.hpp"
#include "robot/tied.hpp"
#include "sim/motors.hpp"
#include "text/error.hpp"
#include "text/number.hpp"

namespace lockstep::host::sim {

Integrator integrator_named(const std::string& name) {
  if (name == "rk4") return Integrator::kRungeKutta4;
  if (name == "euler_middle") return Integrator::kEulerMiddle;
  return name == "euler" ? Integrator::kSemiImplicitEuler : Integrator::kMidpoint;
}

namespace {

template <class T>
class Runner : public SteppedRun {
 public:
  Runner(const RobotTrees& robot, const SimSettings& settings, const SimState& start)
      : name_(robot.whole.name),
        tree_(robot.computed),
        settings_(settings),
        map_(robot.whole, robot.computed),
        bounded_(robot.computed, settings.bounds),
        motors_(robot.whole, settings, start.held),
        robot_(make_loop_robot<T>(robot.computed)),
        plant_(tables(settings, robot.computed), *robot_, robot.computed, settings.bounds,
               settings.stabilization) {
    plant_.incoming().q = map_.merged_q(start.q).template cast<T>();
    plant_.incoming().v = map_.merged_v(start.v).template cast<T>();
    follow_leaders(robot_->view(), plant_.incoming().v);
    require(plant_.set_state(start.step, start.hash));
    require(plant_.stepping().recall(start.kept));
    plant_settings_.resize(plant_.motion().tau.size());
    plant_settings_.dt = static_cast<T>(settings.dt);
    plant_settings_.integrator = settings.integrator;
    plant_settings_.gravity = Eigen::Vector3d(settings.gravity.data()).cast<T>();
    if (holds()) hold(map_.merged_q(start.held));
    if (settings.push) push_ = map_.merged_tau(settings.push->effort).template cast<T>();
    for (const DeadMotor& own : settings.dead) {
      dead_.push_back({own.step, dof_of(robot.whole, own.joint), dof_of(tree_, own.joint)});
    }
    require(plant_.start(plant_settings_));
    if (settings.devices != nullptr) row_.emplace(*settings.devices);
  }

  std::uint64_t step() const override { return plant_.step(); }
  Eigen::VectorXd q() const { return map_.whole_q(plant_.motion().q.template cast<double>()); }
  Eigen::VectorXd v() const { return map_.whole_v(plant_.motion().v.template cast<double>()); }
  Eigen::VectorXd tau() const override {
    return holds() || row_ ? map_.whole_tau(plant_.motion().tau.template cast<double>())
                           : motors_.tau();
  }

  ConstraintErrors<double> errors() const override { return plant_.stepping().errors(); }
  void read(JointMoment& now) const override {
    read_moment(plant_, map_, bounded_, now);
    now.work = work_;
    now.damped = damped_;
  }
  std::uint64_t without_midpoint() const override { return plant_.stepping().without_midpoint(); }
  void keep(SimState& state) const override {
    state.step = step(), state.hash = plant_.hash();
    state.q = q(), state.v = v();
    state.kept = plant_.stepping().kept();
  }

  void drive() override {
    for (const Dead& own : dead_) {
      if (own.step > step()) continue;
      motors_.disable(own.whole);
      plant_settings_.limits.effort[own.dof] = T(0);
    }
    if (row_) row_->measured<T>(plant_);
    if (holds()) return;
    require(motors_.drive(step(), map_.whole_q(plant_.told().q.template cast<double>()),
                          map_.whole_v(plant_.told().v.template cast<double>())));
  }
  std::vector<double> device_row() const override {
    return row_ ? row_->values() : std::vector<double>();
  }

  void foresee() override {
    if (holds() || row_) (void)take();
  }

  std::uint64_t advance(BoundedOutcome& outcome) override {
    const Eigen::VectorXd before = settings_.is_driven() ? merged_v() : Eigen::VectorXd();
    const std::uint32_t limited = plant_.limited();
    const bool pushed = is_pushed();
    plant_.stepping().push(pushed ? push_ : typename HostPlant<T>::Dofs());
    require(take());
    if (plant_.stepping().was_bounded()) outcome.add(plant_.stepping().result());
    if (settings_.is_driven()) {
      const Eigen::VectorXd after = merged_v();
      work_ += work_of(plant_.motion().tau.template cast<double>(), before, after, settings_.dt);
      if (pushed) work_ += work_of(push_.template cast<double>(), before, after, settings_.dt);
      const bool held = settings_.integrator == Integrator::kRungeKutta4;
      damped_ -= work_of(damping_.cwiseProduct(held ? before : after), before, after, settings_.dt);
    }
    return holds() ? plant_.limited() - limited : motors_.cut();
  }

 private:
  struct Dead {
    std::uint64_t step = 0;
    Eigen::Index whole = 0, dof = 0;  // of all joints, and of those that are computed
  };
  static Eigen::Index dof_of(const Tree& tree, const std::string& joint) {
    Counts at;
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      if (tree.joint_names[i] == joint) return at.v;
      at.add(tree.bodies[i].joint);
    }
    throw Error("robot " + quote(tree.name) + ": joint " + quote(joint) + " has no motor");
  }
  bool is_pushed() const {
    return settings_.push && step() >= settings_.push->from && step() < settings_.push->until;
  }
  // By drives that are implicit.
  bool holds() const { return settings_.hold && settings_.devices == nullptr; }
  static DeviceTables<T> tables(const SimSettings& settings, const Tree& tree) {
    if (settings.devices == nullptr) return {};
    return {*settings.devices, static_cast<int>(tree.bodies.size())};
  }
  Status take() {
    if (!holds()) {
      plant_.incoming().tau = map_.merged_tau(motors_.tau()).template cast<T>();
      const Status status = plant_.set_command();
      if (status != Status::kOk) return status;
    }
    const Status status = plant_.advance(plant_settings_);
    if (row_ && has_moved(status)) row_->acted<T>(plant_);
    return status;
  }
  Eigen::VectorXd merged_v() const { return plant_.motion().v.template cast<double>(); }

  // The plant's own drives hold it where it is.
  void hold(const Eigen::VectorXd& q) {
    plant_settings_.drive = link::DriveMode::kHoldWaves;
    plant_settings_.kp = static_cast<T>(settings_.hold->kp);
    plant_settings_.kd = static_cast<T>(settings_.hold->kd);
    plant_.hold_at(q.cast<T>());
    Counts at;
    for (const Body& body : tree_.bodies) {
      if (body.joint != JointType::kFloating) {
        damping_.segment(at.v, dof_count(body.joint)).setConstant(settings_.hold->kd);
      }
      if (dof_count(body.joint) == 1) {
        plant_settings_.waves.offset[at.v] = static_cast<T>(q[at.q]);
        if (settings_.limits) {
          plant_settings_.limits.effort[at.v] = static_cast<T>(body.limits.effort);
        }
      }
      at.add(body.joint);
    }
  }

  void require(Status status) const {
    if (status == Status::kOk) return;
    const std::string where = "robot " + quote(name_) + ": step " + std::to_string(step()) + " (" +
                              write_number(time_of(step(), settings_.dt)) + " s): ";
    if (status == Status::kTooManyRows) {
      throw Error(where + to_string(status) + "; " + std::to_string(kHostRows) + " rows fit" +
                  fewer_rows());
    }
    throw BrokeOff(where + broken_off_text(status, tree_, plant_.motion().q.template cast<double>(),
                                           plant_.motion().v.template cast<double>(),
                                           settings_.dt));
  }

  std::string fewer_rows() const {
    const int own = row_count(tree_);
    if (own <= kHostRows) return ": --friction none or --limits effort leaves some out";
    return ", and loops, couplings and <mimic> have " + std::to_string(own) +
           ": --mimic ignore lets joints move by themselves";
  }

  const std::string name_;
  const Tree& tree_;
  const SimSettings& settings_;
  const RotorMap map_;
  const Bounded bounded_;
  Motors<T> motors_;
  std::unique_ptr<LoopRobot<T>> robot_;
  EquippedHostPlant<T> plant_;
  LoopSettings<T> plant_settings_;
  std::optional<DeviceRow> row_;
  Eigen::VectorXd damping_ = Eigen::VectorXd::Zero(total_dof(tree_.bodies));  // of drives
  std::vector<Dead> dead_;
  typename HostPlant<T>::Dofs push_;
  double work_ = 0, damped_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<SteppedRun> make_stepped_run(const RobotTrees& robot, const SimSettings& settings,
                                             const SimState& start) {
  return std::make_unique<Runner<T>>(robot, settings, start);
}

template <class T>
SimOutcome simulate(const RobotTrees& robot, const SimSettings& settings, std::uint64_t steps,
                    std::uint64_t every, SimState& state, const Watch& watch) {
  using Clock = std::chrono::steady_clock;
  const auto runner = make_stepped_run<T>(robot, settings, state);
  JointMoment now = {rest(robot.whole.bodies)};
  if (settings.hold)
    now.reference = JointReference{state.held, Eigen::VectorXd::Zero(now.v.size())};
  now.gravity = Eigen::Vector3d(settings.gravity.data());
  SimOutcome outcome;
  std::chrono::duration<double> watching{};
  const auto begin = Clock::now();
  // what drives do is known after the step
  const auto tell = [&](std::uint64_t step) {
    const auto stop = Clock::now();
    now.tau = runner->tau();
    now.devices = runner->device_row();
    watch(step, now);
    watching += Clock::now() - stop;
  };
  const auto look = [&] {
    runner->read(now);
    tell(runner->step());
  };
  try {
    for (std::uint64_t left = steps;; --left) {
      runner->drive();
      const std::uint64_t step = runner->step();
      if (left == 0) {
        runner->read(now);
        outcome.without_midpoint = runner->without_midpoint();
        runner->keep(state);
        runner->foresee();
        tell(step);
        break;
      }
      const bool shown = left == steps || step % every == 0;
      if (shown) runner->read(now);
      outcome.limited += runner->advance(outcome.bounded);
      if (shown) tell(step);
      outcome.errors.raise(runner->errors());
    }
  } catch (const BrokeOff&) {
    look();  // the last state tells most
    runner->keep(state);
    throw;
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin - watching).count();
  return outcome;
}

template std::unique_ptr<SteppedRun> make_stepped_run<float>(const RobotTrees&, const SimSettings&,
                                                             const SimState&);
template std::unique_ptr<SteppedRun> make_stepped_run<double>(const RobotTrees&, const SimSettings&,
                                                              const SimState&);
template SimOutcome simulate<float>(const RobotTrees&, const SimSettings&, std::uint64_t,
                                    std::uint64_t, SimState&, const Watch&);
template SimOutcome simulate<double>(const RobotTrees&, const SimSettings&, std::uint64_t,
                                     std::uint64_t, SimState&, const Watch&);

}  // namespace lockstep::host::sim
