// The messages of a servo, and its ticks: from the port to the port. Safe acts on the port by the
// robot's policy; where that needs measurements which are no longer good, motors go off.
#pragma once

#include <cstdint>
#include <utility>

#include "boards/port.hpp"
#include "loop/servo.hpp"
#include "loop/session.hpp"

namespace lockstep::firmware {

// Port: as boards/port.hpp, in a class, so that tests bring their own.
template <class Model, class T, class Board, class Port, class OwnLaw = NoLaw>
class ServoDevice : public Session<ServoDevice<Model, T, Board, Port, OwnLaw>,
                                   Servo<Model, T, OwnLaw>, Model, T, Board> {
 public:
  static constexpr Application kApplication = Application::kServo;

 private:
  using Base = Session<ServoDevice, Servo<Model, T, OwnLaw>, Model, T, Board>;
  friend Base;
  using Base::engine_, Base::settings_, Base::states_, Base::watchdog_;
  using Base::on, Base::reply;
  using SafePolicy = link::SafePolicy;

  std::uint64_t step_index() const { return step_; }
  std::uint32_t limited() const { return engine_.limited(); }
  // It ticks by the clock, and motors are never without a watchdog.
  static constexpr bool can(const Settings<typename Base::View, T>& settings) {
    return settings.free_running && settings.watchdog_ticks != 0;
  }
  bool may_start() const {
    return engine_.is_judging() && engine_.is_driven() && engine_.is_limited(settings_);
  }

  void started() {
    step_ = 0;
    engine_.start();
    Port::start(static_cast<std::uint32_t>(engine_.v().size()));
    Port::set_rest(settings_.safe == SafePolicy::kBrake ? port::Rest::kBrake : port::Rest::kOff);
    Port::enable(true);
    is_off_ = false;
  }
  void stopped() { let_go(); }
  // A robot that cannot be measured is not held.
  void became_safe() {
    using enum Status;
    const Status why = states_.reason();
    const bool measured = why != kStale && why != kNotFinite && why != kDriveFault;
    const bool acts = settings_.safe == SafePolicy::kDamp || settings_.safe == SafePolicy::kHold;
    if (!measured || !acts) return let_go();
    engine_.keep();
  }
  void let_go() {
    Port::make_safe();
    engine_.release();
    is_off_ = true;
  }

  Status measure() {
    std::uint32_t age = ~std::uint32_t{0};
    const Status status =
        Port::read(span_of(engine_.measured_q()), span_of(engine_.measured_v()), age);
    return engine_.judge(settings_, status, age);
  }

  Status tick() {
    return this->timed([&] {
      Status status = measure();
      if (status == Status::kOk) status = engine_.control(settings_);
      if (status != Status::kOk) return status;
      ++step_;
      Port::write(span_of(std::as_const(engine_).torque()));
      return Status::kOk;
    });
  }
  void safe_tick() {
    if (is_off_) return;
    const Status seen = measure();
    // beyond its limits is where it may be in safe
    Status status = seen == Status::kBeyondLimits ? Status::kOk : seen;
    if (status == Status::kOk) {
      status =
          settings_.safe == SafePolicy::kHold ? engine_.hold(settings_) : engine_.damp(settings_);
    }
    if (status != Status::kOk) return let_go();
    Port::write(span_of(std::as_const(engine_).torque()));
  }

  auto publish() {
    return this->write(publisher_, this->publication(MessageType::kState), state_message());
  }
  auto state_message() const {
    return link::StateReply<const T>{
        Status::kOk,          states_.state(),      0,
        span_of(engine_.q()), span_of(engine_.v()), span_of(engine_.torque())};
  }

  void answer_own(const link::Header& header, link::ByteReader& from) {
    switch (static_cast<MessageType>(header.type)) {
      case MessageType::kServo:
        if (!this->may_change()) return reply(Status::kNotNow);
        return on(from, link::Servo<T>(), [&](auto& m) { reply(engine_.judge_by(m)); });
      case MessageType::kReference: return lead(from);
      case MessageType::kState:
        if (states_.is(LoopState::kBoot)) return reply(Status::kNotNow);
        return on(from, link::State(), [&](auto&) { reply(state_message()); });
      default: return reply(Status::kUnknownMessage);
    }
  }

  void lead(link::ByteReader& from) {
    if (!states_.is(LoopState::kRunning)) return reply(Status::kNotNow);
    auto& in = engine_.incoming();
    link::Reference<T> message{.q = span_of(in.q), .v = span_of(in.v)};
    on(from, message, [&](auto& m) {
      const Status status = engine_.lead(settings_, m);
      if (status == Status::kOk) watchdog_.feed();
      reply(status);
    });
  }

  typename Base::Writer publisher_;
  std::uint64_t step_ = 0;
  bool is_off_ = true;
};

}  // namespace lockstep::firmware
