// The host's own copy of the controller on the target.
#pragma once

#include <string>
#include <vector>

#include "hil/plan.hpp"
#include "model/rotor_map.hpp"

namespace lockstep::host::hil {

// What the joints are to do at a tick of the controller.
template <class T, class Reference>
void set_reference(const LoopRobot<T>& robot, const LoopSettings<T>& control, std::uint64_t tick,
                   Reference& reference) {
  robot.view().backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
    if constexpr (dof_count(kJoint) == 1) {
      const auto sample = control.waves.at(body.v, tick, control.dt);
      reference.q[body.q] = sample.value;
      reference.v[body.v] = sample.rate;
      reference.a[body.v] = sample.acceleration;
    }
  });
}

// What `who` on the host answers to a state.
template <class T>
void require(Status status, const char* who, const Tree& tree, const Plan<T>& plan,
             const PlantState<T>& state) {
  if (status == Status::kOk) return;
  throw BrokeOff(std::string(who) + ": step " + std::to_string(state.step) + ": " +
                 broken_off_text(status, tree, to_double(state.q), to_double(state.v),
                                 static_cast<double>(plan.plant.dt)));
}

// The torques of a tick, on the host.
template <class T>
class TwinController {
 public:
  TwinController(const Tree& tree, const Scenario& scenario, const Plan<T>& plan)
      : tree_(tree), scenario_(scenario), plan_(plan), controller_(*plan.robot) {}

  std::vector<T> torques(const PlantState<T>& state) {
    const std::uint64_t tick = state.step / scenario_.steps_a_tick();
    if (plan_.controller) return asked_torques(state, tick);
    if (scenario_.drive == Drive::kTorque) {
      std::vector<T> tau(state.v.size());
      for (std::size_t i = 0; i < tau.size(); ++i) {
        tau[i] = plan_.control.waves.at(static_cast<Eigen::Index>(i), tick, plan_.control.dt).value;
      }
      return tau;
    }
    auto& in = incoming(state);
    set_reference(*plan_.robot, plan_.control, tick, in.reference);
    require(scenario_.drive == Drive::kHold ? controller_.hold(plan_.control)
                                            : controller_.control(plan_.control, tick),
            "host controller", tree_, plan_, state);
    return to_vector(controller_.torque());
  }

  auto& incoming(const PlantState<T>& state) {
    copy_into(state.q, controller_.incoming().q);
    copy_into(state.v, controller_.incoming().v);
    return controller_.incoming();
  }
  auto& controller() { return controller_; }

 private:
  // Of the user's controller, which knows all joints.
  std::vector<T> asked_torques(const PlantState<T>& state, std::uint64_t tick) const {
    const RotorMap map(plan_.whole, tree_);
    const Eigen::VectorXd tau = map.merged_tau(plan_.controller->torques(
        tick, map.whole_q(to_double(state.q)), map.whole_v(to_double(state.v))));
    return to_vector(Eigen::Matrix<T, Eigen::Dynamic, 1>(tau.cast<T>()));
  }

  const Tree& tree_;
  const Scenario& scenario_;
  const Plan<T>& plan_;
  HostController<T> controller_;
};

}  // namespace lockstep::host::hil
