// The port of a robot at the host's end of the link: a frame brings what was measured, and its
// answer what the motors do. No clock: a tick comes with its frame, so that runs can be repeated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "boards/port.hpp"
#include "lockstep/problem.hpp"
#include "loop/robot.hpp"

namespace lockstep::firmware {

template <class Model, class T>
class LinkPort {
 public:
  static constexpr bool kIsOverLink = true;
  using Dofs = typename Problem<typename Robot<Model, T>::View, T>::Dofs;

  // What came with the frame, one of each a joint; and what the answer tells.
  Dofs q, v, tau;
  std::uint32_t age = 0;
  Status drives = Status::kOk;
  bool enabled = false, braked = false;

  void start(std::uint32_t joints) {
    q = v = tau = Dofs::Zero(static_cast<Eigen::Index>(joints));
    enabled = braked = false;
  }
  Status read(std::span<T> to_q, std::span<T> to_v, std::uint32_t& to_age) const {
    std::ranges::copy(std::span(q.data(), to_q.size()), to_q.begin());
    std::ranges::copy(std::span(v.data(), to_v.size()), to_v.begin());
    to_age = age;
    return drives;
  }
  void write(std::span<const T> torque) { std::ranges::copy(torque, tau.data()); }
  void enable(bool on) { enabled = on, braked = false; }
  void set_rest(port::Rest rest) { rest_ = rest; }
  void make_safe() {
    enabled = false, braked = rest_ == port::Rest::kBrake;
    tau.setZero();
  }

 private:
  port::Rest rest_ = port::Rest::kOff;
};

}  // namespace lockstep::firmware
