#include "system/status_line.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

namespace lockstep::host {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kDefault = 80;  // where the terminal does not tell

// A line that wraps would not be taken back by a carriage return.
std::size_t columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : kDefault;
}

}  // namespace

StatusLine::StatusLine() : StatusLine(std::cerr, isatty(STDERR_FILENO) == 1, &Clock::now) {}

StatusLine::StatusLine(std::ostream& stream, bool terminal, Now now)
    : stream_(stream),
      terminal_(terminal),
      now_(std::move(now)),
      next_(now_() + (terminal ? 500ms : 10s)) {}

StatusLine::~StatusLine() { clear(); }

void StatusLine::clear() {
  if (shown_) stream_ << "\r\x1b[K" << std::flush;
  shown_ = false;
}

bool StatusLine::is_due() {
  const Clock::time_point now = now_();
  if (now < next_) return false;
  next_ = now + (terminal_ ? 100ms : 10s);
  return true;
}

void StatusLine::print(std::string text) {
  if (!terminal_) {
    stream_ << text << std::endl;
    return;
  }
  text.resize(std::min(text.size(), columns() - 1));
  stream_ << '\r' << text << "\x1b[K" << std::flush;
  shown_ = true;
}

}  // namespace lockstep::host
