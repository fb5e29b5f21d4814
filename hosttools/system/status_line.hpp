// How far long work has come, on standard error: one line that rewrites itself on a terminal, ten
// times a second once half a second has passed; elsewhere a line every ten seconds.
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>

namespace lockstep::host {

class StatusLine {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = std::function<Clock::time_point()>;

  StatusLine();
  StatusLine(std::ostream& stream, bool terminal, Now now);
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Calls `text`, which makes the line, only when it is time for one.
  template <class Text>
  void show(Text&& text) {
    if (is_due()) print(text());
  }

  // Takes the line off a terminal, so that other text can follow.
  void clear();

 private:
  bool is_due();
  void print(std::string text);

  std::ostream& stream_;
  bool terminal_;
  Now now_;
  Clock::time_point next_;
  bool shown_ = false;
};

}  // namespace lockstep::host
