// From instructions to time. The emulator counts instructions exactly but knows no cycles, so the
// clock and the cycles an instruction takes are the user's word or an assumption that is stated.
#pragma once

#include <string>

namespace lockstep::host {

// As typed; empty: the usual value of the chip.
struct TimingOptions {
  std::string clock = {}, cycles = {}, rate = "1000";
};

struct Timing {
  double clock = 0;   // Hz
  double cycles = 0;  // an instruction, on average
  double rate = 0;    // Hz, of the control loop
  bool typical_clock = false, assumed_cycles = false;

  double seconds(double instructions) const { return instructions * cycles / clock; }
  double highest_rate(double instructions) const { return 1 / seconds(instructions); }
  double share(double instructions) const { return seconds(instructions) * rate; }  // of a period
};

// A number above zero, alone or with Hz, kHz or MHz. Throws Error that names the option.
double parse_frequency(const char* option, const std::string& text);
std::string frequency_text(double hertz);  // "1 kHz", "250 Hz"

// Of a step that takes longer than a period at the rate.
std::string too_slow_text(double seconds, double rate);

// Throws Error.
Timing make_timing(const TimingOptions& options, const std::string& target,
                   const std::string& scalar);

}  // namespace lockstep::host
