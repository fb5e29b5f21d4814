// A device on the board that is a process, for host_test: a letter tells what goes wrong.
#include "boards/board.hpp"
#include "boards/port.hpp"
#include "loop/serve.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

using namespace lockstep;

namespace {

void say(std::string_view text) {
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

[[gnu::noinline]] int fill_stack(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return depth < 0 ? 0 : fill_stack(depth + 1) + frame[0];
}

class Device {
 public:
  void poll() {
    board::note_step(41 + board::ticks());
    if (is_acting_ && board::ticks() >= 100) {
      say("100 ticks\n");
      is_acting_ = false;
    }
  }
  bool receive(std::uint8_t byte) {
    switch (byte) {
      case 's': *static_cast<volatile int*>(nullptr) = 1; break;
      case 'i': __builtin_trap();
      case 'o': outgoing_ = outgoing_.subspan(static_cast<std::size_t>(fill_stack(0)) % 1); break;
      case 'a':  // acts for 100 ticks
        board::start_ticking(board::kClockHz / 1000);
        is_acting_ = true;
        break;
      default: say("ready\n"); break;
    }
    return true;
  }
  std::span<const std::uint8_t> outgoing() const { return outgoing_; }
  void sent() {}
  bool is_busy() const { return false; }
  bool is_acting() const { return is_acting_; }

 private:
  std::span<const std::uint8_t> outgoing_;
  bool is_acting_ = false;
};

}  // namespace

void port::make_safe() { say("safe\n"); }

int board::application() {
  static Device device;
  firmware::serve(device);
}
