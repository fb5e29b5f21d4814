// What a robot may cost on a chip, and whether it does: a verdict that a build can fail on.
#pragma once

#include <string>
#include <vector>

#include "chip/timing.hpp"
#include "inspect/chip.hpp"
#include "system/json_file.hpp"

namespace lockstep::host {

struct Limit {
  std::string figure;  // flash, ram, stack, instructions or period
  double most = 0;     // bytes, instructions, percent of a period
};

// "flash=64K,ram=16K,instructions=20000,period=25%"; no text, no limit. Throws Error.
std::vector<Limit> parse_budget(const std::string& text);

struct Verdict {
  Limit limit;
  double measured = 0;
  std::string remedy = {};  // where it is over

  bool kept() const { return measured <= limit.most; }
};

// Of the first form that was measured: what `compile` writes, unless one was asked for.
std::vector<Verdict> judge(const std::vector<Limit>& limits, const ChipCost& cost,
                           const Timing& timing);

bool all_kept(const std::vector<Verdict>& verdicts);

// "flash: 13096 of 16384, 3288 left" or "stack: 816 of 512, over by 304; the loop form ..."
std::string to_text(const Verdict& verdict);
Json to_json(const std::vector<Verdict>& verdicts, const std::string& form);

}  // namespace lockstep::host
