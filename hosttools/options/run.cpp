#include "options/run.hpp"

namespace lockstep::host {

void add_scalar_option(Command& command, std::string& scalar) {
  command.add("--scalar", scalar, "What to compute with")
      .one_of({"float", "double"})
      .shows_default();
}

void add_json_option(Command& command, bool& json) {
  command.add("--json", json, "Write JSON, for other programs");
}

Option add_hold_option(Command& command, std::vector<double>& gains) {
  return command
      .add("--hold", gains,
           "Hold the start pose: PD gains in N m/rad and N m s/rad, gravity compensated")
      .list(2)
      .not_negative()
      .shown_as("KP,KD");
}

Option add_drop_option(Command& command, std::optional<double>& drop, const std::string& usual) {
  return command
      .add("--drop", drop,
           "Start with the lowest point this far above the ground, in m (default: " + usual + ")")
      .not_negative();
}

void add_record_options(Command& command, std::string& csv, std::string& plot) {
  command.add("--csv", csv, "Write the record to this file: a column a named quantity with unit");
  command.add("--plot", plot,
              "Write plots: NAME.svg becomes NAME_q.svg and NAME_tau.svg, in maximal coordinates "
              "NAME_x.svg and NAME_lambda.svg");
}

void add_clock_options(Command& command, TimingOptions& timing) {
  command
      .add("--clock", timing.clock,
           "The chip's clock in Hz, kHz or MHz (default: 168MHz, 480MHz, 400MHz)")
      .shown_as("168MHz")
      .needs("--target");
  command
      .add("--cpi", timing.cycles,
           "Cycles an instruction takes (default: assumed 1.5, in double 2)")
      .shown_as("1.5")
      .needs("--target");
}

}  // namespace lockstep::host
