// A process instead of a board: standard input and output are the UART, the system's clock ticks.
// With a tick of its own it is a real-time process: first in line where the system lets it, its
// memory locked and touched, asleep until the absolute time of each tick. Whatever ends it switches
// motors off first: faults of the code, signals, the end of the line.
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>

#include "boards/board.hpp"
#include "boards/port.hpp"

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

constexpr int kPriority = 80;  // above the threads of interrupts, below the system's own
constexpr std::size_t kStack = 256 * 1024;

bool is_real_time = false;
link::LatenessReply late{};
std::uint32_t late_seen = 0;    // ticks
bool looked_for_ticks = false;  // since the last sleep
std::uint32_t faults_before = 0;

// Of a call that failed; anything else will not get better.
bool is_worth_another_try() { return errno == EAGAIN || errno == EINTR; }

std::uint32_t page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint32_t>(usage.ru_minflt + usage.ru_majflt);
}

// Touches what the stack may need, so that no tick is the first to.
[[gnu::noinline]] void touch_stack() {
  char room[kStack];
  for (std::size_t i = 0; i < kStack; i += 1024) {
    room[i] = 0;
    asm volatile("" ::"r"(room) : "memory");
  }
}

void become_real_time() {
  const sched_param param = {.sched_priority = kPriority};
  late.first = sched_setscheduler(0, SCHED_FIFO, &param) == 0;
  late.locked = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  touch_stack();
}

bool is_closed = false;  // the line
volatile std::uint64_t last_step = 0;
alignas(16) char signal_stack[64 * 1024];  // the usual one may be what is full

// In decimal, before `end`; no libc, which a fault may have found at work.
char* write_number(char* end, std::uint64_t value) {
  do {
    *--end = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  return end;
}

void tell(const char* text, std::size_t size) {
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text, size);
}

// Motors off, a line for who started it, and the end that the signal means.
void end_by(int signal) {
  port::make_safe();
  char room[20];
  char* const end = room + sizeof room;
  constexpr char kSignal[] = "motors off by signal ", kStep[] = " at step ";
  tell(kSignal, sizeof kSignal - 1);
  const char* number = write_number(end, static_cast<std::uint64_t>(signal));
  tell(number, static_cast<std::size_t>(end - number));
  tell(kStep, sizeof kStep - 1);
  number = write_number(end, last_step);
  tell(number, static_cast<std::size_t>(end - number));
  tell("\n", 1);
  raise(signal);  // now as ever
}

void end_safely() {
  const stack_t own = {.ss_sp = signal_stack, .ss_flags = 0, .ss_size = sizeof signal_stack};
  sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_handler = end_by;
  action.sa_flags = SA_ONSTACK | SA_NODEFER | static_cast<int>(SA_RESETHAND);
  for (const int each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGTERM, SIGINT,
                         SIGHUP, SIGQUIT}) {
    sigaction(each, &action, nullptr);
  }
  signal(SIGPIPE, SIG_IGN);  // `write` tells
}

// Nobody speaks or listens any more. Who ticks by the clock may have a robot to bring to rest.
void close_line(int exit_code) {
  if (!is_real_time) halt(exit_code);
  is_closed = true;
}

std::uint64_t tick_time(std::uint64_t tick) { return start_time + tick * tick_period; }

// A tick is seen for the first time.
void note_lateness(std::uint32_t tick) {
  late_seen = tick;
  const std::uint64_t by = now() - tick_time(tick);
  late.worst = std::max(late.worst, static_cast<std::uint32_t>(std::min(by, kSecond)));
  const auto bin = static_cast<std::size_t>(std::bit_width(by / 1000));
  ++late.late[std::min(bin, link::LatenessReply::kBins - 1)];
}

}  // namespace

const std::uint32_t kClockHz = kSecond;

void start() {
  end_safely();
  fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
  start_ticking(kLongestPeriod);
}

bool write(std::uint8_t byte) {
  if (is_closed) return true;
  const ssize_t written = ::write(STDOUT_FILENO, &byte, 1);
  if (written == 1) return true;
  if (!is_worth_another_try()) {
    close_line(1);
  } else if (is_real_time) {
    idle();  // who is first in line must not wait awake for who listens
  }
  return false;
}

int read() {
  if (waiting.next == waiting.end) {
    waiting.next = 0;
    waiting.end = ::read(STDIN_FILENO, waiting.bytes, sizeof waiting.bytes);
    if (waiting.end == 0) close_line(0);
    if (waiting.end < 0 && !is_worth_another_try()) close_line(1);
    if (waiting.end < 0) waiting.end = 0;
  }
  return waiting.next == waiting.end ? -1 : waiting.bytes[waiting.next++];
}

void idle() {
  if (is_real_time) {  // bytes wait for the next tick
    // the tick after the last that was seen; of who does not look for ticks, the next to come
    const std::uint64_t last = looked_for_ticks ? late_seen : (now() - start_time) / tick_period;
    looked_for_ticks = false;
    const std::uint64_t next = tick_time(last + 1);
    const timespec until = {static_cast<time_t>(next / kSecond), static_cast<long>(next % kSecond)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
    return;
  }
  const std::uint64_t left = tick_period - (now() - start_time) % tick_period;
  const timespec until_tick = {0, static_cast<long>(left)};
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  ppoll(&input, 1, &until_tick, nullptr);
}

bool is_line_closed() { return is_closed; }

void halt(int exit_code) {
  port::make_safe();
  _exit(exit_code);
}

void note_step(std::uint64_t step) { last_step = step; }

void start_ticking(std::uint32_t period) {
  tick_period = period;
  is_real_time = period != kLongestPeriod;
  if (is_real_time) {
    late = {};
    become_real_time();
  }
  late_seen = 0;
  faults_before = page_faults();
  start_time = now();
}
std::uint32_t ticks() {
  const auto count = static_cast<std::uint32_t>((now() - start_time) / tick_period);
  looked_for_ticks = true;
  if (is_real_time && count != late_seen) note_lateness(count);
  return count;
}
link::LatenessReply lateness() {
  if (!is_real_time) return {.status = Status::kUnknownMessage};
  late.page_faults = page_faults() - faults_before;
  return late;
}
std::uint32_t cycles() { return static_cast<std::uint32_t>(now() - start_time); }
std::uint32_t stack_bytes() { return 0; }

}  // namespace lockstep::board

int main() {
  lockstep::board::start();
  return lockstep::board::application();
}
