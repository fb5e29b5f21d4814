#include "hil/report.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>

#include "model/content_hash.hpp"
#include "text/report_lines.hpp"

namespace lockstep::host::hil {

namespace {

std::string number(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

std::string times(const RunReport& report) {
  const link::ReportReply& own = report.outcome.report;
  if (!report.timing) {
    const double us = 1e6 / report.clock_hz;
    return number(own.shortest * us, 1) + " to " + number(own.longest * us, 1) + " us";
  }
  const double an_instruction =
      std::ldexp(1e-9, report.shift) * report.clock_hz;  // in clock cycles
  const double most = std::round(own.longest / an_instruction);
  const Timing& timing = *report.timing;
  return number(std::round(own.shortest / an_instruction), 0) + " to " + number(most, 0) +
         " instructions; at " + number(timing.clock / 1e6, 0) + " MHz and " +
         number(timing.cycles, 1) + " cycles each the longest takes " +
         number(100 * timing.share(most), 1) + " % of a period";
}

std::string pace(const Scenario& scenario) {
  switch (scenario.mode) {
    case Mode::kCheckpoint: return "compared every " + std::to_string(scenario.checkpoint);
    case Mode::kFree: return "by the target's own clock, compared whenever asked";
    case Mode::kStep: break;
  }
  return "a frame every " + std::to_string(scenario.steps_a_tick()) + " (control at " +
         number(scenario.control_rate, 0) + " Hz)";
}

}  // namespace

std::string to_text(const RunReport& report) {
  const Scenario& scenario = report.scenario;
  const Outcome& outcome = report.outcome;
  const link::ReportReply& own = outcome.report;
  ReportLines lines;
  lines.add("robot", report.robot + ", " + report.scalar + ", " + report.model);
  lines.add("target", report.target + ", the " + name_of(scenario.application) + " on it");
  lines.add("steps", std::to_string(outcome.steps) + " of " + std::to_string(scenario.steps) +
                         " at " + number(scenario.rate, 0) + " Hz, " + pace(scenario));
  lines.add("hash",
            "target " + hash_text(outcome.target_hash) + ", host " + hash_text(outcome.host_hash));
  if (own.ticks != 0) lines.add("a step", times(report));
  if (report.image && report.image->flash != 0) {
    lines.add("memory", std::to_string(report.image->flash) + " bytes of flash, " +
                            std::to_string(report.image->ram) + " of RAM, stack " +
                            std::to_string(own.stack_bytes) + " seen, " +
                            std::to_string(report.image->stack) + " at most");
  }
  lines.add("link", std::to_string(report.resent) + " requests sent again, " +
                        std::to_string(own.damaged_frames) + " damaged to the target, " +
                        std::to_string(report.damaged) + " to the host");
  if (scenario.mode == Mode::kFree) {
    lines.add("overruns", std::to_string(own.overruns) + " ticks came too early");
  }
  for (const auto& [name, text] : report.more) lines.add(name, text);
  if (own.limited != 0) lines.add("limits", std::to_string(own.limited) + " torques were cut");
  std::string text = lines.text();
  if (outcome.difference) {
    text += "DIFFERENT  " + outcome.difference->text() + "\n";
  } else {
    text += "same bits  host = target at every step\n";
  }
  return text;
}

}  // namespace lockstep::host::hil
