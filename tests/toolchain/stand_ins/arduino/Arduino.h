// Stand-in for Arduino's: time, a port that prints, and macros of the kind that a core defines.
#pragma once

#include "stand_in.hpp"

#define PI 3.1415926535897932384626433832795
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define abs(x) ((x) > 0 ? (x) : -(x))
#define round(x) ((x) >= 0 ? (long)((x) + 0.5) : (long)((x)-0.5))
#define sq(x) ((x) * (x))
#define F(text) (text)
#define B1 1
#define A0 14
#define D0 0

inline unsigned long micros() {  // a round of loop() waits for its millisecond here
  static std::uint32_t rounds = 0;
  stand_in::end_after(++rounds);
  while (stand_in::milliseconds() < rounds) lockstep::board::idle();
  return 1000ul * rounds;
}
inline struct {
  void begin(unsigned long) { stand_in::start(); }
  void print(const char* text) { lockstep::board::write(text); }
  void print(char letter) { lockstep::board::write({&letter, 1}); }
  void print(int number) { stand_in::print("%d", number); }
  void println() { print("\n"); }
} Serial;
void setup();
void loop();
