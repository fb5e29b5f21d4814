#include "lockstep/link/messages.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <vector>

#include "lockstep/hash.hpp"
#include "lockstep/table_model.hpp"
#include "support/random.hpp"
#include "support/random_tree.hpp"

using namespace lockstep;

namespace {

using Bytes = std::vector<std::uint8_t>;

template <class Message>
Bytes bytes_of(const Message& message) {
  Bytes buffer(link::kBodyBytes<double> * 4);
  link::ByteWriter to(buffer);
  message.write(to);
  CHECK_TRUE(to.ok());
  return {to.written().begin(), to.written().end()};
}

template <class Message>
bool reads(Message& message, std::span<const std::uint8_t> bytes) {
  link::ByteReader from(bytes);
  return message.read(from);
}

// What is read writes the same bytes; a byte less or more is refused.
template <class Sent, class Received>
void check_round_trip(std::size_t size, const Sent& sent, Received received) {
  Bytes bytes = bytes_of(sent);
  LONGS_EQUAL(size, bytes.size());
  CHECK_TRUE(reads(received, bytes));
  CHECK_TRUE(bytes_of(received) == bytes);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    // a reply of two bytes is whole only if it refuses
    CHECK_FALSE(reads(received, std::span(bytes).first(cut)));
  }
  bytes.push_back(0);
  CHECK_FALSE(reads(received, bytes));
}

template <class T>
struct Vectors {
  std::vector<T> a, b, c, d, e;
  explicit Vectors(std::size_t size, std::uint64_t seed = 0)
      : a(size), b(size), c(size), d(size), e(size) {
    if (seed == 0) return;
    test::Random random(seed);
    for (std::vector<T>* vector : {&a, &b, &c, &d, &e}) {
      for (T& value : *vector) value = static_cast<T>(random.uniform(-1, 1));
    }
  }
};

template <class T>
void check_vectors() {
  using Const = const T;
  constexpr std::size_t kSize = 3, kVector = 2 + kSize * sizeof(T);
  const Vectors<T> sent(kSize, 1);
  Vectors<T> got(kSize);

  check_round_trip(5 * kVector, link::Limits<Const>{sent.a, sent.b, sent.c, sent.d, sent.e},
                   link::Limits<T>{got.a, got.b, got.c, got.d, got.e});
  CHECK_TRUE(got.a == sent.a && got.b == sent.b && got.c == sent.c && got.d == sent.d &&
             got.e == sent.e);
  check_round_trip(8 + 3 * kVector,
                   link::SetState<Const>{0x1122334455667788, sent.b, sent.a, sent.c},
                   link::SetState<T>{0, got.a, got.b, got.c});
  CHECK_TRUE(got.a == sent.b && got.b == sent.a);
  check_round_trip(4 + kVector, link::Step<Const>{7, sent.c}, link::Step<T>{0, got.c});
  check_round_trip(4 + 2, link::Step<Const>{7, {}}, link::Step<T>{});
  check_round_trip(
      10 + 3 * kVector,
      link::StateReply<Const>{Status::kOk, link::LoopState::kSafe, 99, sent.a, sent.b, sent.c},
      link::StateReply<T>{.q = got.a, .v = got.b, .tau = got.c});
  check_round_trip(3 * kVector, link::Solve<Const>{sent.a, sent.b, sent.c},
                   link::Solve<T>{got.a, got.b, got.c});
  check_round_trip(2 + 2 * kVector,
                   link::SolveReply<Const>{Status::kOk, link::LoopState::kReady, sent.d, sent.e},
                   link::SolveReply<T>{.vdot = got.d, .reaction = got.e});
  check_round_trip(5 * kVector, link::Control<Const>{sent.a, sent.b, sent.c, sent.d, sent.e},
                   link::Control<T>{got.a, got.b, got.c, got.d, got.e});
  check_round_trip(10 + kVector,
                   link::ControlReply<Const>{Status::kOk, link::LoopState::kRunning, 5, sent.e},
                   link::ControlReply<T>{.tau = got.e});

  const std::vector<std::uint32_t> words = {1, 0x80000000, 0xFFFFFFFF};
  std::vector<std::uint32_t> increment(kSize), phase(kSize);
  check_round_trip(2 * kVector + 2 * (2 + 4 * kSize),
                   link::Waves<Const>{sent.a, sent.b, words, words},
                   link::Waves<T>{got.a, got.b, increment, phase});
  CHECK_TRUE(increment == words && phase == words);

  link::Configure<T> received;
  check_round_trip(8 + 6 * sizeof(T) + 14,
                   link::Configure<T>{.model_hash = 1,
                                      .dt = T(0.001),
                                      .gravity = {0, 0, T(-9.81)},
                                      .kp = 100,
                                      .kd = 20,
                                      .watchdog_ticks = 50,
                                      .free_running = true,
                                      .integrator = 1,
                                      .drive = link::DriveMode::kTrackWaves,
                                      .publish_every = 10,
                                      .missed_allowed = 3,
                                      .missed_forgotten = 77,
                                      .safe = link::SafePolicy::kHold},
                   received);
}

// The model as the host sends it: bytes once, hashed once, sent in parts.
template <class T>
void check_model_transfer() {
  TableModel<T, 4> sent, received;
  Bytes all(3 * link::kBodyBytes<T>);
  link::ByteWriter to(all);
  for (const Body& body : test::random_tree({.bodies = 3, .seed = 7})) {
    const auto data = to_body_data<T>(body, {});
    CHECK_TRUE(Status::kOk == sent.add(data));
    put_body(to, data);
  }
  CHECK_TRUE(to.ok());
  LONGS_EQUAL(all.size(), to.written().size());  // kBodyBytes is what put_body puts

  const link::ModelBodies<T> parts[] = {
      {0, 2, std::span(all).first(2 * link::kBodyBytes<T>)},
      {2, 1, std::span(all).last(link::kBodyBytes<T>)},
  };
  for (const link::ModelBodies<T>& part : parts) {
    check_round_trip(4 + part.bytes.size(), part, link::ModelBodies<T>{});
    const Bytes payload = bytes_of(part);
    link::ModelBodies<T> got;
    CHECK_TRUE(reads(got, payload));
    LONGS_EQUAL(received.body_count(), got.first);
    link::ByteReader from(got.bytes);
    for (int i = 0; i < got.count; ++i) {
      CHECK_TRUE(Status::kOk == received.add(link::take_body<T>(from)));
    }
    CHECK_TRUE(from.at_end());
  }
  Bytes again(all.size());
  link::ByteWriter rewritten(again);
  received.backward([&]<JointType>(int, const BodyData<T>& body) { put_body(rewritten, body); });
  CHECK_TRUE(again == all);
  LONGS_EQUAL(sent.counts().q, received.counts().q);
}

}  // namespace

TEST_GROUP(Messages){};

TEST(Messages, VectorsInFloatAndDouble) {
  check_vectors<float>();
  check_vectors<double>();
}

TEST(Messages, ModelTravelsInParts) {
  check_model_transfer<float>();
  check_model_transfer<double>();
  check_round_trip(10, link::ModelBegin{3, 0x0123456789ABCDEF}, link::ModelBegin{});
  check_round_trip(8, link::ModelEnd{0xFEDCBA9876543210}, link::ModelEnd{});
}

TEST(Messages, ABodysWorldAndUnknownJointArriveToBeJudged) {
  BodyData<float> body = {};
  body.parent = kWorld;
  body.joint = static_cast<JointType>(200);
  Bytes bytes(link::kBodyBytes<float>);
  link::ByteWriter to(bytes);
  put_body(to, body);
  link::ByteReader from(bytes);
  const auto got = link::take_body<float>(from);
  LONGS_EQUAL(kWorld, got.parent);
  TableModel<float, 1> table;
  CHECK_TRUE(Status::kBadJoint == table.add(got));
}

TEST(Messages, RequestsWithoutAPayload) {
  check_round_trip(0, link::Hello{}, link::Hello{});
  check_round_trip(0, link::Start{}, link::Start{});
  check_round_trip(0, link::Stop{}, link::Stop{});
  check_round_trip(0, link::Report{}, link::Report{});
  check_round_trip(0, link::State{}, link::State{});
  check_round_trip(0, link::Open{}, link::Open{});
}

TEST(Messages, RepliesOfNumbers) {
  check_round_trip(2, link::Ack{Status::kOk, link::LoopState::kRunning}, link::Ack{});
  check_round_trip(37,
                   link::HelloReply{.application = link::Application::kController,
                                    .scalar_bytes = 8,
                                    .is_table = true,
                                    .capacity = 64,
                                    .bodies = 7,
                                    .nq = 8,
                                    .nv = 9,
                                    .model_hash = 10,
                                    .clock_hz = 11,
                                    .max_payload = 4080,
                                    .session = 12,
                                    .build = 13,
                                    .reset = link::ResetReason::kBrownOut,
                                    .has_fault = true},
                   link::HelloReply{});
  check_round_trip(59,
                   link::ReportReply{.ticks = 1,
                                     .overruns = 2,
                                     .shortest = 3,
                                     .longest = 4,
                                     .damaged_frames = 5,
                                     .refused_frames = 6,
                                     .limited = 7,
                                     .watchdog_trips = 8,
                                     .stack_bytes = 9,
                                     .safe_reason = Status::kWatchdog,
                                     .line_overruns = 10,
                                     .line_framing = 11,
                                     .line_noise = 12,
                                     .line_dropped = 13},
                   link::ReportReply{});
  check_round_trip(1, link::Fault{.forget = true}, link::Fault{});
  check_round_trip(71,
                   link::FaultReply{.there = true,
                                    .count = 1,
                                    .step = 2,
                                    .exception = 3,
                                    .cpu = link::Cpu::kRiscv,
                                    .pc = 4,
                                    .lr = 5,
                                    .xpsr = 6,
                                    .r0 = 7,
                                    .r1 = 8,
                                    .r2 = 9,
                                    .r3 = 10,
                                    .r12 = 11,
                                    .frame = 12,
                                    .cfsr = 13,
                                    .hfsr = 14,
                                    .mmfar = 15,
                                    .bfar = 16},
                   link::FaultReply{});
}

TEST(Messages, RefusalHasTwoBytesWhateverTheReply) {
  std::vector<float> q = {1, 2}, v = {3};
  const link::StateReply<float> refusal = {
      Status::kOutOfStep, link::LoopState::kRunning, 5, q, v, v};
  const Bytes bytes = bytes_of(refusal);
  CHECK_TRUE(bytes == (Bytes{61, 2}));
  link::StateReply<float> got = {.q = q, .v = v, .tau = v};
  CHECK_TRUE(reads(got, bytes));
  CHECK_TRUE(got.status == Status::kOutOfStep && got.state == link::LoopState::kRunning);
  CHECK_TRUE(q == (std::vector<float>{1, 2}));
  link::Ack ack;
  CHECK_TRUE(reads(ack, bytes));
  CHECK_FALSE(reads(got, Bytes{61, 2, 0}));
}

TEST(Messages, NumbersThatNameNothingAreMalformed) {
  link::Ack ack;
  CHECK_TRUE(reads(ack, Bytes{0, 3}));
  CHECK_FALSE(reads(ack, Bytes{0, 4}));
  CHECK_TRUE(reads(ack, Bytes{200, 3}));  // a status of a newer target

  const auto spoiled = [](auto message, std::size_t at, std::uint8_t value) {
    Bytes bytes = bytes_of(message);
    bytes[at] = value;
    return reads(message, bytes);
  };
  const link::HelloReply hello;
  CHECK_TRUE(spoiled(hello, 2, 3));
  CHECK_FALSE(spoiled(hello, 2, 0));  // application
  CHECK_TRUE(spoiled(hello, 2, 4));
  CHECK_FALSE(spoiled(hello, 2, 5));
  CHECK_FALSE(spoiled(hello, 4, 2));  // is_table
  const link::Configure<float> configure;
  CHECK_TRUE(spoiled(configure, 36, 1));
  CHECK_FALSE(spoiled(configure, 36, 2));  // free_running
  CHECK_TRUE(spoiled(configure, 37, 2));
  CHECK_FALSE(spoiled(configure, 37, 3));  // integrator
  CHECK_FALSE(spoiled(configure, 38, 4));  // drive
  CHECK_TRUE(spoiled(configure, 45, 3));
  CHECK_FALSE(spoiled(configure, 45, 4));  // safe
  link::Configure<float> forgets_none;
  forgets_none.missed_forgotten = 0;
  CHECK_FALSE(reads(forgets_none, bytes_of(forgets_none)));
}

TEST(Messages, RepliesCarryTheRequestsType) {
  LONGS_EQUAL(0x0B, link::request_type(link::Step<float>::kType));
  LONGS_EQUAL(0x8B, link::reply_type(link::Step<float>::kType));
  LONGS_EQUAL(0x8F, link::reply_type(link::State::kType));
}

TEST(Messages, RandomBytesNeverLeaveTheirSpan) {
  test::Random random(8);
  Vectors<double> store(2);
  std::vector<std::uint32_t> words(2);
  for (int trial = 0; trial < 20000; ++trial) {
    // of its own size on the heap: a sanitizer sees one byte too many
    Bytes bytes(static_cast<std::size_t>(random.below(120)));
    for (std::uint8_t& byte : bytes) {
      byte = random.below(3) == 0 ? static_cast<std::uint8_t>(random.bits())
                                  : static_cast<std::uint8_t>(random.below(3));
    }
    const auto read_all = [&](auto... messages) {
      (static_cast<void>(reads(messages, bytes)), ...);
    };
    auto& [a, b, c, d, e] = store;
    read_all(link::Ack{}, link::HelloReply{}, link::ModelBegin{}, link::ModelEnd{},
             link::ReportReply{}, link::Configure<double>{}, link::Limits<double>{a, b, c, d, e},
             link::Waves<double>{a, b, words, words}, link::SetState<double>{0, a, b, b},
             link::Step<double>{0, a}, link::StateReply<double>{.q = a, .v = b, .tau = b},
             link::Solve<double>{a, b, c}, link::SolveReply<double>{.vdot = a, .reaction = b},
             link::Control<double>{a, b, c, d, e}, link::ControlReply<double>{.tau = a},
             link::TickTimesReply{});
    link::ModelBodies<float> bodies;
    if (reads(bodies, bytes))
      LONGS_EQUAL(bodies.count * link::kBodyBytes<float>, bodies.bytes.size());
  }
}

TEST(Messages, TimesOfTicks) {
  check_round_trip(0, link::TickTimes(), link::TickTimes());
  link::TickTimesReply sent, told;
  for (std::size_t i = 0; i < sent.cycles.size(); ++i) {
    sent.cycles[i] = static_cast<std::uint32_t>(1000 + i);
  }
  check_round_trip(2 + 16 * 4, sent, link::TickTimesReply());
  CHECK_TRUE(reads(told, bytes_of(sent)) && told.cycles == sent.cycles);
}

TEST(Messages, MeasurementsAndTheirAnswers) {
  Vectors<float> sent(2, 3), got(2);
  const link::Measured<float> measured{
      .ticks = 3, .age = 70000, .drives = Status::kDriveFault, .q = sent.a, .v = sent.b};
  check_round_trip(7 + 2 * (2 + 2 * 4), measured, link::Measured<float>{.q = got.a, .v = got.b});
  link::Measured<float> never{.ticks = 0, .q = sent.a, .v = sent.b}, read{.q = got.a, .v = got.b};
  CHECK_FALSE(reads(read, bytes_of(never)));  // a measurement is a tick at least

  link::LatenessReply late{.worst = 123456, .page_faults = 7, .first = true, .locked = false};
  for (std::size_t i = 0; i < late.late.size(); ++i) late.late[i] = static_cast<std::uint32_t>(i);
  check_round_trip(bytes_of(late).size(), late, link::LatenessReply());
  link::LatenessReply told;
  CHECK_TRUE(reads(told, bytes_of(late)));
  CHECK_TRUE(told.late == late.late && told.worst == 123456 && told.page_faults == 7);
  CHECK_TRUE(told.first && !told.locked);
}
