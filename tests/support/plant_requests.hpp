// One of each message, as a plant with the robot of plant_line.hpp takes it.
#pragma once

#include "support/plant_line.hpp"

namespace lockstep::test {

struct Request {
  std::uint8_t type;
  Bytes payload;
  std::vector<link::LoopState> states;  // in which it is not refused
};

inline std::vector<Request> plant_requests() {
  using enum link::LoopState;
  std::vector<Request> all;
  const auto add = [&](const auto& message, std::vector<link::LoopState> states) {
    all.push_back({link::request_type(message.kType), payload_of(message), std::move(states)});
  };
  const Bytes body = bytes_of_body<float>(line_robot().front());
  const Uniform<float> one(1);
  const Uniform<std::uint32_t> turn(1u << 20);
  std::array<float, kLineConfigs> q{};
  q[6] = q[6 + 4 + 3] = 1;  // floating, planar, ball
  add(link::Hello(), {kBoot, kReady, kRunning, kSafe});
  add(link::ModelBegin{1, kModelHash}, {kBoot, kReady});
  add(link::ModelBodies<float>{0, 1, body}, {kBoot});
  add(link::ModelEnd{17}, {kBoot});
  add(configuration<float>(), {kReady});
  add(link::Limits<const float>{one, one, one, one, one}, {kReady});
  add(link::Waves<const float>{one, one, turn, turn}, {kReady});
  add(link::SetState<const float>{1, q, one, one}, {kReady});
  add(link::Start(), {kReady});
  add(link::Stop(), {kReady, kRunning, kSafe});
  add(link::Step<const float>{1, one}, {kRunning});
  add(link::Report(), {kBoot, kReady, kRunning, kSafe});
  add(link::State(), {kReady, kRunning, kSafe});
  add(link::TickTimes(), {kBoot, kReady, kRunning, kSafe});
  return all;
}

}  // namespace lockstep::test
