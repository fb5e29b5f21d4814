#include "eval/progress.hpp"

#include <unistd.h>

#include <iostream>

namespace lockstep::host {

Progress::Progress(std::string what, std::size_t total)
    : what_(std::move(what)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + std::chrono::seconds(2)) {}

Progress::~Progress() {
  if (shown_) std::cerr << "\r\x1b[K" << std::flush;  // leaves no trace
}

void Progress::show(std::size_t done) {
  if (!terminal_ || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(200);
  shown_ = true;
  std::cerr << '\r' << what_ << ": " << done << " of " << total_ << " states" << std::flush;
}

}  // namespace lockstep::host
