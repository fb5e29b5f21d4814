#include "loop/dynamics_device.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>

#include "lockstep/table_model.hpp"
#include "support/plant_line.hpp"

using namespace lockstep;
using namespace lockstep::test;
using enum lockstep::link::LoopState;

namespace {

template <class T>
using Device = firmware::DynamicsDevice<TableModel<T, 8>, T, FakeBoard>;

template <class T>
struct Asked {
  explicit Asked(std::uint64_t seed) {
    Random random(seed);
    const host::DenseInput in = random_state(line_robot(), random);
    for (int i = 0; i < kLineConfigs; ++i) {
      q[static_cast<std::size_t>(i)] = static_cast<T>(in.q[i]);
    }
    for (int i = 0; i < kLineDofs; ++i) {
      v[static_cast<std::size_t>(i)] = static_cast<T>(in.v[i]);
      tau[static_cast<std::size_t>(i)] = static_cast<T>(in.tau[i]);
    }
  }
  link::Solve<const T> message() const { return {q, v, tau}; }
  std::array<T, kLineConfigs> q;
  std::array<T, kLineDofs> v, tau;
};

template <class T>
void check_against_solver() {
  Conversation<Device<T>> line;
  send_model<T>(line, line_robot());
  auto settings = configuration<T>();
  settings.gravity = {T(1), T(2), T(3)};
  CHECK_TRUE(Status::kOk == line.tell(settings));

  TableModel<T, 8> table;
  CHECK_TRUE(Status::kOk == table.assign(line_robot()));
  Solver<TableModel<T, 8>, T> solver(table);
  auto in = solver.make_input();
  auto out = solver.make_output();
  in.gravity = {T(1), T(2), T(3)};
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Asked<T> question(seed);
    std::ranges::copy(question.q, in.q.begin());
    std::ranges::copy(question.v, in.v.begin());
    std::ranges::copy(question.tau, in.tau.begin());
    CHECK_TRUE(Status::kOk == solver.forward_dynamics(in, out));
    const Heard heard = line.ask(question.message(), seed + 100);
    CHECK_TRUE(heard.payload == payload_of(link::SolveReply<const T>{
                                    Status::kOk, kReady, firmware::span_of(out.vdot),
                                    firmware::span_of(out.reaction)}));
    LONGS_EQUAL(seed + 100, heard.header.step);  // the answer belongs to the question
  }
  LONGS_EQUAL(10, line.report().ticks);
}

}  // namespace

TEST_GROUP(DynamicsDevice){};

TEST(DynamicsDevice, HasTheBitsOfASolverHere) {
  check_against_solver<float>();
  check_against_solver<double>();
}

TEST(DynamicsDevice, AnswersWheneverThereIsAModel) {
  Conversation<Device<float>> line;
  const Asked<float> question(1);
  CHECK_TRUE(Status::kNotNow == line.tell(question.message()));
  send_model<float>(line, line_robot());
  CHECK_TRUE(Status::kOk == line.tell(question.message()));
  CHECK_TRUE(Status::kOk == line.tell(link::Start()));
  CHECK_TRUE(Status::kOk == line.tell(question.message()));
  CHECK_TRUE(Status::kUnknownMessage == line.tell(link::State()));
  link::HelloReply hello;
  line.ask(link::Hello(), hello);
  CHECK_TRUE(hello.application == link::Application::kDynamics && hello.state == kRunning);
}

TEST(DynamicsDevice, BadQuestionsAreRefused) {
  Conversation<Device<float>> line;
  send_model<float>(line, line_robot());
  const Asked<float> good(1);
  const Heard before = line.ask(good.message());
  const auto refused = [&](auto&& spoil) {
    Asked<float> bad = good;
    spoil(bad);
    return line.tell(bad.message());
  };
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  CHECK_TRUE(Status::kNotFinite == refused([](auto& x) { x.q[0] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& x) { x.v[0] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& x) { x.tau[0] = kNaN; }));
  CHECK_TRUE(Status::kNotUnitQuaternion == refused([](auto& x) { x.q[6] = 3; }));
  CHECK_TRUE(Status::kOverflow == refused([](auto& x) { x.v.fill(1e30f); }));
  Bytes payload = payload_of(good.message());
  payload.push_back(0);
  const auto type = link::request_type(link::MessageType::kSolve);
  CHECK_TRUE(Status::kMalformed == line.answer_to(line.next_frame(type, payload, 0)).status());
  CHECK_TRUE(line.ask(good.message()).payload == before.payload);
}

TEST(DynamicsDevice, NeverAllocates) {
  Conversation<Device<double>> line;
  send_model<double>(line, line_robot());
  std::vector<Bytes> frames;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    frames.push_back(line.next_frame(Asked<double>(seed).message()));
  }
  LONGS_EQUAL(0, line.allocations_over(frames));
  LONGS_EQUAL(5, line.report().ticks);
}
