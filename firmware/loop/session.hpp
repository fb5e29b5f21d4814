// A board as its host sees it: frames in, an answer to each, the loop's states in between. It knows
// neither registers nor time: `Board` brings cycles and ticks, so that tests run it on the host.
// What only one application understands is in Derived: plant_device.hpp and its neighbours.
//
// In lockstep the host says how many steps to take, and time stands still in between; free-running,
// each tick of the board is a step. docs/wire-format.md has the messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "lockstep/link/frame.hpp"
#include "lockstep/link/messages.hpp"
#include "loop/fault_reply.hpp"
#include "loop/float_mode.hpp"
#include "loop/loop_state.hpp"
#include "loop/model_transfer.hpp"
#include "loop/outgoing.hpp"
#include "loop/robot.hpp"
#include "loop/settings.hpp"
#include "loop/tick_times.hpp"

namespace lockstep::firmware {

using link::Application;
using link::MessageType;

// Derived has kApplication, an Engine (Plant, Controller or Dynamics), and
//   void answer_own(const link::Header&, link::ByteReader&)  messages that only it understands
//   std::uint64_t step_index()                               in the headers of its replies
// and may hide what Session has for those that need none of it:
//   Status tick(), void safe_tick()                          a step of its own, free-running
//   span publish()                                           what it says without being asked
//   std::uint32_t limited()                                  torques that were cut, for the report
//   bool can(const Settings&)                                whether it can run with them
//   bool may_start()                                         whether nothing is missing
//   bool may_limit(const Limits&)                            whether these are not too wide
//   bool is_busy()                                           a request takes more than a turn
//   bool is_acting()                                         motors move without a host
//   void started(), void stopped(), void became_safe()
template <class Derived, class Engine, class Model, class T, class Board>
class Session {
 public:
  using View = typename Robot<Model, T>::View;
  static constexpr std::size_t kMaxPayload =
      std::clamp<std::size_t>(payload_bytes<T>(View::kMaxConfigs, View::kMaxDofs, View::kMaxBodies),
                              512, link::kLargestPayload);
  static_assert(!View::kIsStatic || payload_bytes<T>(View::kMaxConfigs, View::kMaxDofs,
                                                     View::kMaxBodies) <= link::kLargestPayload,
                "the robot is too large for the link's frames");

  Session() : engine_(robot_) {
    settings_.resize(robot_.view().counts().v);
    if (!Robot<Model, T>::kIsTable) static_cast<void>(states_.take_model());
  }

  // A byte from the host; true if a frame ended with it. An answer may wait in `outgoing` then. A
  // request is acted on at once, whatever is being sent: a newer one means that nobody waits for
  // the answer before it, whose rest is left out.
  bool receive(std::uint8_t byte) {
    const link::Frame* frame = reader_.push(byte);
    if (frame == nullptr) return false;
    const link::Header& header = frame->header;
    const int newer = static_cast<std::int16_t>(header.sequence - asked_.sequence);
    const bool is_stop = header.type == link::request_type(MessageType::kStop);
    if (header.type == link::request_type(MessageType::kHello)) {
      link::ByteReader from(frame->payload);
      if (link::Hello().read(from)) {
        say_aside(header, hello());
      } else {
        refuse(header, Status::kMalformed);
      }
    } else if (is_opening(*frame)) {
      asked_ = header;
      offered_ = next_session(header.session);
      reply(Status::kOk);
    } else if (asked_.session == 0 || header.session != asked_.session) {
      refuse(header, Status::kWrongSession);
    } else if (newer > 0 && derived().is_busy() && !is_stop) {
      ++refused_;  // the host has not waited for the answer to its long request
    } else if (newer > 0) {
      asked_ = header;
      answer(*frame);
    } else if (header == asked_) {
      // it did not hear the answer: the same again, without acting, unless it is on its way
      const bool will_come = derived().is_busy() || outgoing_.is_waiting(kReplies);
      if (!will_come) outgoing_.put(kReplies, writer_.last());
    } else {
      ++refused_;  // it was held up on its way, and others have been answered since
    }
    return true;
  }

  // To be sent; `sent` takes the first byte away.
  std::span<const std::uint8_t> outgoing() const { return outgoing_.next(); }
  void sent() { outgoing_.sent(); }

  // To be called as often as possible: takes the steps whose ticks have come.
  void poll() {
    const bool is_active = states_.is(LoopState::kRunning) || states_.is(LoopState::kSafe);
    if (!settings_.free_running || !states_.is(LoopState::kRunning)) Board::feed_watchdog();
    if (!settings_.free_running || !is_active) return;
    const std::uint32_t due = Board::ticks() - ticks_seen_;
    if (due == 0) return;
    ticks_seen_ += due;
    pass(due);
    unpublished_ += due;
    if (settings_.publish_every == 0 || unpublished_ < settings_.publish_every) return;
    unpublished_ = 0;
    if (outgoing_.next().empty()) outgoing_.put(kPublications, derived().publish());
  }

  LoopState state() const { return states_.state(); }
  // A request is being worked on, some of it each `poll`; until then only Stop is taken.
  bool is_busy() const { return false; }
  // It moves something though nobody speaks to it.
  bool is_acting() const { return false; }

 protected:
  void go_safe(Status reason) {
    states_.go_safe(reason);
    derived().became_safe();
  }

  // So many ticks have come, running or safe; all but one were missed.
  void pass(std::uint32_t due) {
    times_.overruns += due - 1;
    if (states_.is(LoopState::kRunning)) {
      take_tick(due);
    } else {
      derived().safe_tick();
    }
  }

  // The robot is there, or another one: all that has its sizes is made anew.
  Status take_robot() {
    engine_.~Engine();
    new (&engine_) Engine(robot_);
    settings_.resize(robot_.view().counts().v);
    configured_ = false;
    return states_.take_model();
  }

  template <class F>
  Status timed(F&& f) {
    const std::uint32_t begin = Board::cycles();
    const Status status = f();
    times_.add(Board::cycles() - begin);
    return status;
  }

  // Reads a message and acts on it, or says that it is none.
  template <class Message, class F>
  void on(link::ByteReader& from, Message message, F&& act) {
    if (message.read(from)) {
      act(message);
    } else {
      reply(Status::kMalformed);
    }
  }

  using Writer = link::FrameWriter<kMaxPayload>;

  template <class AnyWriter, class Message>
  auto write(AnyWriter& writer, const link::Header& header, const Message& message) {
    message.write(writer.begin({link::reply_type(static_cast<MessageType>(header.type)),
                                header.sequence, derived().step_index(), header.session}));
    return writer.finish();
  }
  // What a derived class publishes: with sequence 0, and apart from replies, which may have to be
  // repeated.
  link::Header publication(MessageType type) const {
    return {link::request_type(type), 0, 0, asked_.session};
  }
  template <class Message>
  void reply(const Message& message) {
    outgoing_.put(kReplies, write(writer_, asked_, message));
  }
  void reply(Status status) {
    refused_ += status != Status::kOk;
    reply(link::Ack{status, states_.state()});
  }

  Status tick() { return Status::kOk; }
  std::span<const std::uint8_t> publish() { return {}; }
  std::uint32_t limited() const { return 0; }
  static constexpr bool can(const Settings<View, T>& settings) {
    return settings.safe == link::SafePolicy::kOff;  // it has no motors
  }
  bool may_start() const { return true; }
  template <class Limits>
  static constexpr bool may_limit(const Limits&) {
    return true;
  }
  void started() {}
  void stopped() {}
  void became_safe() {}
  void safe_tick() {}

  bool may_change() const { return states_.is(LoopState::kReady); }

  Robot<Model, T> robot_;
  Engine engine_;
  Settings<View, T> settings_;
  StateMachine states_;
  Watchdog watchdog_;
  link::Header asked_;

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }

  void take_tick(std::uint32_t due) {
    if (missed_.pass(due)) return go_safe(Status::kOverrun);
    if (watchdog_.pass(due)) {
      ++watchdog_trips_;
      return go_safe(Status::kWatchdog);
    }
    Board::note_step(derived().step_index());
    const Status status = derived().tick();
    if (status != Status::kOk) return go_safe(status);
    if (due == 1) Board::feed_watchdog();
  }

  void answer(const link::Frame& frame) {
    link::ByteReader from(frame.payload);
    switch (static_cast<MessageType>(frame.header.type)) {
      case MessageType::kModelBegin:
        return on(from, link::ModelBegin(), [&](auto& m) { reply(begin_model(m)); });
      case MessageType::kModelBodies:
        return on(from, link::ModelBodies<T>(), [&](auto& m) { reply(add_bodies(m)); });
      case MessageType::kModelEnd:
        return on(from, link::ModelEnd(), [&](auto& m) { reply(end_model(m)); });
      case MessageType::kConfigure:
        return on(from, link::Configure<T>(), [&](auto& m) { reply(configure(m)); });
      case MessageType::kLimits: return set_limits(from);
      case MessageType::kWaves: return set_waves(from);
      case MessageType::kStart: return on(from, link::Start(), [&](auto&) { reply(start()); });
      case MessageType::kStop: return on(from, link::Stop(), [&](auto&) { reply(stop()); });
      case MessageType::kReport: return on(from, link::Report(), [&](auto&) { report(); });
      case MessageType::kLateness:
        return on(from, link::Lateness(), [&](auto&) { reply(lateness()); });
      case MessageType::kTickTimes:
        return on(from, link::TickTimes(), [&](auto&) { reply(tick_times()); });
      case MessageType::kFault:
        return on(from, link::Fault(), [&](auto& m) { tell_fault(m.forget); });
      default: return derived().answer_own(frame.header, from);
    }
  }

  // --- who asks. A hello changes nothing, for nobody: its answer, and refusals to strangers, go
  // beside the replies of the session. A session's number is offered once: what was recorded before
  // it is refused. The first number hangs on when the host first speaks.

  bool is_opening(const link::Frame& frame) const {
    return frame.header.type == link::request_type(MessageType::kOpen) && frame.payload.empty() &&
           offered_ != 0 && frame.header.session == offered_;
  }
  static std::uint32_t next_session(std::uint32_t number) {
    return number + 1 == 0 ? 1 : number + 1;
  }

  template <class Message>
  void say_aside(const link::Header& asked, const Message& message) {
    outgoing_.put(kAsides, write(aside_, asked, message));
  }
  void refuse(const link::Header& asked, Status status) {
    ++refused_;
    say_aside(asked, link::Ack{status, states_.state()});
  }

  link::HelloReply hello() {
    const Counts counts = robot_.view().counts();
    if (offered_ == 0) offered_ = next_session(Board::cycles());
    return {.status = Status::kOk,
            .state = states_.state(),
            .application = Derived::kApplication,
            .scalar_bytes = sizeof(T),
            .is_table = Robot<Model, T>::kIsTable,
            .capacity = static_cast<std::uint16_t>(View::kMaxBodies),
            .bodies = static_cast<std::uint16_t>(robot_.view().body_count()),
            .nq = static_cast<std::uint16_t>(counts.q),
            .nv = static_cast<std::uint16_t>(counts.v),
            .model_hash = robot_.hash(),
            .clock_hz = Board::clock_hz(),
            .max_payload = static_cast<std::uint16_t>(kMaxPayload),
            .session = offered_,
            .build = Board::build_id(),
            .reset = Board::reset_reason(),
            .has_fault = Board::fault() != nullptr};
  }

  void report() {
    const auto line = Board::line_errors();
    reply(link::ReportReply{.status = Status::kOk,
                            .state = states_.state(),
                            .ticks = times_.ticks,
                            .overruns = times_.overruns,
                            .shortest = times_.ticks == 0 ? 0 : times_.shortest,
                            .longest = times_.longest,
                            .damaged_frames = reader_.damaged() + reader_.foreign(),
                            .refused_frames = refused_,
                            .limited = derived().limited(),
                            .watchdog_trips = watchdog_trips_,
                            .stack_bytes = Board::stack_bytes(),
                            .safe_reason = states_.reason(),
                            .line_overruns = line.overruns,
                            .line_framing = line.framing,
                            .line_noise = line.noise,
                            .line_dropped = line.dropped});
  }

  link::LatenessReply lateness() {
    link::LatenessReply told = Board::lateness();
    told.state = states_.state();
    return told;
  }

  link::TickTimesReply tick_times() const {
    return {.status = Status::kOk, .state = states_.state(), .cycles = times_.last()};
  }

  void tell_fault(bool forget) {
    reply(fault_reply(Board::fault(), states_.state()));
    if (forget) Board::forget_fault();
  }

  // --- a model over the link; a compiled one does not change

  static constexpr bool kTakesModels = Robot<Model, T>::kIsTable;

  Status begin_model([[maybe_unused]] const link::ModelBegin& message) {
    if constexpr (!kTakesModels)
      return Status::kNotNow;
    else {
      if (message.bodies == 0) return Status::kMalformed;
      if (message.bodies > View::kMaxBodies) return Status::kTooManyBodies;
      const Status status = states_.lose_model();
      if (status == Status::kOk) transfer_.begin(robot_, message);
      return status;
    }
  }
  Status add_bodies([[maybe_unused]] const link::ModelBodies<T>& message) {
    if constexpr (!kTakesModels)
      return Status::kNotNow;
    else
      return states_.is(LoopState::kBoot) ? transfer_.add(robot_, message) : Status::kNotNow;
  }
  Status end_model([[maybe_unused]] const link::ModelEnd& message) {
    if constexpr (!kTakesModels)
      return Status::kNotNow;
    else {
      if (!states_.is(LoopState::kBoot)) return Status::kNotNow;
      const Counts counts = robot_.view().counts();
      if (payload_bytes<T>(counts.q, counts.v, robot_.view().body_count()) > kMaxPayload) {
        return Status::kTooManyBodies;
      }
      if (const Status status = transfer_.end(robot_, message); status != Status::kOk) {
        return status;
      }
      return take_robot();
    }
  }

  // --- settings: not under a running loop, all or nothing

  Status configure(const link::Configure<T>& message) {
    if (!may_change()) return Status::kNotNow;
    if (message.model_hash != robot_.hash()) return Status::kWrongModel;
    next_ = settings_;
    const Status status = next_.take(message);
    if (status != Status::kOk) return status;
    const T period = next_.dt * T(Board::clock_hz());
    if (next_.free_running && !(period >= T(1) && period <= T(Board::kLongestPeriod))) {
      return Status::kMalformed;
    }
    if (!derived().can(next_)) return Status::kMalformed;
    settings_ = next_;
    configured_ = true;
    watchdog_.set_limit(settings_.watchdog_ticks);
    missed_.set(settings_.missed_allowed, settings_.missed_forgotten);
    return Status::kOk;
  }

  void set_limits(link::ByteReader& from) {
    if (!may_change()) return reply(Status::kNotNow);
    auto& limits = next_.limits = settings_.limits;
    on(from,
       link::Limits<T>{span_of(limits.effort), span_of(limits.effort_rate), span_of(limits.lower),
                       span_of(limits.upper), span_of(limits.velocity)},
       [&](auto&) {
         if (!are_limits(limits)) return reply(Status::kMalformed);
         if (!derived().may_limit(limits)) return reply(Status::kBeyondLimits);
         settings_.limits = limits;
         reply(Status::kOk);
       });
  }

  void set_waves(link::ByteReader& from) {
    if (!may_change()) return reply(Status::kNotNow);
    auto& waves = next_.waves = settings_.waves;
    on(from,
       link::Waves<T>{span_of(waves.offset), span_of(waves.amplitude), span_of(waves.increment),
                      span_of(waves.phase)},
       [&](auto&) {
         if (!waves.is_finite()) return reply(Status::kNotFinite);
         settings_.waves = waves;
         reply(Status::kOk);
       });
  }

  Status start() {
    if (states_.is(LoopState::kReady)) {
      if (!configured_ || !derived().may_start()) return Status::kNotConfigured;
      if (!floats_are_exact()) return Status::kFloatMode;
    }
    if (const Status status = states_.start(); status != Status::kOk) return status;
    const T period = settings_.dt * T(Board::clock_hz());
    Board::start_ticking(settings_.free_running ? static_cast<std::uint32_t>(period)
                                                : Board::kLongestPeriod);
    ticks_seen_ = unpublished_ = 0;
    missed_.start();
    times_ = {};
    watchdog_.feed();
    derived().started();
    return Status::kOk;
  }

  Status stop() {
    const Status status = states_.stop();
    if (status == Status::kOk) derived().stopped();
    return status;
  }

  Settings<View, T> next_;  // being filled in
  ModelTransfer<T> transfer_;
  TickTimes times_;
  bool configured_ = false;  // since the model is there
  MissedTicks missed_;
  std::uint32_t ticks_seen_ = 0, unpublished_ = 0;
  std::uint32_t watchdog_trips_ = 0, refused_ = 0;

  link::FrameReader<kMaxPayload> reader_;
  Writer writer_;
  link::FrameWriter<64> aside_;
  std::uint32_t offered_ = 0;  // the session that may begin; 0: nobody has said hello
  enum { kReplies, kAsides, kPublications, kQueues };  // what comes first goes first
  Outgoing<kQueues> outgoing_;
};

}  // namespace lockstep::firmware
