#include "system/status_line.hpp"

#include <CppUTest/TestHarness.h>

#include <sstream>

using lockstep::host::StatusLine;
using namespace std::chrono_literals;

TEST_GROUP(StatusLine) {
  std::ostringstream stream;
  StatusLine::Clock::time_point time;
  int made = 0;

  StatusLine on(bool terminal) {
    return {stream, terminal, [this] { return time; }};
  }

  // Shows at every millisecond for so long.
  void show_for(StatusLine & line, std::chrono::milliseconds length) {
    for (const auto end = time + length; time < end; time += 1ms) {
      line.show([&] { return "step " + std::to_string(++made); });
    }
  }
};

TEST(StatusLine, ATerminalIsWrittenToTenTimesASecondAtMost) {
  StatusLine line = on(true);
  show_for(line, 1500ms);
  LONGS_EQUAL(10, made);
  STRNCMP_EQUAL("\rstep 1\x1b[K\rstep 2\x1b[K", stream.str().c_str(), 20);
}

TEST(StatusLine, ShortWorkShowsNothing) {
  {
    StatusLine line = on(true);
    show_for(line, 500ms);
  }
  STRCMP_EQUAL("", stream.str().c_str());
}

TEST(StatusLine, NoTraceIsLeftOnATerminal) {
  {
    StatusLine line = on(true);
    show_for(line, 501ms);
  }
  STRCMP_EQUAL("\rstep 1\x1b[K\r\x1b[K", stream.str().c_str());
}

TEST(StatusLine, AFileGetsALineEveryTenSeconds) {
  {
    StatusLine line = on(false);
    show_for(line, 25s);
  }
  STRCMP_EQUAL("step 1\nstep 2\n", stream.str().c_str());
}

TEST(StatusLine, ALongLineIsCutSoThatItCanBeTakenBack) {
  StatusLine line = on(true);
  time += 1s;
  line.show([] { return std::string(100000, 'x'); });
  CHECK_TRUE(stream.str().size() < 10000);
}
