// The host's own copy of what runs on the target: the same loop, for any robot.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "loop/dynamics.hpp"
#include "robot/balance.hpp"
#include "robot/equipped_plant.hpp"
#include "text/error.hpp"

namespace lockstep::host::hil {

// The state of a plant, on the target or in its twin: all that its future depends on. Of one with
// drivetrains and sensors, what it tells of it.
template <class T>
struct PlantState {
  std::uint64_t step = 0;
  std::uint64_t hash = 0;  // over every q and v since the start
  std::vector<T> q, v, tau;
};

// Bits, not values: +0 and -0 differ, NaN equals itself.
template <class T>
bool same_bits(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

template <class T>
using TwinDynamics = firmware::Dynamics<HostModel<T>, T, HostSolver<T>>;
// Of a robot with loops or couplings: made with its TreeRows.
template <class T>
using ClosedTwinDynamics =
    firmware::Dynamics<HostModel<T>, T, firmware::ClosedSolving<HostClosedSolver<T>>>;

template <class Values, class T = typename Values::Scalar>
std::vector<T> to_vector(const Values& values) {
  return {values.data(), values.data() + values.size()};
}
template <class T, class Values>
void copy_into(const std::vector<T>& from, Values& to) {
  to = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>(
      from.data(), static_cast<Eigen::Index>(from.size()));
}
template <class T>
Eigen::VectorXd to_double(const std::vector<T>& from) {
  Eigen::Matrix<T, Eigen::Dynamic, 1> to;
  copy_into(from, to);
  return to.template cast<double>();
}

// Sees every step of a twin: the plant before and after it, which then knows its torques.
template <class T>
class StepWatch {
 public:
  virtual ~StepWatch() = default;
  virtual void before(const EquippedHostPlant<T>& plant) = 0;
  virtual void after(const EquippedHostPlant<T>& plant) = 0;
};

template <class T>
class PlantTwin {
 public:
  // `tree` is the robot's, with its loops, couplings and shapes.
  PlantTwin(const LoopRobot<T>& robot, const Tree& tree, const Bounds& bounds,
            const LoopSettings<T>& settings, const Devices& devices = {})
      : tree_(tree),
        settings_(settings),
        plant_(DeviceTables<T>(devices, static_cast<int>(tree.bodies.size())), robot, tree,
               bounds) {}

  PlantState<T> state() const { return state_of(plant_.told()); }
  // Without sensors.
  PlantState<T> true_state() const { return state_of(plant_.motion()); }
  void set(const PlantState<T>& state) {
    copy_into(state.q, plant_.incoming().q);
    copy_into(state.v, plant_.incoming().v);
    copy_into(state.tau, plant_.incoming().tau);
    require(plant_.set_state(state.step, state.hash));
    require(plant_.start(settings_));
  }

  // Whether it is watched from now on.
  void watch(StepWatch<T>* watch) { watch_ = watch; }

  // As many steps, under these torques unless the drive is internal.
  PlantState<T> run(std::uint32_t count, const std::vector<T>& tau) {
    command(tau);
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto before = plant_.motion().v;
      require(advance());
      add_work(before);
      const auto& stepping = std::as_const(plant_).stepping();
      if (stepping.was_bounded()) bounded_.add(stepping.result());
    }
    return state();
  }
  // One step more, which only tells the torques that would act: the end of a run.
  void foresee(const std::vector<T>& tau) {
    command(tau);
    (void)advance();
  }

  // What bounds did so far.
  const BoundedOutcome& bounded() const { return bounded_; }
  double work() const { return work_; }                         // J, of the torques so far
  double stored() const { return plant_.stepping().stored(); }  // J, in contacts that yield

 private:
  PlantState<T> state_of(const typename HostPlant<T>::Motion& motion) const {
    return {plant_.step(), plant_.hash(), to_vector(motion.q), to_vector(motion.v),
            to_vector(motion.tau)};
  }
  void command(const std::vector<T>& tau) {
    if (settings_.drive != link::DriveMode::kFrames) return;
    copy_into(tau, plant_.incoming().tau);
    require(plant_.set_command());
  }
  Status advance() {
    if (watch_ != nullptr) watch_->before(plant_);
    const Status status = plant_.advance(settings_);
    if (watch_ != nullptr) watch_->after(plant_);
    return status;
  }
  template <class Dofs>
  void add_work(const Dofs& before) {
    const auto& motion = plant_.motion();
    work_ += work_of(motion.tau.template cast<double>(), before.template cast<double>(),
                     motion.v.template cast<double>(), static_cast<double>(settings_.dt));
  }

  void require(Status status) const {
    if (status == Status::kOk) return;
    const std::string where = "host twin: step " + std::to_string(plant_.step()) + ": ";
    if (status == Status::kTooManyRows) {
      throw Error(where + to_string(status) + "; " + std::to_string(kHostRows) +
                  " rows fit: fewer --max-contacts, --friction none or --limits effort");
    }
    throw BrokeOff(where + broken_off_text(status, tree_, plant_.motion().q.template cast<double>(),
                                           plant_.motion().v.template cast<double>(),
                                           static_cast<double>(settings_.dt)));
  }

  const Tree& tree_;
  const LoopSettings<T>& settings_;
  EquippedHostPlant<T> plant_;
  BoundedOutcome bounded_;
  StepWatch<T>* watch_ = nullptr;
  double work_ = 0;
};

}  // namespace lockstep::host::hil
