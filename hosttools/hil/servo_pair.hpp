// A servo on the target and its twin on the host: both are told and asked the same, tick by tick,
// and their answers are compared; a law of the user's own has no twin. The robot and its drives are
// on the host, and so is what fails.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hil/client.hpp"
#include "hil/difference.hpp"
#include "hil/servo_lead.hpp"

namespace lockstep::host::hil {

template <class T>
class ServoPair {
 public:
  ServoPair(Client& target, const Tree& tree, const Scenario& scenario, const Plan<T>& plan);

  // From here on motors are enabled. Throws Error.
  void start();

  // One tick in this state of the robot: a difference, or none and the torques that act.
  std::optional<Difference> tick(const PlantState<T>& state);

  bool has_twin() const { return !scenario_.servo.has_own_law; }
  bool is_running() const { return target_.state == link::LoopState::kRunning; }
  const std::vector<T>& tau() const { return target_.tau; }
  std::uint64_t target_hash() const { return target_.hash; }
  std::uint64_t host_hash() const { return host_.hash; }
  const ServoStory& story() const { return story_; }

 private:
  struct Answer {
    link::LoopState state = link::LoopState::kReady;
    std::uint64_t hash = 0;
    bool enabled = false, braked = false;
    std::vector<T> v, tau;
  };

  Answer ask(Client& client, const link::Measured<const T>& measured) const;
  std::optional<Difference> difference(std::uint64_t step) const;
  std::vector<Client*> clients() const;

  Client& client_;
  const Scenario& scenario_;
  const Plan<T>& plan_;
  CoordinateNames names_;
  std::unique_ptr<Transport> twin_link_;
  std::unique_ptr<Client> twin_;
  LoopSettings<T> settings_;
  std::uint64_t tick_ = 0;
  PlantState<T> seen_;  // when encoders stopped
  Answer target_, host_;
  ServoStory story_;
};

}  // namespace lockstep::host::hil
