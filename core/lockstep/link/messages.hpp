// The payload of every message. T is the scalar of the model, float or double; a sender may say
// const float, so that vectors need not be copied. A reader's vectors are storage of its own, of
// the size that the model demands; read() is false if the payload is anything but this message,
// and the fields then hold anything.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "lockstep/body_data.hpp"
#include "lockstep/link/message.hpp"

namespace lockstep::link {

template <MessageType kMessage>
struct EmptyRequest {
  static constexpr MessageType kType = kMessage;

  void write(ByteWriter&) const {}
  bool read(ByteReader& from) { return from.at_end(); }
};
using Hello = EmptyRequest<MessageType::kHello>;
using Start = EmptyRequest<MessageType::kStart>;
using Stop = EmptyRequest<MessageType::kStop>;
using Report = EmptyRequest<MessageType::kReport>;
using State = EmptyRequest<MessageType::kState>;
using TickTimes = EmptyRequest<MessageType::kTickTimes>;
using Open = EmptyRequest<MessageType::kOpen>;  // the header's session is the one to begin

// The reply to all that has no other, and to every request that is refused.
struct Ack {
  Status status = Status::kOk;
  LoopState state = LoopState::kBoot;

  void write(ByteWriter& to) const { put_reply(to, status, state); }
  bool read(ByteReader& from) { return take_reply(from, status, state); }
};

struct HelloReply {
  Status status = Status::kOk;
  LoopState state = LoopState::kBoot;
  Application application = Application::kPlant;
  std::uint8_t scalar_bytes = 0;  // 4 float, 8 double
  bool is_table = false;          // takes a model over the link
  std::uint16_t capacity = 0;     // bodies that it has room for
  std::uint16_t bodies = 0, nq = 0, nv = 0;
  std::uint64_t model_hash = 0;  // 0: no model yet
  std::uint32_t clock_hz = 0;    // of the times in a report
  std::uint16_t max_payload = 0;
  std::uint32_t session = 0;  // the one that Open may begin
  std::uint32_t build = 0;    // of the sources that it was built from
  ResetReason reset = ResetReason::kUnknown;
  bool has_fault = false;  // there is a record of one: Fault

  void write(ByteWriter& to) const {
    put_reply(to, status, state, application, scalar_bytes, is_table, capacity, bodies, nq, nv,
              model_hash, clock_hz, max_payload, session, build, reset, has_fault);
  }
  bool read(ByteReader& from) {
    return take_reply(from, status, state, application, scalar_bytes, is_table, capacity, bodies,
                      nq, nv, model_hash, clock_hz, max_payload, session, build, reset, has_fault);
  }
};

// One body on the wire: parent, joint, the scalars of for_each_scalar.
template <class T>
inline constexpr std::size_t kBodyBytes = 3 + kBodyScalars * sizeof(T);

template <class T>
void put_body(ByteWriter& to, const BodyData<T>& body) {
  to.put(static_cast<std::uint16_t>(body.parent));
  to.put(static_cast<std::uint8_t>(body.joint));
  for_each_scalar(body, [&](T value) { to.put(value); });
}
// Not judged: that is TableModel::add's task, which also gives the body its place in q and v.
template <class T>
BodyData<T> take_body(ByteReader& from) {
  BodyData<T> body{};
  body.parent = static_cast<std::int16_t>(from.take<std::uint16_t>());
  body.joint = static_cast<JointType>(from.take<std::uint8_t>());
  for_each_scalar(body, [&](T& value) { value = from.take<T>(); });
  return body;
}

struct ModelBegin {
  static constexpr MessageType kType = MessageType::kModelBegin;
  std::uint16_t bodies = 0;
  std::uint64_t model_hash = 0;

  void write(ByteWriter& to) const { put_fields(to, bodies, model_hash); }
  bool read(ByteReader& from) { return take_fields(from, bodies, model_hash); }
};

// Bodies first, first + 1, ... as put_body wrote them: the bytes that transfer_hash is over.
template <class T>
struct ModelBodies {
  static constexpr MessageType kType = MessageType::kModelBodies;
  std::uint16_t first = 0, count = 0;
  std::span<const std::uint8_t> bytes;  // count * kBodyBytes<T>, in the frame when read

  void write(ByteWriter& to) const {
    put_fields(to, first, count);
    to.put_bytes(bytes);
  }
  bool read(ByteReader& from) {
    take_field(from, first);
    take_field(from, count);
    bytes = from.take_bytes(count * kBodyBytes<T>);
    return from.at_end();
  }
};

struct ModelEnd {
  static constexpr MessageType kType = MessageType::kModelEnd;
  std::uint64_t transfer_hash = 0;  // FNV-1a over the bytes of all bodies

  void write(ByteWriter& to) const { put_fields(to, transfer_hash); }
  bool read(ByteReader& from) { return take_fields(from, transfer_hash); }
};

template <class T>
struct Configure {
  static constexpr MessageType kType = MessageType::kConfigure;
  std::uint64_t model_hash = 0;
  T dt{};                            // s
  std::array<T, 3> gravity{};        // m/s^2, in W
  T kp{}, kd{};                      // gains of the controller
  std::uint32_t watchdog_ticks = 0;  // ticks without a command until the loop is safe; 0: never
  bool free_running = false;
  std::uint8_t integrator = 0;  // as in Integrator
  DriveMode drive = DriveMode::kFrames;
  std::uint16_t publish_every = 0;        // ticks between published states; 0: none
  std::uint16_t missed_allowed = 10;      // ticks; more lead to safe, but
  std::uint16_t missed_forgotten = 1000;  // one is forgotten in so many punctual ticks; at least 1
  SafePolicy safe = SafePolicy::kOff;

  void write(ByteWriter& to) const {
    put_fields(to, model_hash, dt, gravity, kp, kd, watchdog_ticks, free_running, integrator, drive,
               publish_every, missed_allowed, missed_forgotten, safe);
  }
  bool read(ByteReader& from) {
    return take_fields(from, model_hash, dt, gravity, kp, kd, watchdog_ticks, free_running,
                       integrator, drive, publish_every, missed_allowed, missed_forgotten, safe) &&
           integrator <= 2 && missed_forgotten != 0;
  }
};

// Vectors of nv; infinite where there is no limit.
template <class T>
struct Limits {
  static constexpr MessageType kType = MessageType::kLimits;
  std::span<T> effort, effort_rate, lower, upper, velocity;

  void write(ByteWriter& to) const { put_fields(to, effort, effort_rate, lower, upper, velocity); }
  bool read(ByteReader& from) {
    return take_fields(from, effort, effort_rate, lower, upper, velocity);
  }
};

// Vectors of nv: offset + amplitude * sin(turns), where 2^32 of phase are a turn.
template <class T>
struct Waves {
  static constexpr MessageType kType = MessageType::kWaves;
  using Word = std::conditional_t<std::is_const_v<T>, const std::uint32_t, std::uint32_t>;
  std::span<T> offset, amplitude;
  std::span<Word> increment, phase;  // increment a tick, phase at step 0

  void write(ByteWriter& to) const { put_fields(to, offset, amplitude, increment, phase); }
  bool read(ByteReader& from) { return take_fields(from, offset, amplitude, increment, phase); }
};

// The header's step is the step to continue from. Here and in replies, hash is FNV-1a over the bits
// of the scalars behind it: q then v, or tau.
template <class T>
struct SetState {
  static constexpr MessageType kType = MessageType::kSetState;
  std::uint64_t hash = 0;
  std::span<T> q, v, tau;  // tau: the torques that acted last

  void write(ByteWriter& to) const { put_fields(to, hash, q, v, tau); }
  bool read(ByteReader& from) { return take_fields(from, hash, q, v, tau); }
};

inline constexpr std::uint32_t kMaxStepsAFrame = 1'000'000;  // more are malformed

// The header's step is the one that the sender believes the target is at.
template <class T>
struct Step {
  static constexpr MessageType kType = MessageType::kStep;
  std::uint32_t count = 0;
  std::span<T> tau;  // nv, or none where the drive is internal

  void write(ByteWriter& to) const { put_fields(to, count, tau); }
  bool read(ByteReader& from) { return take_fields(from, count, tau); }
};

// Answers Step and State, and is what a free-running target publishes, with sequence 0. The
// header's step is the step reached.
template <class T>
struct StateReply {
  Status status = Status::kOk;
  LoopState state = LoopState::kBoot;
  std::uint64_t hash = 0;
  std::span<T> q, v, tau;  // tau: the torques that acted last

  void write(ByteWriter& to) const { put_reply(to, status, state, hash, q, v, tau); }
  bool read(ByteReader& from) { return take_reply(from, status, state, hash, q, v, tau); }
};

template <class T>
struct Solve {
  static constexpr MessageType kType = MessageType::kSolve;
  std::span<T> q, v, tau;

  void write(ByteWriter& to) const { put_fields(to, q, v, tau); }
  bool read(ByteReader& from) { return take_fields(from, q, v, tau); }
};

template <class T>
struct SolveReply {
  Status status = Status::kOk;
  LoopState state = LoopState::kBoot;
  std::span<T> vdot, reaction;  // nv; six for each body: force, then moment

  void write(ByteWriter& to) const { put_reply(to, status, state, vdot, reaction); }
  bool read(ByteReader& from) { return take_reply(from, status, state, vdot, reaction); }
};

template <class T>
struct Control {
  static constexpr MessageType kType = MessageType::kControl;
  std::span<T> q, v, q_ref, v_ref, a_ref;

  void write(ByteWriter& to) const { put_fields(to, q, v, q_ref, v_ref, a_ref); }
  bool read(ByteReader& from) { return take_fields(from, q, v, q_ref, v_ref, a_ref); }
};

template <class T>
struct ControlReply {
  Status status = Status::kOk;
  LoopState state = LoopState::kBoot;
  std::uint64_t hash = 0;
  std::span<T> tau;

  void write(ByteWriter& to) const { put_reply(to, status, state, hash, tau); }
  bool read(ByteReader& from) { return take_reply(from, status, state, hash, tau); }
};

struct ReportReply {
  Status status = Status::kOk;
  LoopState state = LoopState::kBoot;
  std::uint64_t ticks = 0;
  std::uint32_t overruns = 0;               // ticks that were missed
  std::uint32_t shortest = 0, longest = 0;  // tick, in units of HelloReply::clock_hz
  std::uint32_t damaged_frames = 0, refused_frames = 0;
  std::uint32_t limited = 0;  // torques that were cut to a limit
  std::uint32_t watchdog_trips = 0;
  std::uint32_t stack_bytes = 0;  // the deepest so far
  Status safe_reason = Status::kOk;
  // of the line to the host: bytes that came too fast, out of time, with noise, or found no room
  std::uint32_t line_overruns = 0, line_framing = 0, line_noise = 0, line_dropped = 0;

  void write(ByteWriter& to) const {
    put_reply(to, status, state, ticks, overruns, shortest, longest, damaged_frames, refused_frames,
              limited, watchdog_trips, stack_bytes, safe_reason, line_overruns, line_framing,
              line_noise, line_dropped);
  }
  bool read(ByteReader& from) {
    return take_reply(from, status, state, ticks, overruns, shortest, longest, damaged_frames,
                      refused_frames, limited, watchdog_trips, stack_bytes, safe_reason,
                      line_overruns, line_framing, line_noise, line_dropped);
  }
};

// How a servo judges measurements, and what it does in safe.
template <class T>
struct Servo {
  static constexpr MessageType kType = MessageType::kServo;
  std::uint32_t stale = 0;          // us; what is older is refused
  std::remove_const_t<T> cutoff{};  // Hz, of the filter of velocities; 0: none
  // N m/rad and N m s/rad, or N/m and N s/m, of policies hold and damp
  std::span<T> stiffness, damping;

  void write(ByteWriter& to) const { put_fields(to, stale, cutoff, stiffness, damping); }
  bool read(ByteReader& from) { return take_fields(from, stale, cutoff, stiffness, damping); }
};

// Where a servo leads its robot: to q with velocity v and acceleration a, in `duration`, by a
// polynomial of degree 5.
template <class T>
struct Reference {
  static constexpr MessageType kType = MessageType::kReference;
  ControlLaw law = ControlLaw::kSprings;
  std::remove_const_t<T> kp{}, kd{};                  // of the law
  std::remove_const_t<T> duration{}, acceleration{};  // s; the greatest, rad/s^2 or m/s^2
  std::span<T> q, v, a;

  void write(ByteWriter& to) const { put_fields(to, law, kp, kd, duration, acceleration, q, v, a); }
  bool read(ByteReader& from) {
    return take_fields(from, law, kp, kd, duration, acceleration, q, v, a);
  }
};

// A tick of a servo whose robot is at the host's end: what its port measures.
template <class T>
struct Measured {
  static constexpr MessageType kType = MessageType::kMeasured;
  std::uint16_t ticks = 1;      // that have passed; all but one were missed
  std::uint32_t age = 0;        // us, of what was measured
  Status drives = Status::kOk;  // what they say
  std::span<T> q, v;

  void write(ByteWriter& to) const { put_fields(to, ticks, age, drives, q, v); }
  bool read(ByteReader& from) { return take_fields(from, ticks, age, drives, q, v) && ticks != 0; }
};

template <class T>
struct MeasuredReply {
  Status status = Status::kOk;
  LoopState state = LoopState::kBoot;
  std::uint64_t hash = 0;  // over every tick's velocities and torques since the start
  bool enabled = false;    // the enable line
  bool braked = false;
  std::span<T> v, tau;  // as filtered; as written to the motors

  void write(ByteWriter& to) const { put_reply(to, status, state, hash, enabled, braked, v, tau); }
  bool read(ByteReader& from) {
    return take_reply(from, status, state, hash, enabled, braked, v, tau);
  }
};

// How late the ticks of a board with an operating system began, since the start.
struct Lateness {
  static constexpr MessageType kType = MessageType::kLateness;

  void write(ByteWriter& to) const { put_fields(to); }
  bool read(ByteReader& from) { return take_fields(from); }
};

struct LatenessReply {
  static constexpr std::size_t kBins = 16;
  Status status = Status::kOk;  // kUnknownMessage: the board has none
  LoopState state = LoopState::kBoot;
  std::array<std::uint32_t, kBins> late{};  // ticks, by less than 2^i us; the last: by more too
  std::uint32_t worst = 0;                  // ns
  std::uint32_t page_faults = 0;
  bool first = false;   // real-time priority
  bool locked = false;  // all of its memory

  void write(ByteWriter& to) const {
    put_reply(to, status, state, late, worst, page_faults, first, locked);
  }
  bool read(ByteReader& from) {
    return take_reply(from, status, state, late, worst, page_faults, first, locked);
  }
};

// How long single ticks took.
struct TickTimesReply {
  static constexpr std::size_t kTicks = 16;  // that a target remembers
  Status status = Status::kOk;
  LoopState state = LoopState::kBoot;
  // of the last ticks since the start, the latest first, in units of HelloReply::clock_hz; 0: none
  std::array<std::uint32_t, kTicks> cycles{};

  void write(ByteWriter& to) const { put_reply(to, status, state, cycles); }
  bool read(ByteReader& from) { return take_reply(from, status, state, cycles); }
};

// The record of the last fault, kept over resets until it is forgotten.
struct Fault {
  static constexpr MessageType kType = MessageType::kFault;
  bool forget = false;  // it, after this answer

  void write(ByteWriter& to) const { put_fields(to, forget); }
  bool read(ByteReader& from) { return take_fields(from, forget); }
};

struct FaultReply {
  Status status = Status::kOk;
  LoopState state = LoopState::kBoot;
  bool there = false;           // the rest has a meaning
  std::uint32_t count = 0;      // of faults since the record was forgotten
  std::uint64_t step = 0;       // that the loop was at
  std::uint16_t exception = 0;  // of Armv7-M: 3 hard fault, 4 memory, 5 bus, 6 usage, 16 + n
                                // interrupt; of a RISC-V: mcause, 256 + n interrupt
  Cpu cpu = Cpu::kArm;
  // as Armv7-M names them; of a RISC-V, their lower 32 bits: pc, lr: ra, xpsr: mstatus, r0 to r3
  // and r12: a0 to a4, frame: sp, mmfar: mtval
  std::uint32_t pc = 0, lr = 0, xpsr = 0, r0 = 0, r1 = 0, r2 = 0, r3 = 0, r12 = 0, frame = 0;
  std::uint32_t cfsr = 0, hfsr = 0, mmfar = 0, bfar = 0;

  void write(ByteWriter& to) const {
    put_reply(to, status, state, there, count, step, exception, cpu, pc, lr, xpsr, r0, r1, r2, r3,
              r12, frame, cfsr, hfsr, mmfar, bfar);
  }
  bool read(ByteReader& from) {
    return take_reply(from, status, state, there, count, step, exception, cpu, pc, lr, xpsr, r0, r1,
                      r2, r3, r12, frame, cfsr, hfsr, mmfar, bfar);
  }
};

}  // namespace lockstep::link

#include "lockstep/restore_macros.hpp"
