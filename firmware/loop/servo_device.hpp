// The messages of a servo, and its ticks: from the port to the port. Safe acts on the port by the
// robot's policy; where that needs measurements which are no longer good, motors go off.
#pragma once

#include <cstdint>
#include <utility>

#include "boards/port.hpp"
#include "lockstep/hash.hpp"
#include "loop/motor_limits.hpp"
#include "loop/servo.hpp"
#include "loop/session.hpp"

namespace lockstep::firmware {

// Port: as boards/port.hpp, in a class; LinkPort, where each frame of a host is a tick.
template <class Model, class T, class Board, class Port, class OwnLaw = NoLaw>
class ServoDevice : public Session<ServoDevice<Model, T, Board, Port, OwnLaw>,
                                   Servo<Model, T, OwnLaw>, Model, T, Board> {
 public:
  static constexpr Application kApplication = Application::kServo;

  ServoDevice() {
    if constexpr (!Robot<Model, T>::kIsTable) take_limits<Model>(settings_.limits);
  }

  // By its own clock, until the policy of a silent host has switched motors off.
  bool is_acting() const { return !kIsOverLink && !is_off_; }

 private:
  using Base = Session<ServoDevice, Servo<Model, T, OwnLaw>, Model, T, Board>;
  friend Base;
  using Base::engine_, Base::settings_, Base::states_, Base::watchdog_;
  using Base::on, Base::reply;
  using SafePolicy = link::SafePolicy;

  std::uint64_t step_index() const { return step_; }
  std::uint32_t limited() const { return engine_.limited(); }
  static constexpr bool kIsOverLink = requires { Port::kIsOverLink; };
  // It ticks by the clock unless frames are its ticks, and motors are never without a watchdog.
  static constexpr bool can(const Settings<typename Base::View, T>& settings) {
    return settings.free_running != kIsOverLink && settings.watchdog_ticks != 0;
  }
  template <class AnyLimits>
  static bool may_limit(const AnyLimits& limits) {
    if constexpr (Robot<Model, T>::kIsTable)
      return true;
    else
      return are_within_model<Model>(limits);
  }
  bool may_start() const {
    return engine_.is_judging() && engine_.is_driven() && engine_.is_limited(settings_);
  }

  void started() {
    step_ = 0;
    hash_ = Hash();
    engine_.start();
    port_.start(static_cast<std::uint32_t>(engine_.v().size()));
    port_.set_rest(settings_.safe == SafePolicy::kBrake ? port::Rest::kBrake : port::Rest::kOff);
    port_.enable(true);
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
    port_.make_safe();
    engine_.release();
    is_off_ = true;
  }

  Status measure() {
    std::uint32_t age = ~std::uint32_t{0};
    const Status status =
        port_.read(span_of(engine_.measured_q()), span_of(engine_.measured_v()), age);
    return engine_.judge(settings_, status, age);
  }

  Status tick() {
    return this->timed([&] {
      Status status = measure();
      if (status == Status::kStale && engine_.is_waiting(settings_)) return Status::kOk;
      if (status == Status::kOk) status = engine_.control(settings_);
      if (status != Status::kOk) return status;
      ++step_;
      port_.write(span_of(std::as_const(engine_).torque()));
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
    port_.write(span_of(std::as_const(engine_).torque()));
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
        return judge_by(from);
      case MessageType::kReference: return lead(from);
      case MessageType::kMeasured:
        if constexpr (kIsOverLink) return take_measured(from);
        return reply(Status::kUnknownMessage);
      case MessageType::kState:
        if (states_.is(LoopState::kBoot)) return reply(Status::kNotNow);
        return on(from, link::State(), [&](auto&) { reply(state_message()); });
      default: return reply(Status::kUnknownMessage);
    }
  }

  void judge_by(link::ByteReader& from) {
    auto& in = engine_.incoming();
    on(from, link::Servo<T>{.stiffness = span_of(in.stiffness), .damping = span_of(in.damping)},
       [&](auto& m) { reply(engine_.judge_by(m)); });
  }
  void lead(link::ByteReader& from) {
    if (!states_.is(LoopState::kRunning)) return reply(Status::kNotNow);
    auto& in = engine_.incoming();
    link::Reference<T> message{.q = span_of(in.q), .v = span_of(in.v), .a = span_of(in.a)};
    on(from, message, [&](auto& m) {
      const Status status = engine_.lead(settings_, m);
      if (status == Status::kOk) watchdog_.feed();
      reply(status);
    });
  }

  void take_measured(link::ByteReader& from) requires(kIsOverLink) {
    if (!states_.is(LoopState::kRunning) && !states_.is(LoopState::kSafe)) {
      return reply(Status::kNotNow);
    }
    on(from, link::Measured<T>{.q = span_of(port_.q), .v = span_of(port_.v)}, [&](auto& m) {
      port_.age = m.age;
      port_.drives = m.drives;
      this->pass(m.ticks);
      hash_.add_all(engine_.v());
      hash_.add_all(port_.tau);
      reply(link::MeasuredReply<const T>{Status::kOk, states_.state(), hash_.value(), port_.enabled,
                                         port_.braked, span_of(engine_.v()),
                                         span_of(std::as_const(port_.tau))});
    });
  }

  typename Base::Writer publisher_;
  [[no_unique_address]] Port port_;
  Hash hash_;
  std::uint64_t step_ = 0;
  bool is_off_ = true;
};

}  // namespace lockstep::firmware
