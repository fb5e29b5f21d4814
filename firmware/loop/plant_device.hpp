// The messages of a plant.
#pragma once

#include <cstdint>
#include <span>

#include "loop/equipped_plant.hpp"
#include "loop/session.hpp"

namespace lockstep::firmware {

template <class Model, class T, class Board>
class PlantDevice
    : public Session<PlantDevice<Model, T, Board>, PlantOf<Model, T>, Model, T, Board> {
 public:
  static constexpr Application kApplication = Application::kPlant;

  void poll() {
    if (left_ != 0) step_on();
    Base::poll();
  }
  bool is_busy() const { return left_ != 0; }

 private:
  using Engine = PlantOf<Model, T>;
  using Base = Session<PlantDevice, Engine, Model, T, Board>;
  friend Base;
  using Base::engine_, Base::settings_, Base::states_, Base::watchdog_;
  using Base::on, Base::reply;

  std::uint64_t step_index() const { return engine_.step(); }
  std::uint32_t limited() const { return engine_.limited(); }
  static constexpr bool can(const Settings<typename Base::View, T>& settings) {
    return Base::can(settings) && Engine::can(settings);
  }
  void started() {
    const Status status = engine_.start(settings_);
    if (status != Status::kOk) this->go_safe(status);
  }
  void stopped() { left_ = 0; }  // what it has stepped so far stays

  Status tick() {
    return this->timed([&] { return engine_.advance(settings_); });
  }
  auto publish() {
    return this->write(publisher_, this->publication(MessageType::kState), state_message());
  }

  void answer_own(const link::Header& header, link::ByteReader& from) {
    switch (static_cast<MessageType>(header.type)) {
      case MessageType::kSetState: return set_state(header, from);
      case MessageType::kStep: return step(header, from);
      case MessageType::kState: return on(from, link::State(), [&](auto&) { reply_state(); });
      default: return reply(Status::kUnknownMessage);
    }
  }

  auto state_message() const { return state_message(engine_.told()); }
  auto state_message(const typename Engine::Motion& motion) const {
    return link::StateReply<const T>{Status::kOk,       states_.state(),   engine_.hash(),
                                     span_of(motion.q), span_of(motion.v), span_of(motion.tau)};
  }
  void reply_state() {
    if (states_.is(LoopState::kBoot)) return reply(Status::kNotNow);
    reply(state_message());
  }

  void set_state(const link::Header& header, link::ByteReader& from) {
    if (!this->may_change()) return reply(Status::kNotNow);
    auto& in = engine_.incoming();
    on(from, link::SetState<T>{0, span_of(in.q), span_of(in.v), span_of(in.tau)},
       [&](auto& m) { reply(engine_.set_state(header.step, m.hash)); });
  }

  void step(const link::Header& header, link::ByteReader& from) {
    if (!states_.is(LoopState::kRunning)) return reply(Status::kNotNow);
    const bool has_torque = settings_.drive == link::DriveMode::kFrames;
    const auto torque = has_torque ? span_of(engine_.incoming().tau) : std::span<T>();
    on(from, link::Step<T>{0, torque}, [&](auto& m) {
      if (m.count > link::kMaxStepsAFrame) return reply(Status::kMalformed);
      if (settings_.free_running && m.count != 0) return reply(Status::kNotNow);
      if (!settings_.free_running && header.step != engine_.step()) {
        return reply(Status::kOutOfStep);
      }
      Status status = has_torque ? engine_.set_command() : Status::kOk;
      if (status != Status::kOk) return reply(status);
      watchdog_.feed();
      if (m.count == 0) return reply_state();
      left_ = m.count;
      keep_state();
    });
  }

  // A step of a request of many, so that Stop is heard between them. All or nothing: where one
  // fails, the plant is as it was before the first.
  void step_on() {
    const Status status = tick();
    if (status != Status::kOk) {
      left_ = 0;
      restore_state();
      this->go_safe(status);
      reply(status);
    } else if (--left_ == 0) {
      reply_state();
    }
  }

  // In the memory for publications, of which there are none in lockstep.
  void keep_state() {
    kept_ = &publisher_.begin({.step = engine_.step()});
    state_message(engine_.motion()).write(*kept_);
  }
  void restore_state() {
    link::ByteReader from(kept_->written());
    from.take_bytes(link::kHeaderBytes - sizeof(std::uint64_t));
    const auto step = from.take<std::uint64_t>();
    auto& in = engine_.incoming();
    link::StateReply<T> state{.q = span_of(in.q), .v = span_of(in.v), .tau = span_of(in.tau)};
    if (state.read(from)) static_cast<void>(engine_.set_state(step, state.hash));
  }

  std::uint32_t left_ = 0;  // steps of the request that is being worked on
  link::ByteWriter* kept_ = nullptr;
  typename Base::Writer publisher_;
};

}  // namespace lockstep::firmware
