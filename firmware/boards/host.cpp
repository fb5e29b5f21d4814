// A process instead of a board: standard input and output are the UART, the system's clock ticks.
#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "boards/board.hpp"

namespace lockstep::board {

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

std::uint64_t now() {  // ns
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond +
         static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t start_time = 0;
std::uint32_t tick_period = kLongestPeriod;

struct Waiting {  // bytes that were read ahead
  std::uint8_t bytes[4096];
  ssize_t next = 0, end = 0;
} waiting;

}  // namespace

const std::uint32_t kClockHz = kSecond;

void start() {
  fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
  start_ticking(kLongestPeriod);
}

bool write(std::uint8_t byte) {
  const ssize_t written = ::write(STDOUT_FILENO, &byte, 1);
  if (written < 0 && errno != EAGAIN) halt(1);  // nobody listens any more
  return written == 1;
}

int read() {
  if (waiting.next == waiting.end) {
    waiting.next = 0;
    waiting.end = ::read(STDIN_FILENO, waiting.bytes, sizeof waiting.bytes);
    if (waiting.end == 0) halt(0);  // nobody speaks any more
    if (waiting.end < 0) waiting.end = 0;
  }
  return waiting.next == waiting.end ? -1 : waiting.bytes[waiting.next++];
}

void idle() {
  const std::uint64_t left = tick_period - (now() - start_time) % tick_period;
  const timespec until_tick = {0, static_cast<long>(left)};
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  ppoll(&input, 1, &until_tick, nullptr);
}

void halt(int exit_code) { _exit(exit_code); }

void start_ticking(std::uint32_t period) {
  tick_period = period;
  start_time = now();
}
std::uint32_t ticks() { return static_cast<std::uint32_t>((now() - start_time) / tick_period); }
std::uint32_t cycles() { return static_cast<std::uint32_t>(now() - start_time); }
std::uint32_t stack_bytes() { return 0; }

}  // namespace lockstep::board

int main() {
  lockstep::board::start();
  return lockstep::board::application();
}
