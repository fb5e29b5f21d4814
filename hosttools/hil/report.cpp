#include "hil/report.hpp"

#include "model/content_hash.hpp"
#include "text/number.hpp"

namespace lockstep::host::hil {

namespace {

std::string times(const RunReport& report) {
  const link::ReportReply& own = report.outcome.report;
  const TickUnit unit = report.tick_unit();
  const double least = unit.of(own.shortest), most = unit.of(own.longest);
  if (!report.timing) return format("%.1f to %.1f us", least, most);
  const Timing& timing = *report.timing;
  return format(
      "%.0f to %.0f instructions; at %.0f MHz and %.1f cycles each the longest takes %.1f %% of a "
      "period",
      least, most, timing.clock / 1e6, timing.cycles, 100 * timing.share(most));
}

// A process on this host has no period to keep: other programs take its time.
std::optional<std::string> real_time(const RunReport& report) {
  if (!report.timing && report.image) return std::nullopt;
  const Scenario& scenario = report.scenario;
  const double rate = scenario.tick_rate();
  const double longest = report.outcome.report.longest;
  const double seconds = report.timing ? report.timing->seconds(report.tick_unit().of(longest))
                                       : longest / report.clock_hz;
  if (seconds * rate <= 1) return "keeps up at " + frequency_text(rate);
  return too_slow_text(seconds, rate) + "; give --rate, a faster --clock" +
         (report.model == "compiled in" ? "" : ", --static");
}

// What motors do is seen where they are on the host.
void tell_servo(const Scenario& scenario, const ServoStory& story, bool sees_motors,
                ReportLines& lines) {
  constexpr const char* kPolicies[] = {"off", "brake", "damp", "hold"};
  lines.add("tracking", format("within %.3g rad or m of its waves", story.error));
  const auto& failure = scenario.servo.failure;
  if (!failure || !story.safe_at) return;
  lines.add("failure", text_of(failure->kind) + " from tick " + std::to_string(failure->tick));
  std::string text = "at tick " + std::to_string(*story.safe_at) + ", " +
                     std::to_string(*story.safe_at - failure->tick) +
                     " after the failure: " + to_string(story.reason) + "; policy " +
                     kPolicies[static_cast<std::size_t>(scenario.servo.safe)];
  if (!sees_motors) return lines.add("safe", text);
  text += ", motors ";
  text += story.off_at
              ? "off at tick " + std::to_string(*story.off_at) + (story.braked ? ", brakes on" : "")
              : format("on, at most %.3g rad/s or m/s at the end", story.speed);
  lines.add("safe", text);
}

// How late half of the ticks, 99 % and 99.9 % began, at most.
std::string lateness_text(const link::LatenessReply& late) {
  std::uint64_t all = 0, so_far = 0;
  for (const std::uint32_t count : late.late) all += count;
  std::string text;
  const double shares[] = {0.5, 0.99, 0.999};
  std::size_t next = 0;
  for (std::size_t i = 0; i < late.late.size() && all != 0; ++i) {
    so_far += late.late[i];
    for (; next < 3 && static_cast<double>(so_far) >= shares[next] * static_cast<double>(all);
         ++next) {
      text += format("%g %% below %u us, ", 100 * shares[next], 1u << i);
    }
  }
  return text + format("at most %.1f us", 1e-3 * late.worst);
}

void tell_lateness(const link::LatenessReply& late, ReportLines& lines) {
  lines.add("late", lateness_text(late));
  std::string counts;
  for (std::size_t i = 0; i < late.late.size(); ++i) {
    if (late.late[i] == 0) continue;
    counts += (counts.empty() ? "" : ", ") + std::to_string(late.late[i]) +
              (i + 1 < late.late.size() ? format(" < %u us", 1u << i) : std::string(" later"));
  }
  lines.add("ticks late", counts);
  lines.add("process", std::string(late.first ? "SCHED_FIFO" : "no real-time priority") +
                           (late.locked ? ", memory locked, " : ", memory not locked, ") +
                           std::to_string(late.page_faults) + " page faults since the start");
}

std::string pace(const Scenario& scenario) {
  if (scenario.application == Application::kServo && scenario.mode == Mode::kFree) {
    return "by its own clock, led " + frequency_text(scenario.servo.references);
  }
  switch (scenario.mode) {
    case Mode::kCheckpoint: return "compared every " + std::to_string(scenario.checkpoint);
    case Mode::kFree: return "by the target's own clock, compared whenever asked";
    case Mode::kStep: break;
  }
  return "a frame every " + std::to_string(scenario.steps_a_tick()) + " (control at " +
         frequency_text(scenario.control_rate) + ")";
}

}  // namespace

ReportLines lines_of(const RunReport& report) {
  const Scenario& scenario = report.scenario;
  const Outcome& outcome = report.outcome;
  const link::ReportReply& own = outcome.report;
  ReportLines lines;
  lines.add("robot", report.robot + ", " + report.scalar + ", " + report.model);
  lines.add("target", report.target + ", the " + name_of(scenario.application) + " on it");
  lines.add("steps", std::to_string(outcome.steps) + " of " + std::to_string(scenario.steps) +
                         " at " + frequency_text(scenario.rate) + ", " + pace(scenario));
  if (outcome.is_compared) {
    lines.add("hash", "target " + hash_text(outcome.target_hash) + ", host " +
                          hash_text(outcome.host_hash));
  }
  if (own.ticks != 0) lines.add("a step", times(report));
  if (const auto text = real_time(report); own.ticks != 0 && text) lines.add("real time", *text);
  if (report.image && report.image->flash != 0) {
    lines.add("memory", std::to_string(report.image->flash) + " bytes of flash, " +
                            std::to_string(report.image->ram) + " of RAM, stack " +
                            std::to_string(own.stack_bytes) + " seen, " +
                            std::to_string(report.image->stack) + " at most");
  } else if (own.stack_bytes != 0) {
    lines.add("memory", "stack " + std::to_string(own.stack_bytes) + " seen since its reset");
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
  if (outcome.servo) tell_servo(scenario, *outcome.servo, scenario.mode != Mode::kFree, lines);
  if (outcome.lateness) tell_lateness(*outcome.lateness, lines);
  if (!outcome.verdict.name.empty()) {
    const Balance& balance = outcome.balance;
    lines.add("energy", energy_text(balance));
    lines.add(outcome.verdict.name, outcome.verdict.text);
  }
  for (const auto& [name, text] : report.more) lines.add(name, text);
  if (own.limited != 0) lines.add("limits", std::to_string(own.limited) + " torques were cut");
  return lines;
}

RunFacts facts_of(const std::string& path, const std::string& page, const RunReport& report) {
  const Outcome& outcome = report.outcome;
  RunFacts facts = {.path = path,
                    .page = page,
                    .subtitle = "on " + report.target + ", " + std::to_string(outcome.steps) +
                                " steps at " + frequency_text(report.scenario.rate),
                    .lines = lines_of(report).lines()};
  const double dt = report.scenario.dt();
  if (outcome.difference) {
    const std::string text = outcome.difference->text();
    facts.events.push_back({time_of(outcome.difference->step, dt), "fault", text});
    facts.lines.emplace_back("DIFFERENT", text);
  } else if (outcome.is_compared) {
    facts.lines.emplace_back("same bits", "host = target at every step");
  }
  if (outcome.verdict.name == kUnstable) {
    const double end = time_of(outcome.steps, dt);
    facts.events.push_back({end, "fault", outcome.verdict.name + ": " + outcome.verdict.text});
  }
  return facts;
}

std::string to_text(const RunReport& report) {
  const auto& difference = report.outcome.difference;
  if (!report.outcome.is_compared) return lines_of(report).text();
  return lines_of(report).text() + (difference ? "DIFFERENT  " + difference->text() + "\n"
                                               : "same bits  host = target at every step\n");
}

}  // namespace lockstep::host::hil
