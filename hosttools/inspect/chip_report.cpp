#include "inspect/chip_report.hpp"

#include "model/content_hash.hpp"

namespace lockstep::host {

namespace {

using Json = nlohmann::ordered_json;

std::string right(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string instructions(const FormCost& cost) {
  const std::string most = std::to_string(cost.most);
  return cost.least == cost.most ? most : std::to_string(cost.least) + " to " + most;
}

std::string answers(const ChipCost& cost) {
  return cost.same_bits() ? "every bit as on this host" : "NOT the bits of this host";
}

}  // namespace

std::string to_text(const ChipCost& cost, std::size_t bodies) {
  const ChipOptions& options = cost.options;
  std::string text = "One call on " + options.target + " in " + options.scalar + ", gcc " +
                     cost.compiler + " -" + options.optimization + ", " +
                     std::to_string(options.states) + " states in the emulator, " + answers(cost) +
                     "\n" + "  form        instructions   a body     flash       RAM     stack\n";
  for (const FormCost& form : cost.forms) {
    text += "  " + form.form + std::string(10 - form.form.size(), ' ') +
            right(instructions(form), 14) + right(std::to_string(form.most / bodies), 9);
    for (const std::size_t bytes : {form.flash, form.ram, form.stack}) {
      text += right(std::to_string(bytes), 10);
    }
    text += "\n";
  }
  return text;
}

Json to_json(const ChipCost& cost) {
  Json forms = Json::object();
  for (const FormCost& form : cost.forms) {
    forms[form.form] = {{"instructions", {{"least", form.least}, {"most", form.most}}},
                        {"flash", form.flash},
                        {"ram", form.ram},
                        {"stack", form.stack},
                        {"touched_stack", form.touched_stack},
                        {"refused", form.refused},
                        {"hash", hash_text(form.hash)}};
  }
  return {{"target", cost.options.target}, {"scalar", cost.options.scalar},
          {"compiler", cost.compiler},     {"optimization", cost.options.optimization},
          {"states", cost.options.states}, {"host_hash", hash_text(cost.host_hash)},
          {"same_bits", cost.same_bits()}, {"forms", forms}};
}

}  // namespace lockstep::host
