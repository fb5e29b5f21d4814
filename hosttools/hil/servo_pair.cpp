#include "hil/servo_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hil/servo_twin.hpp"

namespace lockstep::host::hil {

template <class T>
ServoPair<T>::ServoPair(Client& target, const Tree& tree, const Scenario& scenario,
                        const Plan<T>& plan)
    : client_(target),
      scenario_(scenario),
      plan_(plan),
      names_(coordinate_names(tree)),
      twin_link_(make_servo_twin<T>(*plan.robot)),
      twin_(std::make_unique<Client>(*twin_link_, "host twin")),
      settings_(plan.control) {
  settings_.safe = scenario.servo.safe;
}

template <class T>
void ServoPair<T>::start() {
  link::HelloReply hello;
  twin_->ask(link::Hello(), hello);
  twin_->set_max_payload(hello.max_payload);
  twin_->open(hello.session);
  for (Client* client : {twin_.get(), &client_}) {
    start_servo(*client, plan_, settings_, scenario_.servo);
  }
}

template <class T>
std::optional<Difference> ServoPair<T>::tick(const PlantState<T>& state) {
  using enum Failure::Kind;
  if (!fails(kStale) || seen_.q.empty()) seen_ = state;
  PlantState<T> told = seen_;
  const auto& limits = settings_.limits;
  if (fails(kNotFinite)) told.q[0] = std::numeric_limits<T>::quiet_NaN();
  if (fails(kBeyondLimits)) told.q[0] = limits.upper[0] + T(1);
  if (fails(kTooFast)) told.v[0] = T(2) * limits.velocity[0];
  const double age = static_cast<double>(state.step - seen_.step) * scenario_.dt();
  const link::Measured<const T> measured = {
      .ticks = static_cast<std::uint16_t>(fails(kLate) ? 2 : 1),
      .age = static_cast<std::uint32_t>(std::lround(1e6 * age)),
      .drives = fails(kDriveFault) ? Status::kDriveFault : Status::kOk,
      .q = told.q,
      .v = told.v};
  const bool was_running = tick_ == 0 || host_.state == link::LoopState::kRunning;
  host_ = ask(*twin_, measured);
  target_ = ask(client_, measured);
  const auto differs = [&](const char* quantity, const std::vector<T>& a, const std::vector<T>& b) {
    return compare<T>(state.step, quantity, names_.v, a, b);
  };
  if (auto found = differs("tau", target_.tau, host_.tau)) return found;
  if (auto found = differs("filtered v", target_.v, host_.v)) return found;
  const auto outside = [](const Answer& answer) {
    return std::to_string(static_cast<int>(answer.state)) + (answer.enabled ? ", enabled" : "") +
           (answer.braked ? ", braked" : "");
  };
  if (outside(target_) != outside(host_)) {
    return Difference{state.step, "the loop's state", outside(target_), outside(host_)};
  }
  if (target_.hash != host_.hash) {
    return Difference{state.step, "hash", hash_text(target_.hash), hash_text(host_.hash)};
  }
  if (was_running && host_.state == link::LoopState::kSafe) {
    link::ReportReply report;
    twin_->ask(link::Report(), report);
    story_.safe_at = tick_;
    story_.reason = report.safe_reason;
  }
  if (!host_.enabled && !story_.off_at) story_.off_at = tick_;
  const bool runs = host_.state == link::LoopState::kRunning;
  const std::uint64_t to_next = ticks_a_reference(scenario_);
  if (tick_ % to_next == 0 && runs && !fails(kSilence)) {
    for (Client* client : {twin_.get(), &client_}) {
      lead(*client, scenario_, settings_, tick_, tick_ + to_next);
    }
  }
  if (runs) story_.error = std::max(story_.error, error_at(scenario_, settings_, tick_, state.q));
  story_.speed = 0;
  for (const T v : state.v) {
    story_.speed = std::max(story_.speed, std::abs(static_cast<double>(v)));
  }
  ++tick_;
  return {};
}

template <class T>
typename ServoPair<T>::Answer ServoPair<T>::ask(Client& client,
                                                const link::Measured<const T>& measured) const {
  Answer answer;
  answer.v.resize(measured.v.size());
  answer.tau.resize(measured.v.size());
  link::MeasuredReply<T> reply{.v = answer.v, .tau = answer.tau};
  client.ask(measured, reply, tick_);
  answer.state = reply.state, answer.hash = reply.hash;
  answer.enabled = reply.enabled, answer.braked = reply.braked;
  return answer;
}

template <class T>
bool ServoPair<T>::fails(Failure::Kind kind) const {
  const auto& failure = scenario_.servo.failure;
  return failure && failure->kind == kind && tick_ >= failure->tick;
}

template class ServoPair<float>;
template class ServoPair<double>;

}  // namespace lockstep::host::hil
