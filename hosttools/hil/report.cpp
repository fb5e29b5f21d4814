#include "hil/report.hpp"

#include <cmath>

#include "model/content_hash.hpp"
#include "text/number.hpp"
#include "text/report_lines.hpp"

namespace lockstep::host::hil {

namespace {

// Of the longest step, in the time of the chip; an emulated one's by its clock and cycles.
double instructions(const RunReport& report, double counted) {
  return std::round(counted / (std::ldexp(1e-9, report.shift) * report.clock_hz));
}

std::string times(const RunReport& report) {
  const link::ReportReply& own = report.outcome.report;
  if (!report.timing) {
    const double us = 1e6 / report.clock_hz;
    return format("%.1f to %.1f us", own.shortest * us, own.longest * us);
  }
  const double most = instructions(report, own.longest);
  const Timing& timing = *report.timing;
  return format(
      "%.0f to %.0f instructions; at %.0f MHz and %.1f cycles each the longest takes %.1f %% of a "
      "period",
      instructions(report, own.shortest), most, timing.clock / 1e6, timing.cycles,
      100 * timing.share(most));
}

// A process on this host has no period to keep: other programs take its time.
std::optional<std::string> real_time(const RunReport& report) {
  if (!report.timing && report.image) return std::nullopt;
  const Scenario& scenario = report.scenario;
  const double rate =
      scenario.application == Application::kController ? scenario.control_rate : scenario.rate;
  const double longest = report.outcome.report.longest;
  const double seconds = report.timing ? report.timing->seconds(instructions(report, longest))
                                       : longest / report.clock_hz;
  if (seconds * rate <= 1) return "keeps up at " + frequency_text(rate);
  return too_slow_text(seconds, rate) + "; give --rate, a faster --clock" +
         (report.model == "compiled in" ? "" : ", --static");
}

std::string pace(const Scenario& scenario) {
  switch (scenario.mode) {
    case Mode::kCheckpoint: return "compared every " + std::to_string(scenario.checkpoint);
    case Mode::kFree: return "by the target's own clock, compared whenever asked";
    case Mode::kStep: break;
  }
  return "a frame every " + std::to_string(scenario.steps_a_tick()) + " (control at " +
         frequency_text(scenario.control_rate) + ")";
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
                         " at " + frequency_text(scenario.rate) + ", " + pace(scenario));
  lines.add("hash",
            "target " + hash_text(outcome.target_hash) + ", host " + hash_text(outcome.host_hash));
  if (own.ticks != 0) lines.add("a step", times(report));
  if (const auto text = real_time(report); own.ticks != 0 && text) lines.add("real time", *text);
  if (report.image && report.image->flash != 0) {
    lines.add("memory", std::to_string(report.image->flash) + " bytes of flash, " +
                            std::to_string(report.image->ram) + " of RAM, stack " +
                            std::to_string(own.stack_bytes) + " seen, " +
                            std::to_string(report.image->stack) + " at most");
  }
  lines.add("link", std::to_string(report.resent) + " requests sent again, " +
                        std::to_string(own.damaged_frames) + " damaged to the target, " +
                        std::to_string(report.damaged) + " to the host");
  if (own.line_overruns + own.line_framing + own.line_noise + own.line_dropped != 0) {
    lines.add("UART", std::to_string(own.line_overruns) + " overruns, " +
                          std::to_string(own.line_framing) + " framing errors, " +
                          std::to_string(own.line_noise) + " with noise, " +
                          std::to_string(own.line_dropped) + " bytes without room");
  }
  if (scenario.mode == Mode::kFree) {
    lines.add("overruns", std::to_string(own.overruns) + " ticks came too early");
  }
  if (!outcome.verdict.name.empty()) {
    const Balance& balance = outcome.balance;
    lines.add("energy", energy_text(balance));
    lines.add(outcome.verdict.name, outcome.verdict.text);
  }
  for (const auto& [name, text] : report.more) lines.add(name, text);
  if (own.limited != 0) lines.add("limits", std::to_string(own.limited) + " torques were cut");
  return lines.text() + (outcome.difference ? "DIFFERENT  " + outcome.difference->text() + "\n"
                                            : "same bits  host = target at every step\n");
}

}  // namespace lockstep::host::hil
