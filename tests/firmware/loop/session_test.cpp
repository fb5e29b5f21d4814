#include "loop/session.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>
#if defined __SSE__
#include <xmmintrin.h>
#endif

#include "support/plant_line.hpp"
#include "support/plant_requests.hpp"

using namespace lockstep;
using namespace lockstep::test;
using enum lockstep::link::LoopState;
using link::LoopState;

namespace {

constexpr LoopState kStates[] = {kBoot, kReady, kRunning, kSafe};

// What a host can see of a device without changing it.
Bytes look(PlantLine<float>& line) {
  Bytes seen = line.ask(link::Hello()).payload;
  if (!(line.device().state() == kBoot)) {
    const Bytes bits = line.plant_bits();
    seen.insert(seen.end(), bits.begin(), bits.end());
  }
  return seen;
}

}  // namespace

TEST_GROUP(Session){};

TEST(Session, HelloTellsWhatItIs) {
  PlantLine<double> line(kBoot);
  link::HelloReply hello;
  const Heard heard = line.ask(link::Hello(), hello);
  LONGS_EQUAL(link::reply_type(link::MessageType::kHello), heard.header.type);
  CHECK_TRUE(hello.state == kBoot && hello.application == link::Application::kPlant);
  LONGS_EQUAL(8, hello.scalar_bytes);
  CHECK_TRUE(hello.is_table && hello.model_hash == 0);
  LONGS_EQUAL(8, hello.capacity);
  LONGS_EQUAL(0, hello.bodies);
  LONGS_EQUAL(1'000'000, hello.clock_hz);
  LONGS_EQUAL(0xB111D, hello.build);
  CHECK_TRUE(hello.reset == link::ResetReason::kWatchdog && !hello.has_fault);
  LONGS_EQUAL(TestPlant<double>::kMaxPayload, hello.max_payload);

  send_model<double>(line, line_robot());
  line.ask(link::Hello(), hello);
  CHECK_TRUE(hello.state == kReady && hello.model_hash == kModelHash);
  LONGS_EQUAL(5, hello.bodies);
  LONGS_EQUAL(kLineConfigs, hello.nq);
  LONGS_EQUAL(kLineDofs, hello.nv);
}

TEST(Session, InAWrongStateAMessageIsRefusedAndChangesNothing) {
  for (const LoopState state : kStates) {
    PlantLine<float> line(state);
    const Bytes before = look(line);
    for (const Request& request : plant_requests()) {
      if (std::ranges::count(request.states, state) != 0) continue;
      const Heard heard = line.answer_to(line.next_frame(request.type, request.payload, line.at()));
      CHECK_TRUE(Status::kNotNow == heard.status() && heard.state() == state);
      CHECK_TRUE(look(line) == before);
    }
  }
}

TEST(Session, InARightStateAMessageIsTaken) {
  for (const LoopState state : kStates) {
    for (const Request& request : plant_requests()) {
      if (std::ranges::count(request.states, state) == 0) continue;
      PlantLine<float> line(state);
      const Heard heard = line.answer_to(line.next_frame(request.type, request.payload, line.at()));
      LONGS_EQUAL(request.type | link::kReplyBit, heard.header.type);
      // bodies and their end are out of the blue, and are told so
      const bool is_end = request.type == link::request_type(link::MessageType::kModelEnd);
      CHECK_TRUE((is_end ? Status::kTransferDamaged : Status::kOk) == heard.status());
    }
  }
}

TEST(Session, MalformedPayloadsAreRefusedAndChangeNothing) {
  for (const Request& request : plant_requests()) {
    PlantLine<float> line(request.states.front());
    const Bytes before = look(line);
    std::vector<Bytes> bad = {request.payload};
    bad.front().push_back(0);
    if (!request.payload.empty()) {
      bad.push_back({});
      bad.emplace_back(request.payload.begin(), request.payload.end() - 1);
    }
    for (const Bytes& payload : bad) {
      const Heard heard = line.answer_to(line.next_frame(request.type, payload, line.at()));
      CHECK_TRUE(Status::kMalformed == heard.status());
      CHECK_TRUE(look(line) == before);
    }
  }
}

TEST(Session, TypesThatNobodyKnowsAreTold) {
  for (const LoopState state : kStates) {
    PlantLine<float> line(state);
    const Bytes before = look(line);
    for (const int type : {0, 12, 13, 16, 77, 0x8B, 0xFF}) {
      const Heard heard =
          line.answer_to(line.next_frame(static_cast<std::uint8_t>(type), {}, line.at()));
      CHECK_TRUE(Status::kUnknownMessage == heard.status() && heard.state() == state);
    }
    CHECK_TRUE(look(line) == before);
    LONGS_EQUAL(7 + (state == kSafe ? 1 : 0), line.report().refused_frames);
  }
}

TEST(Session, SettingsThatMakeNoSenseAreRefusedAsAWhole) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  PlantLine<float> line, same;
  const auto refused = [&](auto&& spoil) {
    auto message = configuration<float>();
    message.dt = 0.002f;
    spoil(message);
    return line.tell(message);
  };
  CHECK_TRUE(Status::kWrongModel == refused([](auto& m) { ++m.model_hash; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& m) { m.dt = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& m) { m.gravity[1] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& m) { m.kp = -1 / 0.0f; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& m) { m.kd = kNaN; }));
  CHECK_TRUE(Status::kMalformed == refused([](auto& m) { m.dt = 0; }));
  CHECK_TRUE(Status::kMalformed == refused([](auto& m) { m.kp = -1; }));
  CHECK_TRUE(Status::kMalformed == refused([](auto& m) { m.kd = -1; }));
  CHECK_TRUE(Status::kMalformed == refused([](auto& m) { m.integrator = 3; }));
  CHECK_TRUE(Status::kMalformed == refused([](auto& m) { m.drive = link::DriveMode{3}; }));
  // a tick of less than a cycle, or of more than the timer counts
  for (const float dt : {1e-7f, 17.0f}) {
    const auto run_freely = [&](auto& m) { m.dt = dt, m.free_running = true; };
    CHECK_TRUE(Status::kMalformed == refused(run_freely));
  }
  const Uniform<float> one(1), bad(kNaN), less(-1);
  const Uniform<std::uint32_t> turn(1);
  CHECK_TRUE(Status::kMalformed == line.tell(link::Limits<const float>{one, one, one, less, one}));
  CHECK_TRUE(Status::kMalformed == line.tell(link::Limits<const float>{one, bad, one, one, one}));
  CHECK_TRUE(Status::kNotFinite == line.tell(link::Waves<const float>{bad, one, turn, turn}));
  CHECK_TRUE(Status::kNotFinite == line.tell(link::Waves<const float>{one, bad, turn, turn}));
  // none of it acts
  for (PlantLine<float>* plant : {&line, &same}) {
    plant->start();
    CHECK_TRUE(Status::kOk == plant->step(5, 3));
  }
  CHECK_TRUE(line.plant_bits() == same.plant_bits());
}

TEST(Session, NothingStartsWithoutSettings) {
  PlantLine<float> line;
  const Bytes body = bytes_of_body<float>(line_robot().front());
  Hash hash;
  hash.add_all(body);
  CHECK_TRUE(Status::kOk == line.tell(link::ModelBegin{1, kModelHash}));
  CHECK_TRUE(Status::kOk == line.tell(link::ModelBodies<float>{0, 1, body}));
  CHECK_TRUE(Status::kOk == line.tell(link::ModelEnd{hash.value()}));
  CHECK_TRUE(Status::kNotConfigured == line.tell(link::Start()));  // those of another model
  CHECK_TRUE(line.device().state() == kReady);
  line.configure(configuration<float>());
  line.start();
}

TEST(Session, OnlyMotorsHaveAPolicy) {
  PlantLine<float> line;
  auto settings = configuration<float>();
  settings.safe = link::SafePolicy::kHold;
  CHECK_TRUE(Status::kMalformed == line.tell(settings));
}

#if defined __SSE__
TEST(Session, NothingStartsWhereTheFpuFlushesToZero) {
  // flush, denormals are zero, round up, down, to zero
  for (const unsigned mode : {0x8000u, 0x0040u, 0x4000u, 0x2000u, 0x6000u}) {
    PlantLine<float> line;
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | mode);
    const Status status = line.tell(link::Start());
    _mm_setcsr(before);
    CHECK_TRUE(Status::kFloatMode == status && line.device().state() == kReady);
    line.start();
  }
}
#endif

TEST(Session, ARequestThatComesAgainIsAnsweredAgainWithoutActing) {
  PlantLine<float> line(kRunning);
  const Bytes frame = line.step_frame(3, 0.5f);
  const Heard first = line.answer_to(frame);
  for (int i = 0; i < 3; ++i) {
    const Heard again = line.answer_to(frame);
    CHECK_TRUE(again.header == first.header && again.payload == first.payload);
  }
  LONGS_EQUAL(3, first.header.step);
  LONGS_EQUAL(3, line.report().ticks);
}

TEST(Session, ARequestThatWasHeldUpIsDropped) {
  PlantLine<float> line(kRunning);
  const Bytes old = line.step_frame(1, 0.5f);
  line.answer_to(old);
  CHECK_TRUE(Status::kOutOfStep == line.step(1, 0.5f));  // it is at 1 by now, and says so
  CHECK_TRUE(Status::kOk == line.step(1, 0.5f));
  const Bytes before = look(line);
  line.send(old);
  CHECK_FALSE(line.hear().has_value());
  CHECK_TRUE(look(line) == before);
  LONGS_EQUAL(2, line.report().refused_frames);
}

TEST(Session, SequencesGoRoundWithoutEnd) {
  PlantLine<float> line(kReady);
  for (const int number : {20000, 40000, 0xFFFF, 1, 2, 30000}) {
    const auto sequence = static_cast<std::uint16_t>(number);
    line.send(frame_of(
        {link::request_type(link::MessageType::kReport), sequence, 0, line.session()}, {}));
    const auto heard = line.hear();
    CHECK_TRUE(heard && heard->header.sequence == sequence && heard->status() == Status::kOk);
  }
}

// Frames of another host, or of the same one long ago.
TEST_GROUP(Sessions) {
  PlantLine<float> line{kReady};

  std::optional<Heard> hear_answer_to(link::MessageType type, std::uint16_t sequence,
                                      std::uint32_t session) {
    line.send(frame_of({link::request_type(type), sequence, 0, session}, {}));
    return line.hear();
  }
  Status answer(link::MessageType type, std::uint16_t sequence, std::uint32_t session) {
    const auto heard = hear_answer_to(type, sequence, session);
    CHECK_TRUE(heard && heard->header.sequence == sequence && heard->header.session == session);
    return heard->status();
  }
  std::uint32_t offered(std::uint16_t sequence) {
    const auto heard = hear_answer_to(link::MessageType::kHello, sequence, 0);
    CHECK_TRUE(heard && heard->header.session == 0);
    link::HelloReply hello;
    link::ByteReader from(heard->payload);
    CHECK_TRUE(hello.read(from));
    return hello.session;
  }
};

TEST(Sessions, AHelloChangesNothingForTheHostThatIsThere) {
  line.start();
  const Bytes step = line.step_frame(1, 0.5f);
  const Heard first = line.answer_to(step);
  for (const std::uint16_t sequence : {std::uint16_t{1}, std::uint16_t{10000}}) {
    const std::uint32_t number = offered(sequence);
    CHECK_TRUE(number != line.session() && number == offered(sequence));
    const Heard again = line.answer_to(step);  // the answer that it may have missed is still there
    CHECK_TRUE(again.header == first.header && again.payload == first.payload);
  }
  LONGS_EQUAL(1, line.report().ticks);
}

TEST(Sessions, WhoOpensASessionTakesOverAndTheOtherIsTold) {
  const std::uint32_t next = offered(7);
  CHECK_TRUE(Status::kOk == answer(link::MessageType::kOpen, 1, next));
  CHECK_TRUE(Status::kOk == answer(link::MessageType::kReport, 2, next));
  CHECK_TRUE(Status::kWrongSession == line.tell(link::Start()));
  CHECK_TRUE(line.device().state() == kReady);
}

TEST(Sessions, NothingIsActedOnWithoutOne) {
  TestPlant<float> device;
  const Bytes report = frame_of({link::request_type(link::MessageType::kReport), 1, 0, 0}, {});
  for (const std::uint8_t byte : report) device.receive(byte);
  CHECK_FALSE(device.outgoing().empty());
  for (const std::uint32_t session : {0u, 1u, line.session() + 1}) {
    if (session != line.session() + 1) {
      CHECK_TRUE(Status::kWrongSession == answer(link::MessageType::kOpen, 9, session));
    }
    CHECK_TRUE(Status::kWrongSession == answer(link::MessageType::kStart, 9, session));
  }
  CHECK_TRUE(line.device().state() == kReady);
}

TEST(Sessions, WhatWasRecordedIsNotActedOnAgain) {
  const std::uint32_t first = offered(1);
  const auto say = [&](link::MessageType type, std::uint16_t sequence, std::uint32_t session) {
    const auto heard = hear_answer_to(type, sequence, session);
    return heard ? heard->status() : Status::kOutOfStep;  // silence
  };
  CHECK_TRUE(Status::kOk == say(link::MessageType::kOpen, 2, first));
  CHECK_TRUE(Status::kOk == say(link::MessageType::kStop, 3, first));
  const std::uint32_t second = offered(1);
  CHECK_TRUE(Status::kOk == say(link::MessageType::kOpen, 2, second));
  CHECK_TRUE(Status::kNotNow != say(link::MessageType::kStart, 3, second));
  const LoopState before = line.device().state();
  for (int again = 0; again < 3; ++again) {
    CHECK_TRUE(Status::kOk == say(link::MessageType::kHello, 1, 0));
    CHECK_TRUE(Status::kWrongSession == say(link::MessageType::kOpen, 2, first));
    CHECK_TRUE(Status::kWrongSession == say(link::MessageType::kStop, 3, first));
    CHECK_TRUE(Status::kOutOfStep == say(link::MessageType::kOpen, 2, second));
  }
  CHECK_TRUE(line.device().state() == before);
}

TEST(Session, ANewerRequestIsActedOnAndTheAnswerBeforeItIsCutOff) {
  PlantLine<float> line(kRunning);
  line.send(line.step_frame(1, 0.5f));
  line.device().poll();
  const Bytes stop = line.next_frame(link::Stop());
  for (int i = 0; i < 40; ++i) CHECK_FALSE(line.hear_byte().has_value());
  line.send(stop);
  CHECK_TRUE(line.device().state() == kReady);
  const auto heard = line.hear();
  CHECK_TRUE(heard && heard->header.type == link::reply_type(link::MessageType::kStop));
  LONGS_EQUAL(1, heard->header.step);
}

TEST(Session, ARequestThatComesAgainDuringItsAnswerIsNotAnsweredTwice) {
  PlantLine<float> line(kRunning);
  const Bytes step = line.step_frame(1, 0.5f);
  line.send(step);
  line.device().poll();
  line.device().sent();
  line.send(step);
  LONGS_EQUAL(1, line.hear()->header.step);
  CHECK_FALSE(line.hear().has_value());
}

TEST(Session, AFaultIsToldUntilItIsForgotten) {
  FakeBoard::record = {.mark = board::FaultRecord::kValid,
                       .exception = 3,
                       .cpu = link::Cpu::kRiscv,
                       .r0 = 10,
                       .r1 = 11,
                       .r2 = 12,
                       .r3 = 13,
                       .r12 = 14,
                       .lr = 15,
                       .pc = 16,
                       .xpsr = 17,
                       .frame = 18,
                       .cfsr = 19,
                       .hfsr = 20,
                       .mmfar = 21,
                       .bfar = 22,
                       .count = 2,
                       .step_low = 7,
                       .step_high = 1};
  PlantLine<float> line(kBoot);
  link::HelloReply hello;
  link::FaultReply fault;
  line.ask(link::Hello(), hello);
  CHECK_TRUE(hello.has_fault);
  for (const bool forget : {false, true}) {
    line.ask(link::Fault{forget}, fault);
    CHECK_TRUE(fault.there && fault.count == 2 && fault.step == (1ull << 32 | 7));
    CHECK_TRUE(fault.cpu == link::Cpu::kRiscv);
    CHECK_TRUE(fault.exception == 3 && fault.r0 == 10 && fault.r1 == 11 && fault.r2 == 12 &&
               fault.r3 == 13 && fault.r12 == 14 && fault.lr == 15 && fault.pc == 16 &&
               fault.xpsr == 17 && fault.frame == 18 && fault.cfsr == 19 && fault.hfsr == 20 &&
               fault.mmfar == 21 && fault.bfar == 22);
  }
  line.ask(link::Fault{}, fault);
  CHECK_FALSE(fault.there);
  line.ask(link::Hello(), hello);
  CHECK_FALSE(hello.has_fault);
}

TEST(Session, ErrorsOfTheLineAreReported) {
  FakeBoard::errors = {.overruns = 1, .framing = 2, .noise = 3, .dropped = 4};
  PlantLine<float> line;
  const auto report = line.report();
  FakeBoard::errors = {};
  CHECK_TRUE(report.line_overruns == 1 && report.line_framing == 2 && report.line_noise == 3 &&
             report.line_dropped == 4);
}

TEST(Session, NoiseIsCountedAndCostsNoFrame) {
  PlantLine<float> line(kRunning);
  line.send(Bytes{1, 2, 3, 4, 5});
  CHECK_TRUE(Status::kOk == line.step(1, 0.5f));
  LONGS_EQUAL(1, line.report().damaged_frames);
}

TEST(Session, OpenHasNoPayloadAndComesAfterAHello) {
  const auto device = std::make_unique<TestPlant<float>>();
  const auto says = [&](std::uint32_t session, const Bytes& payload) {
    for (const std::uint8_t byte :
         frame_of({link::request_type(link::MessageType::kOpen), 1, 0, session}, payload)) {
      device->receive(byte);
    }
    link::FrameReader<link::kLargestPayload> reader;
    while (!device->outgoing().empty()) {
      const link::Frame* frame = reader.push(device->outgoing().front());
      device->sent();
      if (frame != nullptr) return static_cast<Status>(frame->payload[0]);
    }
    FAIL("no answer");
    return Status::kOk;
  };
  CHECK_FALSE(Status::kOk == says(0, {}));  // nobody has said hello: there is no number 0
  for (const std::uint8_t byte :
       frame_of({link::request_type(link::MessageType::kHello), 2, 0, 0}, Bytes())) {
    device->receive(byte);
  }
  link::HelloReply hello;
  link::FrameReader<link::kLargestPayload> reader;
  while (!device->outgoing().empty()) {
    const link::Frame* frame = reader.push(device->outgoing().front());
    if (frame != nullptr) {
      link::ByteReader from(frame->payload);
      CHECK_TRUE(hello.read(from));
    }
    device->sent();
  }
  CHECK_TRUE(hello.session != 0);
  CHECK_FALSE(Status::kOk == says(hello.session, {1}));
  CHECK_TRUE(Status::kOk == says(hello.session, {}));
}

TEST(Session, TheNumberAfterTheLastIsOne) {
  FakeBoard::now_cycles = 0xFFFFFFFFu - 7;  // the clock that the first number comes from
  const auto device = std::make_unique<TestPlant<float>>();
  link::HelloReply hello;
  const auto say = [&](link::MessageType type, std::uint32_t session) {
    for (const std::uint8_t byte : frame_of({link::request_type(type), 1, 0, session}, Bytes())) {
      device->receive(byte);
    }
    link::FrameReader<link::kLargestPayload> reader;
    while (!device->outgoing().empty()) {
      const link::Frame* frame = reader.push(device->outgoing().front());
      if (frame != nullptr && frame->header.type == link::reply_type(link::MessageType::kHello)) {
        link::ByteReader from(frame->payload);
        CHECK_TRUE(hello.read(from));
      }
      device->sent();
    }
  };
  say(link::MessageType::kHello, 0);
  FakeBoard::now_cycles = 0;
  LONGS_EQUAL(1, hello.session);
}

TEST(Session, ABoardWithoutAnOperatingSystemHasNoLateness) {
  PlantLine<float> line;
  const Heard heard = line.ask(link::Lateness());
  CHECK_TRUE(Status::kUnknownMessage == heard.status() && heard.state() == kReady);
}

TEST(Session, TheLastTicksAreToldTheLatestFirst) {
  PlantLine<float> line(kRunning);
  link::TickTimesReply told;
  line.ask(link::TickTimes(), told);
  CHECK_TRUE(told.cycles == decltype(told.cycles){});
  for (std::uint32_t i = 1; i <= 18; ++i) {
    FakeBoard::cost = 100 + i;
    CHECK_TRUE(Status::kOk == line.step(1, 0));
  }
  FakeBoard::cost = 7;
  line.ask(link::TickTimes(), told);
  CHECK_TRUE(told.state == kRunning);
  for (std::uint32_t i = 0; i < told.cycles.size(); ++i) LONGS_EQUAL(118 - i, told.cycles[i]);
  // it tells, and does no more
  line.ask(link::TickTimes(), told);
  LONGS_EQUAL(118, told.cycles[0]);
  LONGS_EQUAL(18, line.at());
  // another start begins anew
  CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
  line.start();
  CHECK_TRUE(Status::kOk == line.step(2, 0));
  line.ask(link::TickTimes(), told);
  CHECK_TRUE((told.cycles == decltype(told.cycles){7, 7}));
}
