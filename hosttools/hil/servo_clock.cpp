#include "hil/servo_clock.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace lockstep::host::hil {

template <class T>
ServoStory follow_clock(Client& client, const Scenario& scenario, const Plan<T>& plan,
                        const std::function<void(std::uint64_t)>& progress) {
  LoopSettings<T> settings = plan.control;
  settings.free_running = true;
  settings.safe = scenario.servo.safe;
  start_servo(client, plan, settings, scenario.servo);
  const auto& failure = scenario.servo.failure;
  const std::uint64_t to_next = ticks_a_reference(scenario);
  const auto a_tick = std::chrono::duration<double>(1 / scenario.control_rate);
  ServoStory story;
  PlantState<T> state;
  state.q.resize(plan.start.q.size());
  state.v.resize(plan.start.v.size());
  state.tau.resize(plan.start.v.size());
  for (std::uint64_t ticks = 0; ticks < scenario.steps && !story.safe_at; progress(ticks)) {
    std::this_thread::sleep_for(a_tick * static_cast<double>(to_next));
    link::StateReply<T> reply{.q = state.q, .v = state.v, .tau = state.tau};
    ticks = client.ask(link::State(), reply).step;
    if (ticks == 0) continue;
    const std::uint64_t last = ticks - 1;
    if (reply.state == link::LoopState::kSafe) {
      link::ReportReply report;
      client.ask(link::Report(), report);
      story.safe_at = ticks;
      story.reason = report.safe_reason;
    } else if (!failure || last < failure->tick) {
      story.error = std::max(story.error, error_at(scenario, settings, last, state.q));
      // the next one comes at the end of this one or later: a way that ends goes on with its speed
      lead(client, scenario, settings, last, last + 2 * to_next);
    }
    story.speed = 0;
    for (const T v : state.v) {
      story.speed = std::max(story.speed, std::abs(static_cast<double>(v)));
    }
  }
  return story;
}

template ServoStory follow_clock(Client&, const Scenario&, const Plan<float>&,
                                 const std::function<void(std::uint64_t)>&);
template ServoStory follow_clock(Client&, const Scenario&, const Plan<double>&,
                                 const std::function<void(std::uint64_t)>&);

}  // namespace lockstep::host::hil
