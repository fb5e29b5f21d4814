#include "hil/tick_costs.hpp"

#include <algorithm>
#include <cmath>

namespace lockstep::host::hil {

namespace {

constexpr std::uint64_t kRemembered = link::TickTimesReply::kTicks;

}  // namespace

RecordColumn TickUnit::column() const {
  return shift ? RecordColumn{"instructions", ""} : RecordColumn{"tick_time", "us"};
}

double TickUnit::of(double cycles) const {
  return shift ? std::round(cycles / (std::ldexp(1e-9, *shift) * clock_hz))
               : 1e6 * cycles / clock_hz;
}

bool TickCosts::are_told(const Scenario& scenario) {
  switch (scenario.mode) {
    case Mode::kFree: return false;
    case Mode::kCheckpoint: return true;  // its frames may be as short as one likes
    case Mode::kStep: break;
  }
  return scenario.application != Application::kPlant || scenario.steps_a_tick() <= kRemembered;
}

bool TickCosts::are_known_to(Client& client) {
  link::TickTimesReply reply;
  try {
    client.ask(link::TickTimes(), reply);
  } catch (const Refused& refused) {
    if (refused.status() == Status::kUnknownMessage) return false;
    throw;
  }
  return true;
}

std::uint64_t TickCosts::next_row(std::uint64_t step) const {
  return std::min((step + every_ - 1) / every_ * every_, steps_);
}

std::uint32_t TickCosts::at_once(std::uint64_t step, std::uint32_t count) const {
  const std::uint64_t to_row = next_row(step + 1) - step;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, std::max(to_row, kRemembered)));
}

void TickCosts::after_steps(std::uint64_t step, std::uint32_t count) {
  if (next_row(step + 1) > step + count) return;
  const link::TickTimesReply reply = ask();
  for (std::uint64_t back = std::min<std::uint64_t>(count, kRemembered); back-- > 0;) {
    add(step + count - back, reply.cycles[back]);
  }
}

void TickCosts::after_tick(std::uint64_t step, std::uint64_t count) {
  const bool is_last = step + count >= steps_;  // the last row has it too
  if (is_last || next_row(step) < step + count) add(step, ask().cycles[0]);
}

double TickCosts::at(std::uint64_t step) {
  while (costs_.size() > 1 && costs_[1].from <= step) costs_.pop_front();
  return costs_.empty() || costs_[0].from > step ? 0 : unit_.of(costs_[0].cycles);
}

link::TickTimesReply TickCosts::ask() {
  link::TickTimesReply reply;
  client_.ask(link::TickTimes(), reply);
  return reply;
}

}  // namespace lockstep::host::hil
