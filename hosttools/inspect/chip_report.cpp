#include "inspect/chip_report.hpp"

#include <cmath>

#include "model/content_hash.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {


std::string instructions(const FormCost& cost) {
  const std::string most = std::to_string(cost.most);
  return cost.least == cost.most ? most : std::to_string(cost.least) + " to " + most;
}

// Where the count depends on the state.
std::string worst_cases(const ChipCost& cost) {
  std::string text;
  for (const FormCost& form : cost.forms) {
    if (!form.worst || form.least == form.most) continue;
    text += "  " + form.form + ": at most " + std::to_string(*form.worst) +
            " instructions in any state" + (form.within_worst() ? "" : ", which a state EXCEEDED") +
            "\n";
  }
  return text;
}

std::string costs(const ChipCost& cost, std::size_t bodies) {
  const ChipOptions& options = cost.options;
  std::string text =
      "One call on " + options.target + " in " + options.scalar + ", gcc " + cost.compiler + " -" +
      options.optimization + ", " + std::to_string(options.states) + " states in the emulator, " +
      (cost.same_bits() ? "every bit as on this host" : "NOT the bits of this host") + "\n" +
      "  form        instructions   a body     flash       RAM     stack\n";
  for (const FormCost& form : cost.forms) {
    text +=
        format("  %-10s%14s%9zu%10zu%10zu%10zu\n", form.form.c_str(), instructions(form).c_str(),
               form.most / bodies, form.flash, form.ram, form.stack);
  }
  return text + worst_cases(cost);
}

// An estimate, and it says so: the emulator knows no cycles.
std::string times(const ChipCost& cost, const Timing& timing) {
  std::string text =
      "\nTime of a call, an estimate: " + write_number(timing.clock / 1e6) + " MHz (" +
      (timing.typical_clock ? "typical of the chip; --clock" : "given") + "), " +
      write_number(timing.cycles) + " cycles an instruction\n  (" +
      (timing.assumed_cycles ? "assumed: most take one, loads and stores two, no wait states; --cpi"
                             : "given") +
      ")\n  form        microseconds     highest rate     of a period at " +
      write_number(timing.rate) + " Hz\n";
  for (const FormCost& form : cost.forms) {
    const double bound = form.bound();
    text +=
        format("  %-10s%14.1f%14.0f Hz%17.1f %%\n", form.form.c_str(), 1e6 * timing.seconds(bound),
               std::floor(timing.highest_rate(bound)), 100 * timing.share(bound));
  }
  return text;
}

std::string line(const char* name, const Spread& spread) {
  return format("  %s median %.1e, worst %.1e\n", name, spread.median, spread.worst);
}

std::string errors(const FloatError& error) {
  return "\nError of float against double, relative, in " + std::to_string(error.states) +
         " states\n" + line("accelerations", error.accelerations) +
         line("reactions    ", error.reactions);
}

std::string verdicts(const ChipReport& report) {
  if (report.budget.empty()) return "";
  std::string text = "\nBudget, judged on the " + report.cost.forms.front().form +
                     " form: " + (all_kept(report.budget) ? "kept" : "EXCEEDED") + "\n";
  for (const Verdict& verdict : report.budget) text.append("  ").append(to_text(verdict)) += '\n';
  return text;
}

Json to_json(const Spread& spread) { return {{"median", spread.median}, {"worst", spread.worst}}; }

}  // namespace

std::string to_text(const ChipReport& report, std::size_t bodies) {
  return costs(report.cost, bodies) + times(report.cost, report.timing) + errors(report.error) +
         verdicts(report);
}

Json to_json(const ChipReport& report) {
  const ChipCost& cost = report.cost;
  const Timing& timing = report.timing;
  Json forms = Json::object();
  for (const FormCost& form : cost.forms) {
    forms[form.form] = {{"instructions", {{"least", form.least}, {"most", form.most}}},
                        {"flash", form.flash},
                        {"ram", form.ram},
                        {"stack", form.stack},
                        {"touched_stack", form.touched_stack},
                        {"refused", form.refused},
                        {"seconds", timing.seconds(form.bound())},
                        {"highest_rate", timing.highest_rate(form.bound())},
                        {"share_of_period", timing.share(form.bound())},
                        {"hash", hash_text(form.hash)},
                        {"host_hash", hash_text(form.host_hash)}};
    if (form.worst) forms[form.form]["instructions"]["worst"] = *form.worst;
  }
  Json result = {{"target", cost.options.target},
                 {"scalar", cost.options.scalar},
                 {"compiler", cost.compiler},
                 {"optimization", cost.options.optimization},
                 {"states", cost.options.states},
                 {"same_bits", cost.same_bits()},
                 {"clock", timing.clock},
                 {"cycles_per_instruction", timing.cycles},
                 {"rate", timing.rate},
                 {"forms", forms},
                 {"float_error",
                  {{"states", report.error.states},
                   {"accelerations", to_json(report.error.accelerations)},
                   {"reactions", to_json(report.error.reactions)}}}};
  if (!report.budget.empty()) result["budget"] = to_json(report.budget, cost.forms.front().form);
  return result;
}

}  // namespace lockstep::host
