// The messages of dynamics as a service. It has no state but its settings, so it answers whenever
// there is a model.
#pragma once

#include <cstdint>
#include <span>

#include "loop/dynamics.hpp"
#include "loop/session.hpp"

namespace lockstep::firmware {

template <class Model, class T, class Board>
class DynamicsDevice
    : public Session<DynamicsDevice<Model, T, Board>, Dynamics<Model, T>, Model, T, Board> {
 public:
  static constexpr Application kApplication = Application::kDynamics;

 private:
  using Base = Session<DynamicsDevice, Dynamics<Model, T>, Model, T, Board>;
  friend Base;
  using Base::engine_, Base::settings_, Base::states_;
  using Base::on, Base::reply;

  std::uint64_t step_index() const { return this->asked_.step; }

  void answer_own(const link::Header& header, link::ByteReader& from) {
    if (header.type != link::request_type(MessageType::kSolve)) {
      return reply(Status::kUnknownMessage);
    }
    if (states_.is(LoopState::kBoot)) return reply(Status::kNotNow);
    auto& in = engine_.incoming();
    on(from, link::Solve<T>{span_of(in.q), span_of(in.v), span_of(in.tau)}, [&](auto&) {
      const Status status = this->timed([&] { return engine_.solve(settings_); });
      if (status != Status::kOk) return reply(status);
      const auto& out = engine_.answer();
      reply(link::SolveReply<const T>{Status::kOk, states_.state(), span_of(out.vdot),
                                      span_of(out.reaction)});
    });
  }
};

}  // namespace lockstep::firmware
