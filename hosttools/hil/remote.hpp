// A target through its link: introduced, given its model and its settings, and stepped.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "hil/client.hpp"
#include "hil/scenario.hpp"
#include "hil/twin.hpp"

namespace lockstep::host::hil {

// Says hello, and checks that it is this application in this scalar; sends the model if it takes
// one, or checks that the one it holds is this robot. It may be silent for `starting` at first.
// `untold` is what of the robot no model over the link tells; empty: nothing.
template <class T>
link::HelloReply introduce(Client& client, Application application, const LoopRobot<T>& robot,
                           std::chrono::milliseconds starting = {}, const std::string& untold = {});

// Settings, limits and waves.
template <class T>
void configure(Client& client, const LoopRobot<T>& robot, const LoopSettings<T>& settings);

template <class T>
class PlantTarget {
 public:
  // Flips the lowest bit of q[0] before step `corrupt`, every time that it passes there: to show
  // that differences are found.
  PlantTarget(Client& client, const LoopSettings<T>& settings, const LoopRobot<T>& robot,
              std::optional<std::uint64_t> corrupt = {})
      : client_(client), settings_(settings), robot_(robot), corrupt_(corrupt) {}

  void set(const PlantState<T>& state) {
    stop();
    client_.tell(link::SetState<const T>{state.hash, state.q, state.v, state.tau}, state.step);
    step_ = state.step;
    client_.tell(link::Start());
    is_running_ = true;
  }
  PlantState<T> run(std::uint32_t count, const std::vector<T>& tau) {
    if (corrupt_ && *corrupt_ >= step_ && *corrupt_ < step_ + count) {
      const auto before = static_cast<std::uint32_t>(*corrupt_ - step_);
      PlantState<T> state = step(before, tau);
      using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
      state.q.at(0) = std::bit_cast<T>(std::bit_cast<Bits>(state.q.at(0)) ^ Bits{1});
      set(state);
      return step(count - before, tau);
    }
    return step(count, tau);
  }
  void stop() {
    if (is_running_) client_.tell(link::Stop());
    is_running_ = false;
  }

 private:
  PlantState<T> step(std::uint32_t count, const std::vector<T>& tau) {
    const Counts counts = robot_.view().counts();
    PlantState<T> state;
    state.q.resize(static_cast<std::size_t>(counts.q));
    state.v.resize(static_cast<std::size_t>(counts.v));
    state.tau.resize(static_cast<std::size_t>(counts.v));
    link::StateReply<T> reply{.q = state.q, .v = state.v, .tau = state.tau};
    const bool has_torque = settings_.drive == link::DriveMode::kFrames;
    const link::Header header = client_.ask(
        link::Step<const T>{count, has_torque ? std::span<const T>(tau) : std::span<const T>()},
        reply, step_, kStepTime * count);
    state.step = step_ = header.step;
    state.hash = reply.hash;
    return state;
  }

  // of the slowest emulated chip with a large robot
  static constexpr std::chrono::milliseconds kStepTime{5};

  Client& client_;
  const LoopSettings<T>& settings_;
  const LoopRobot<T>& robot_;
  std::optional<std::uint64_t> corrupt_;
  std::uint64_t step_ = 0;
  bool is_running_ = false;
};

}  // namespace lockstep::host::hil
