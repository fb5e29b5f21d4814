// Noise, damaged frames and whole frames without sense: a session survives them all, under the
// sanitizers, and only whole and valid requests move it.
#include <CppUTest/TestHarness.h>

#include "support/plant_line.hpp"
#include "support/plant_requests.hpp"
#include "support/random.hpp"

using namespace lockstep;
using namespace lockstep::test;
using enum lockstep::link::LoopState;
using link::LoopState;

namespace {

constexpr LoopState kStates[] = {kBoot, kReady, kRunning, kSafe};

std::size_t below(Random& random, std::size_t count) {
  return static_cast<std::size_t>(random.below(static_cast<int>(count)));
}

// What nothing but a valid request may change.
Bytes held(PlantLine<float>& line) {
  return line.device().state() == kBoot ? line.ask(link::Hello()).payload : line.plant_bits();
}

void damage(Bytes& frame, Random& random) {
  const Bytes whole = frame;
  while (frame == whole) {
    const std::size_t at = 1 + below(random, frame.size() - 2);
    const auto place = frame.begin() + static_cast<std::ptrdiff_t>(at);
    const auto bits = static_cast<std::uint8_t>(random.bits() | 1);  // no zero: it parts frames
    switch (random.below(4)) {
      case 0: frame.erase(place + 1, frame.end() - 1); break;
      case 1: frame.insert(place, 1 + below(random, 5), bits); break;
      default: *place ^= bits;
    }
  }
}

}  // namespace

TEST_GROUP(SessionFuzz){};

TEST(SessionFuzz, NoiseChangesNothing) {
  Random random(71);
  for (const LoopState state : kStates) {
    PlantLine<float> line(state);
    const Bytes before = held(line);
    for (int i = 0; i < 100'000; ++i) {
      // many zeros, so that there are frames of all lengths
      const std::uint64_t bits = random.bits();
      const bool zero = bits >> 8 & 1 && bits >> 9 & 31;
      line.send(Bytes{zero && i % 3 == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(bits)});
      CHECK_TRUE(line.device().outgoing().empty());
    }
    line.send(Bytes{0});
    CHECK_TRUE(line.device().state() == state);
    CHECK_TRUE(held(line) == before);
    CHECK_TRUE(line.report().damaged_frames > 1000);
  }
}

TEST(SessionFuzz, DamagedFramesChangeNothing) {
  Random random(72);
  const auto requests = plant_requests();
  for (const LoopState state : kStates) {
    PlantLine<float> line(state);
    const Bytes before = held(line);
    for (int i = 0; i < 4000; ++i) {
      const Request& request = requests[below(random, requests.size())];
      Bytes frame = line.next_frame(request.type, request.payload, line.at());
      damage(frame, random);
      line.send(frame);
      CHECK_FALSE(line.hear().has_value());
      CHECK_TRUE(line.device().state() == state);
      if (i % 500 == 0) CHECK_TRUE(held(line) == before);
    }
    CHECK_TRUE(held(line) == before);
    CHECK_TRUE(line.report().damaged_frames >= 4000);
  }
}

// whole frames, true checksums, and payloads that anyone could have written
TEST(SessionFuzz, FramesWithoutSenseAreAnsweredAndNeverStartTheLoop) {
  Random random(73);
  const auto requests = plant_requests();
  const auto start = link::request_type(link::MessageType::kStart);
  PlantLine<float> fresh;
  for (const LoopState state : kStates) {
    PlantLine<float> line(state);
    for (int i = 0; i < 4000; ++i) {
      const Request& request = requests[below(random, requests.size())];
      Bytes payload = request.payload;
      for (int changes = random.below(4); changes > 0 && !payload.empty(); --changes) {
        payload[below(random, payload.size())] = static_cast<std::uint8_t>(random.bits());
      }
      if (random.below(4) == 0) payload.resize(below(random, payload.size() + 8));
      if (request.type == link::request_type(link::MessageType::kStep) && payload.size() > 3) {
        payload[1] = payload[2] = payload[3] = 0;  // not a million steps
      }
      const LoopState before = line.device().state();
      const Heard heard = line.answer_to(line.next_frame(request.type, payload, random.bits() % 3));
      CHECK_TRUE(line.device().state() == heard.state());
      const bool is_start = request.type == start && payload.empty();
      CHECK_TRUE(heard.state() != kRunning || before == kRunning || is_start);
      FakeBoard::now_ticks += static_cast<std::uint32_t>(random.below(3));
      line.device().poll();
      while (line.hear()) continue;
    }
    // it is still of use
    if (line.device().state() != kBoot) CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
    send_model<float>(line, line_robot());
    CHECK_TRUE(held(line) == held(fresh));
  }
}
