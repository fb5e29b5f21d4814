// The messages of a plant.
#pragma once

#include <cstdint>
#include <span>

#include "loop/plant.hpp"
#include "loop/session.hpp"

namespace lockstep::firmware {

template <class Model, class T, class Board>
class PlantDevice : public Session<PlantDevice<Model, T, Board>, Plant<Model, T>, Model, T, Board> {
 public:
  static constexpr Application kApplication = Application::kPlant;

 private:
  using Base = Session<PlantDevice, Plant<Model, T>, Model, T, Board>;
  friend Base;
  using Base::engine_, Base::settings_, Base::states_, Base::watchdog_;
  using Base::on, Base::reply;

  std::uint64_t step_index() const { return engine_.step(); }
  std::uint32_t limited() const { return engine_.limited(); }
  static constexpr bool can(const Settings<typename Base::View, T>& settings) {
    return Plant<Model, T>::can(settings);
  }
  void started() { engine_.start(); }

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

  auto state_message() const {
    const auto& motion = engine_.motion();
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
      for (std::uint32_t i = 0; i < m.count && status == Status::kOk; ++i) status = tick();
      if (status != Status::kOk) {
        this->go_safe(status);
        return reply(status);
      }
      reply_state();
    });
  }

  typename Base::Writer publisher_;
};

}  // namespace lockstep::firmware
