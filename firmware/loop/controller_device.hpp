// The messages of a controller.
#pragma once

#include <cstdint>

#include "loop/controller.hpp"
#include "loop/motor_limits.hpp"
#include "loop/session.hpp"

namespace lockstep::firmware {

template <class Model, class T, class Board>
class ControllerDevice
    : public Session<ControllerDevice<Model, T, Board>, Controller<Model, T>, Model, T, Board> {
 public:
  static constexpr Application kApplication = Application::kController;

  ControllerDevice() {
    if constexpr (!Robot<Model, T>::kIsTable) take_limits<Model>(settings_.limits);
  }

 private:
  using Base = Session<ControllerDevice, Controller<Model, T>, Model, T, Board>;
  friend Base;
  using Base::engine_, Base::settings_, Base::states_, Base::watchdog_;
  using Base::on, Base::reply;

  std::uint64_t step_index() const { return engine_.step(); }
  std::uint32_t limited() const { return engine_.limited(); }
  void started() { engine_.start(); }
  void stopped() { engine_.release(); }
  void became_safe() { engine_.release(); }

  auto publish() {
    return this->write(publisher_, this->publication(MessageType::kControl), message());
  }

  auto message() const {
    return link::ControlReply<const T>{Status::kOk, states_.state(), engine_.hash(),
                                       span_of(engine_.torque())};
  }

  void answer_own(const link::Header& header, link::ByteReader& from) {
    if (header.type != link::request_type(MessageType::kControl)) {
      return reply(Status::kUnknownMessage);
    }
    if (!states_.is(LoopState::kRunning)) return reply(Status::kNotNow);
    auto& in = engine_.incoming();
    on(from,
       link::Control<T>{span_of(in.q), span_of(in.v), span_of(in.reference.q),
                        span_of(in.reference.v), span_of(in.reference.a)},
       [&](auto&) {
         // a frame that was held up must not undo a newer one
         const bool is_next =
             settings_.free_running ? header.step >= engine_.step() : header.step == engine_.step();
         if (!is_next) return reply(Status::kOutOfStep);
         const Status status = this->timed([&] { return engine_.control(settings_, header.step); });
         if (status != Status::kOk) return reply(status);
         watchdog_.feed();
         reply(message());
       });
  }

  typename Base::Writer publisher_;
};

}  // namespace lockstep::firmware
