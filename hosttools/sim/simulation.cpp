#include "sim/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "lockstep/inverse_dynamics.hpp"
#include "loop/plant.hpp"
#include "model/loop_rows.hpp"
#include "model/rotor_map.hpp"
#include "model/table.hpp"
#include "sim/host_stepping.hpp"
#include "text/error.hpp"
#include "text/number.hpp"

namespace lockstep::host::sim {

namespace {

template <class T>
class Runner {
 public:
  using Model = TableModel<T, kHostBodies>;
  using Plant = firmware::Plant<Model, T, HostStepping<Model, T>>;
  using Dofs = typename Plant::Dofs;

  Runner(const SimRobot& robot, const SimSettings& settings, const SimState& start)
      : name_(robot.whole.name),
        settings_(settings),
        map_(robot.whole, robot.computed),
        bounded_(robot.computed, settings.bounds) {
    robot_.table() = *to_table<T>(robot.computed);
    whole_ = to_table<T>(robot.whole);
    plant_ =
        std::make_unique<Plant>(robot_, robot.computed, settings.bounds, settings.stabilization);
    inverse_ = std::make_unique<InverseDynamics<Model, T>>(*whole_);
    plant_->incoming().q = map_.merged_q(start.q).template cast<T>();
    plant_->incoming().v = map_.merged_v(start.v).template cast<T>();
    follow(robot_.view(), plant_->incoming().v);
    require(plant_->set_state(start.step, start.hash));
    require(plant_->stepping().recall(start.kept));
    held_ = start.held.cast<T>();
    motors_ = limits_ = Dofs::Zero(start.v.size());
    tau_ = error_ = motors_;
    plant_settings_.resize(plant_->motion().tau.size());
    plant_settings_.dt = static_cast<T>(settings.dt);
    plant_settings_.integrator = settings.integrator;
    for (int i = 0; i < 3; ++i) {
      plant_settings_.gravity[i] = static_cast<T>(settings.gravity[static_cast<std::size_t>(i)]);
    }
    set_motors(robot.whole);
  }

  std::uint64_t step() const { return plant_->step(); }
  std::uint64_t hash() const { return plant_->hash(); }
  Eigen::VectorXd q() const { return map_.whole_q(plant_->motion().q.template cast<double>()); }
  Eigen::VectorXd v() const { return map_.whole_v(plant_->motion().v.template cast<double>()); }
  Eigen::VectorXd tau() const { return tau_.template cast<double>(); }

  Eigen::VectorXd lambda() const { return stepping().lambda(); }
  ConstraintErrors<double> drift() const { return stepping().drift(); }
  Eigen::VectorXd bounded() const {
    if (!stepping().was_bounded()) return Eigen::VectorXd::Zero(bounded_.size());
    return bounded_row(bounded_, stepping().result());
  }
  std::vector<KeptForce> kept() const { return stepping().kept(); }

  // The torques that act from now on; returns how many were cut.
  std::uint64_t drive() {
    tau_.setZero();
    if (settings_.hold) hold(*settings_.hold);
    if (settings_.torques) tau_ = settings_.torques->at(step()).template cast<T>();
    std::uint64_t cut = 0;
    for (Eigen::Index i = 0; i < tau_.size(); ++i) {
      const T within = firmware::clamp(tau_[i], -limits_[i], limits_[i]);
      cut += within != tau_[i];
      tau_[i] = within;
    }
    return cut;
  }

  void advance(BoundedOutcome& outcome) {
    plant_->incoming().tau = map_.merged_tau(tau()).template cast<T>();
    require(plant_->set_command());
    require(plant_->advance(plant_settings_));
    if (stepping().was_bounded()) outcome.add(stepping().result());
  }

 private:
  const auto& stepping() const { return std::as_const(*plant_).stepping(); }

  // Tied joints keep whatever velocity they are given.
  static void follow(const Model& model, Dofs& v) {
    for (const BodyData<T>& body : model.bodies()) {
      if (body.leader == kNone) continue;
      v[body.v] = body.ratio * v[model.bodies()[static_cast<std::size_t>(body.leader)].v];
    }
  }

  void set_motors(const Tree& tree) {
    limits_.setConstant(std::numeric_limits<T>::infinity());
    Counts at;
    for (const Body& body : tree.bodies) {
      const int dofs = dof_count(body.joint);
      motors_.segment(at.v, dofs).setConstant(T(body.joint != JointType::kFloating));
      if (settings_.limits && dofs == 1) limits_[at.v] = static_cast<T>(body.limits.effort);
      at.add(body.joint);
    }
  }

  void hold(const Hold& gains) {
    const typename Plant::Configs pose = q().template cast<T>();
    const Dofs rate = v().template cast<T>();
    require(difference(*whole_, pose, held_, error_));
    require(inverse_->gravity_torque(pose, plant_settings_.gravity, tau_));
    const T kp = static_cast<T>(gains.kp), kd = static_cast<T>(gains.kd);
    for (Eigen::Index i = 0; i < tau_.size(); ++i) {
      tau_[i] = motors_[i] * (tau_[i] + (kp * error_[i] - kd * rate[i]));
    }
  }

  void require(Status status) const {
    if (status == Status::kOk) return;
    const std::uint64_t at = plant_ ? step() : 0;
    throw Error("robot " + quote(name_) + ": step " + std::to_string(at) + " (" +
                write_number(time_of(at, settings_.dt)) + " s): " + to_string(status) +
                (status == Status::kTooManyRows
                     ? "; " + std::to_string(kHostRows) +
                           " rows fit: --friction none or --limits effort leaves some out"
                     : "; a smaller --dt, smaller gains or smaller torques may help"));
  }

  const std::string name_;
  const SimSettings& settings_;
  const RotorMap map_;
  const Bounded bounded_;
  firmware::Robot<Model, T> robot_;
  std::unique_ptr<Model> whole_;
  std::unique_ptr<Plant> plant_;
  std::unique_ptr<InverseDynamics<Model, T>> inverse_;
  firmware::Settings<Model, T> plant_settings_;
  typename Plant::Configs held_;
  Dofs motors_, limits_;  // 1 where a motor is, else 0; the most that it can do
  Dofs tau_, error_;
};

}  // namespace

double time_of(std::uint64_t step, double dt) {
  const double rate = std::round(1 / dt), steps = static_cast<double>(step);
  return 1 / rate == dt ? steps / rate : steps * dt;
}

template <class T>
SimOutcome simulate(const SimRobot& robot, const SimSettings& settings, std::uint64_t steps,
                    std::uint64_t every, SimState& state, const Watch& watch) {
  using Clock = std::chrono::steady_clock;
  const auto runner = std::make_unique<Runner<T>>(robot, settings, state);
  JointMoment now = {rest(robot.whole.bodies), {}, {}, {}};
  now.gravity = Eigen::Vector3d(settings.gravity.data());
  SimOutcome outcome;
  std::chrono::duration<double> watching{};
  const auto begin = Clock::now();
  for (std::uint64_t left = steps;; --left) {
    const std::uint64_t cut = runner->drive();
    if (left == steps || left == 0 || runner->step() % every == 0) {
      const auto stop = Clock::now();
      now.q = runner->q();
      now.v = runner->v();
      now.tau = runner->tau();
      now.lambda = runner->lambda();
      now.drift = runner->drift();
      now.bounded = runner->bounded();
      watch(runner->step(), now);
      watching += Clock::now() - stop;
    }
    if (left == 0) break;
    outcome.limited += cut;
    runner->advance(outcome.bounded);
    const ConstraintErrors<double> drift = runner->drift();
    outcome.drift.position = std::max(outcome.drift.position, drift.position);
    outcome.drift.velocity = std::max(outcome.drift.velocity, drift.velocity);
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin - watching).count();
  state.step = runner->step();
  state.hash = runner->hash();
  state.q = runner->q();
  state.v = runner->v();
  state.kept = runner->kept();
  return outcome;
}

template SimOutcome simulate<float>(const SimRobot&, const SimSettings&, std::uint64_t,
                                    std::uint64_t, SimState&, const Watch&);
template SimOutcome simulate<double>(const SimRobot&, const SimSettings&, std::uint64_t,
                                     std::uint64_t, SimState&, const Watch&);

}  // namespace lockstep::host::sim
