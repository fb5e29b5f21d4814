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
std::vector<Client*> ServoPair<T>::clients() const {
  if (!has_twin()) return {&client_};
  return {twin_.get(), &client_};
}

template <class T>
void ServoPair<T>::start() {
  link::HelloReply hello;
  twin_->ask(link::Hello(), hello);
  twin_->set_max_payload(hello.max_payload);
  twin_->open(hello.session);
  for (Client* client : clients()) start_servo(*client, plan_, settings_, scenario_.servo);
}

template <class T>
std::optional<Difference> ServoPair<T>::tick(const PlantState<T>& state) {
  using enum Failure::Kind;
  const auto fail = [&](Failure::Kind kind) { return fails(scenario_, kind, tick_); };
  if (!fail(kStale) || seen_.q.empty()) seen_ = state;
  PlantState<T> told = seen_;
  const auto& limits = settings_.limits;
  if (fail(kNotFinite)) told.q[0] = std::numeric_limits<T>::quiet_NaN();
  if (fail(kBeyondLimits)) told.q[0] = limits.upper[0] + T(1);
  if (fail(kTooFast)) told.v[0] = T(2) * limits.velocity[0];
  const double age = static_cast<double>(state.step - seen_.step) * scenario_.dt();
  const link::Measured<const T> measured = {
      .ticks = static_cast<std::uint16_t>(fail(kLate) ? 2 : 1),
      .age = static_cast<std::uint32_t>(std::lround(1e6 * age)),
      .drives = fail(kDriveFault) ? Status::kDriveFault : Status::kOk,
      .q = told.q,
      .v = told.v};
  const bool was_running = tick_ == 0 || is_running();
  target_ = ask(client_, measured);
  host_ = has_twin() ? ask(*twin_, measured) : target_;
  if (auto found = difference(state.step)) return found;
  if (was_running && target_.state == link::LoopState::kSafe) {
    link::ReportReply report;
    client_.ask(link::Report(), report);
    story_.safe_at = tick_;
    story_.reason = report.safe_reason;
  }
  if (!target_.enabled && !story_.off_at) story_.off_at = tick_;
  story_.braked = target_.braked;
  const bool runs = is_running();
  const std::uint64_t to_next = ticks_a_reference(scenario_);
  if (tick_ % to_next == 0 && runs && !fail(kSilence)) {
    for (Client* client : clients()) lead(*client, scenario_, settings_, tick_, tick_ + to_next);
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
std::optional<Difference> ServoPair<T>::difference(std::uint64_t step) const {
  const auto differs = [&](const char* quantity, const std::vector<T>& a, const std::vector<T>& b) {
    return compare<T>(step, quantity, names_.v, a, b);
  };
  if (auto found = differs("tau", target_.tau, host_.tau)) return found;
  if (auto found = differs("filtered v", target_.v, host_.v)) return found;
  const auto outside = [](const Answer& answer) {
    return std::to_string(static_cast<int>(answer.state)) + (answer.enabled ? ", enabled" : "") +
           (answer.braked ? ", braked" : "");
  };
  if (outside(target_) != outside(host_)) {
    return Difference{step, "the loop's state", outside(target_), outside(host_)};
  }
  if (target_.hash != host_.hash) {
    return Difference{step, "hash", hash_text(target_.hash), hash_text(host_.hash)};
  }
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

template class ServoPair<float>;
template class ServoPair<double>;

}  // namespace lockstep::host::hil
