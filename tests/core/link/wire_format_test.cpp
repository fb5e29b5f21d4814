// The test vectors of docs/wire-format.md, read from the page itself.
#include <CppUTest/TestHarness.h>

#include <array>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "lockstep/hash.hpp"
#include "lockstep/link/frame.hpp"
#include "lockstep/link/messages.hpp"

using namespace lockstep;
using link::MessageType;

namespace {

using Bytes = std::vector<std::uint8_t>;
using Vectors = std::map<std::string, Bytes>;

// "name:" begins a vector, indented lines hold its bytes.
Vectors vectors_of_the_page() {
  std::ifstream page(LOCKSTEP_DOCS_DIR "/wire-format.md");
  std::string line;
  while (std::getline(page, line) && line != "```text") continue;
  Vectors vectors;
  Bytes* bytes = nullptr;
  while (std::getline(page, line) && line != "```") {
    if (line.ends_with(':')) {
      bytes = &vectors[line.substr(0, line.size() - 1)];
      continue;
    }
    std::istringstream words(line);
    for (std::string word; bytes != nullptr && words >> word;) {
      bytes->push_back(static_cast<std::uint8_t>(std::stoul(word, nullptr, 16)));
    }
  }
  return vectors;
}

constexpr std::uint32_t kSession = 0x00C0FFEE;
constexpr std::uint64_t kModelHash = 0x0123456789ABCDEF;

template <class T>
std::uint64_t hash_of(std::initializer_list<T> values) {
  Hash hash;
  hash.add_all(values);
  return hash.value();
}

BodyData<float> body() {
  return to_body_data<float>({.R_PJ = {1, 0, 0, 0, 0, -1, 0, 1, 0},
                              .p_PJ = {0, 0, 0.5},
                              .mass = 2,
                              .h = {0.25, 0, 0},
                              .inertia = {0.125, 0, 0, 0.25, 0, 0.25},
                              .damping = 0.75},
                             {});
}

}  // namespace

TEST_GROUP(WireFormat) {
  Vectors page = vectors_of_the_page();
  link::FrameWriter<512> writer;
  std::uint32_t session = 0;

  // The page's bytes are what we send, and come in as a frame; each is used up once.
  template <class Message>
  void check(const std::string& name, std::uint8_t type, std::uint16_t sequence, std::uint64_t step,
             const Message& message) {
    const link::Header header = {type, sequence, step, session};
    message.write(writer.begin(header));
    const auto wire = writer.finish();
    CHECK_TRUE_TEXT((page[name] == Bytes(wire.begin(), wire.end())), name.c_str());
    link::FrameReader<512> reader;
    const link::Frame* frame = nullptr;
    for (const std::uint8_t byte : page[name]) frame = reader.push(byte);
    CHECK_TRUE_TEXT(frame != nullptr && frame->header == header, name.c_str());
    page.erase(name);
  }
  template <class Message>
  void check_request(const std::string& name, std::uint16_t sequence, std::uint64_t step,
                     const Message& message) {
    check(name, link::request_type(Message::kType), sequence, step, message);
  }
};

TEST(WireFormat, PageShowsWhatIsSent) {
  CHECK_TRUE(page.size() >= 6);
  check_request("hello", 1, 0, link::Hello{});
  check("hello-reply", link::reply_type(MessageType::kHello), 1, 0,
        link::HelloReply{.scalar_bytes = 4,
                         .is_table = true,
                         .capacity = 32,
                         .clock_hz = 25'000'000,
                         .max_payload = 4080,
                         .session = kSession,
                         .build = 0x12345678,
                         .reset = link::ResetReason::kPower});
  session = kSession;
  check_request("open", 2, 0, link::Open{});

  check_request("model-begin", 3, 0, link::ModelBegin{1, kModelHash});
  std::array<std::uint8_t, link::kBodyBytes<float>> bytes;
  link::ByteWriter to(bytes);
  put_body(to, body());
  check_request("model-bodies", 4, 0, link::ModelBodies<float>{0, 1, bytes});
  Hash transfer;
  transfer.add_all(bytes);
  check_request("model-end", 5, 0, link::ModelEnd{transfer.value()});

  check_request("configure", 6, 0,
                link::Configure<float>{.model_hash = kModelHash,
                                       .dt = 0x1p-10f,
                                       .gravity = {0, 0, -9.75f},
                                       .kp = 100,
                                       .kd = 20,
                                       .watchdog_ticks = 50,
                                       .integrator = 1});
  std::array<float, 5> limits = {10, 1000, -2, 2, std::numeric_limits<float>::infinity()};
  const auto limit = [&](std::size_t i) { return std::span(limits).subspan(i, 1); };
  check_request("limits", 7, 0,
                link::Limits<float>{limit(0), limit(1), limit(2), limit(3), limit(4)});
  const std::array<float, 1> offset = {0.5f}, amplitude = {0.25f};
  const std::array<std::uint32_t, 1> increment = {4294967}, phase = {0x40000000};
  check_request("waves", 8, 0, link::Waves<const float>{offset, amplitude, increment, phase});

  const std::array<float, 1> q = {0.5f}, v = {-1}, last = {0.25f}, tau = {1.5f};
  check_request("set-state", 9, 1000,
                link::SetState<const float>{hash_of({0.5f, -1.0f}), q, v, last});
  check_request("step", 10, 1000, link::Step<const float>{1, tau});
  const std::array<float, 1> next_q = {0.4990234375f}, next_v = {-1.25f};
  const std::uint8_t step_reply = link::reply_type(MessageType::kStep);
  check("step-reply", step_reply, 10, 1001,
        link::StateReply<const float>{Status::kOk, link::LoopState::kRunning,
                                      hash_of({next_q[0], next_v[0]}), next_q, next_v, tau});
  check("step-refused", step_reply, 11, 1001,
        link::Ack{Status::kOutOfStep, link::LoopState::kRunning});
  const std::array<double, 1> q_double = {0.1}, v_double = {0}, tau_double = {-3};
  check_request("solve-double", 12, 0, link::Solve<const double>{q_double, v_double, tau_double});
  check("report-reply", link::reply_type(MessageType::kReport), 13, 1001,
        link::ReportReply{.state = link::LoopState::kSafe,
                          .ticks = 1001,
                          .overruns = 2,
                          .shortest = 4000,
                          .longest = 5000,
                          .damaged_frames = 6,
                          .refused_frames = 7,
                          .limited = 8,
                          .watchdog_trips = 1,
                          .stack_bytes = 1536,
                          .safe_reason = Status::kWatchdog,
                          .line_dropped = 9});
  check_request("fault", 15, 0, link::Fault{.forget = true});
  check("fault-reply", link::reply_type(MessageType::kFault), 15, 0,
        link::FaultReply{.there = true,
                         .count = 1,
                         .step = 1001,
                         .exception = 3,
                         .pc = 0x08001234,
                         .lr = 0x08004321,
                         .cfsr = 0x00010000,
                         .hfsr = 0x40000000});
  check_request("tick-times", 16, 1001, link::TickTimes{});
  check("tick-times-reply", link::reply_type(MessageType::kTickTimes), 16, 1001,
        link::TickTimesReply{.state = link::LoopState::kRunning, .cycles = {5000, 4000}});
  const std::vector<float> torques(70, 0.2f);
  check_request("step-70", 14, ~std::uint64_t{0}, link::Step<const float>{1, torques});

  link::FrameReader<512> reader;
  for (const std::uint8_t byte : page["version-3"]) CHECK_TRUE(reader.push(byte) == nullptr);
  LONGS_EQUAL(3, reader.wrong_version());
  page.erase("version-3");
  CHECK_TRUE(page.empty());  // nothing on the page is left unchecked
}
