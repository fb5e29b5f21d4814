#include "sim/simulation.hpp"

#include <chrono>
#include <cmath>
#include <memory>

#include "model/loop_rows.hpp"
#include "model/rotor_map.hpp"
#include "robot/balance.hpp"
#include "sim/motors.hpp"
#include "text/error.hpp"
#include "text/number.hpp"

namespace lockstep::host::sim {

namespace {

template <class T>
class Runner {
 public:
  Runner(const RobotTrees& robot, const SimSettings& settings, const SimState& start)
      : name_(robot.whole.name),
        tree_(robot.computed),
        settings_(settings),
        map_(robot.whole, robot.computed),
        bounded_(robot.computed, settings.bounds),
        motors_(robot.whole, settings, start.held),
        robot_(make_loop_robot<T>(robot.computed)),
        plant_(*robot_, robot.computed, settings.bounds, settings.stabilization) {
    plant_.incoming().q = map_.merged_q(start.q).template cast<T>();
    plant_.incoming().v = map_.merged_v(start.v).template cast<T>();
    follow(robot_->view(), plant_.incoming().v);
    require(plant_.set_state(start.step, start.hash));
    require(plant_.stepping().recall(start.kept));
    plant_settings_.resize(plant_.motion().tau.size());
    plant_settings_.dt = static_cast<T>(settings.dt);
    plant_settings_.integrator = settings.integrator;
    plant_settings_.gravity = Eigen::Vector3d(settings.gravity.data()).cast<T>();
  }

  std::uint64_t step() const { return plant_.step(); }
  std::uint64_t hash() const { return plant_.hash(); }
  Eigen::VectorXd q() const { return map_.whole_q(plant_.motion().q.template cast<double>()); }
  Eigen::VectorXd v() const { return map_.whole_v(plant_.motion().v.template cast<double>()); }
  Eigen::VectorXd tau() const { return motors_.tau(); }

  ConstraintErrors<double> errors() const { return plant_.stepping().errors(); }
  void read(JointMoment& now) const {
    read_moment(plant_, map_, bounded_, now);
    now.tau = tau();
    now.work = work_;
    now.damped = damped_;
  }
  std::uint64_t without_midpoint() const { return plant_.stepping().without_midpoint(); }
  std::vector<KeptForce> kept() const { return plant_.stepping().kept(); }

  // The torques that act from now on; returns how many were cut.
  std::uint64_t drive() {
    require(motors_.drive(step(), q(), v()));
    return motors_.cut();
  }

  void advance(BoundedOutcome& outcome) {
    const Eigen::VectorXd before = is_driven() ? v() : Eigen::VectorXd();
    plant_.incoming().tau = map_.merged_tau(tau()).template cast<T>();
    require(plant_.set_command());
    require(plant_.advance(plant_settings_));
    if (plant_.stepping().was_bounded()) outcome.add(plant_.stepping().result());
    if (!is_driven()) return;
    work_ += work_of(tau(), before, v(), settings_.dt);
    damped_ += work_of(motors_.damper(), before, v(), settings_.dt);
  }

 private:
  bool is_driven() const { return settings_.hold || settings_.torques; }

  // Tied joints keep whatever velocity they are given.
  template <class Dofs>
  static void follow(const HostModel<T>& model, Dofs& v) {
    for (const BodyData<T>& body : model.bodies()) {
      if (body.leader == kNone) continue;
      v[body.v] = body.ratio * v[model.bodies()[at(body.leader)].v];
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
  HostPlant<T> plant_;
  LoopSettings<T> plant_settings_;
  double work_ = 0, damped_ = 0;
};

}  // namespace

template <class T>
SimOutcome simulate(const RobotTrees& robot, const SimSettings& settings, std::uint64_t steps,
                    std::uint64_t every, SimState& state, const Watch& watch) {
  using Clock = std::chrono::steady_clock;
  const auto runner = std::make_unique<Runner<T>>(robot, settings, state);
  JointMoment now = {rest(robot.whole.bodies)};
  if (settings.hold)
    now.reference = JointReference{state.held, Eigen::VectorXd::Zero(now.v.size())};
  now.gravity = Eigen::Vector3d(settings.gravity.data());
  SimOutcome outcome;
  std::chrono::duration<double> watching{};
  const auto begin = Clock::now();
  const auto look = [&] {
    const auto stop = Clock::now();
    runner->read(now);
    watch(runner->step(), now);
    watching += Clock::now() - stop;
  };
  try {
    for (std::uint64_t left = steps;; --left) {
      const std::uint64_t cut = runner->drive();
      if (left == steps || left == 0 || runner->step() % every == 0) look();
      if (left == 0) break;
      outcome.limited += cut;
      runner->advance(outcome.bounded);
      outcome.errors.raise(runner->errors());
    }
  } catch (const BrokeOff&) {
    look();  // the last state tells most
    throw;
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin - watching).count();
  outcome.without_midpoint = runner->without_midpoint();
  state.step = runner->step();
  state.hash = runner->hash();
  state.q = runner->q();
  state.v = runner->v();
  state.kept = runner->kept();
  return outcome;
}

template SimOutcome simulate<float>(const RobotTrees&, const SimSettings&, std::uint64_t,
                                    std::uint64_t, SimState&, const Watch&);
template SimOutcome simulate<double>(const RobotTrees&, const SimSettings&, std::uint64_t,
                                     std::uint64_t, SimState&, const Watch&);

}  // namespace lockstep::host::sim
