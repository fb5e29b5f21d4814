#include "chip/timing.hpp"

#include <cmath>
#include <optional>

#include "chip/chips.hpp"
#include "chip/quantity.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

// Arm's table for the Cortex-M4 (one cycle, for a load or store two, for a division 14) makes 1.4
// of a straight line from memory without wait states. Cores that issue two at once should do
// better; their maker tells no numbers. A double is twice the bytes and more work to multiply.
double assumed_cycles(const std::string& scalar) { return scalar == "double" ? 2 : 1.5; }

}  // namespace

double parse_frequency(const char* option, const std::string& text) {
  constexpr Unit kUnits[] = {{"MHz", 1e6}, {"kHz", 1e3}, {"Hz", 1}};
  if (const std::optional<double> hertz = parse_quantity(text, kUnits)) return *hertz;
  throw Error(std::string(option) + " " + quote(text) +
              ": no frequency; give a number above zero in Hz, kHz or MHz, such as 168MHz");
}

std::string frequency_text(double hertz) {
  return hertz < 1000 ? brief(hertz) + " Hz" : brief(hertz / 1000) + " kHz";
}

std::string too_slow_text(double seconds, double rate) {
  const double held = 1 / seconds, digit = std::pow(10, std::floor(std::log10(held)) - 1);
  return "does not keep up at " + frequency_text(rate) + ": the longest step takes " +
         brief(1e3 * seconds) + " ms; it would hold " +
         frequency_text(std::floor(held / digit) * digit);
}

Timing make_timing(const TimingOptions& options, const std::string& target,
                   const std::string& scalar) {
  Timing timing{.clock = find_chip(target)->clock,
                .cycles = assumed_cycles(scalar),
                .rate = parse_frequency("--rate", options.rate),
                .typical_clock = options.clock.empty(),
                .assumed_cycles = options.cycles.empty()};
  if (!options.clock.empty()) timing.clock = parse_frequency("--clock", options.clock);
  if (!options.cycles.empty()) {
    const std::optional<double> cycles = parse_quantity(options.cycles, {});
    if (!cycles) {
      throw Error("--cpi " + quote(options.cycles) + ": give a number above zero, such as 1.5");
    }
    timing.cycles = *cycles;
  }
  return timing;
}

}  // namespace lockstep::host
