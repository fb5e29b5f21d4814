// What a run showed, for people.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chip/timing.hpp"
#include "hil/image.hpp"
#include "hil/run.hpp"
#include "hil/tick_costs.hpp"
#include "page/write_page.hpp"
#include "text/report_lines.hpp"

namespace lockstep::host::hil {

struct RunReport {
  std::string robot, target, scalar, model;  // as the user named them
  Scenario scenario;
  Outcome outcome = {};
  std::optional<Image> image = {};    // none for a board
  std::optional<Timing> timing = {};  // of an emulated chip; none elsewhere
  int shift = 0;                      // an emulated instruction takes 2^shift ns
  std::uint32_t clock_hz = 0;         // of the times in the target's report
  std::uint32_t resent = 0, damaged = 0;
  std::vector<std::pair<std::string, std::string>> more = {};  // further lines: name and text

  // What a tick is told in: instructions, or time where it is real.
  TickUnit tick_unit() const {
    return {.clock_hz = static_cast<double>(clock_hz),
            .shift = timing ? std::optional(shift) : std::nullopt};
  }
};

ReportLines lines_of(const RunReport& report);
RunFacts facts_of(const std::string& path, const std::string& page, const RunReport& report);
std::string to_text(const RunReport& report);

}  // namespace lockstep::host::hil
