// A plant at the other end of a line, with a robot of every joint type: what the tests of the loop
// speak to.
#pragma once

#include "support/conversation.hpp"
#include "support/random_tree.hpp"
#include "support/test_plant.hpp"

namespace lockstep::test {

inline std::vector<Body> line_robot() {
  auto bodies = random_tree({.bodies = 5, .seed = 21});
  for (int i = 0; i < kJointTypes; ++i) {
    bodies[static_cast<std::size_t>(i)].joint = static_cast<JointType>(kJointTypes - 1 - i);
  }
  return bodies;
}
inline constexpr int kLineConfigs = 1 + 1 + 4 + 3 + 7, kLineDofs = 1 + 1 + 3 + 3 + 6;

// Vectors of one number, for messages.
template <class T>
struct Uniform {
  explicit Uniform(T value) { values.fill(value); }
  operator std::span<const T>() const { return values; }
  std::array<T, kLineDofs> values;
};

template <class T>
class PlantLine : public Conversation<TestPlant<T>> {
 public:
  // Without a model, ready with one, running in lockstep, or safe after an overflow.
  explicit PlantLine(link::LoopState state = link::LoopState::kReady) {
    using enum link::LoopState;
    if (state != kBoot) send_model<T>(*this, line_robot());
    if (state == kRunning || state == kSafe) start();
    if (state == kSafe) CHECK_TRUE(Status::kOverflow == step(1, std::numeric_limits<T>::max()));
    CHECK_TRUE(this->device().state() == state);
  }

  void configure(const link::Configure<T>& message) {
    CHECK_TRUE(Status::kOk == this->tell(message));
  }
  void start() { CHECK_TRUE(Status::kOk == this->tell(link::Start())); }

  // At the step that the last answer told.
  Bytes step_frame(std::uint32_t count, T tau) {
    const Uniform<T> all(tau);
    return this->next_frame(link::Step<const T>{count, all}, at_);
  }
  Heard ask_step(std::uint32_t count, T tau) {
    const Heard heard = this->answer_to(step_frame(count, tau));
    at_ = heard.header.step;
    return heard;
  }
  Status step(std::uint32_t count, T tau) { return ask_step(count, tau).status(); }
  std::uint64_t at() const { return at_; }

  // The board's clock goes on by a tick, and the device looks at it.
  void tick(std::uint32_t ticks = 1) {
    FakeBoard::now_ticks += ticks;
    this->device().poll();
  }

 private:
  std::uint64_t at_ = 0;
};

}  // namespace lockstep::test
