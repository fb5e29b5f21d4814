#include "inspect/budget.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "chip/quantity.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

constexpr Unit kBytes[] = {{"K", 1024}, {"M", 1024 * 1024}};
constexpr Unit kCounts[] = {{"K", 1e3}, {"M", 1e6}};
constexpr Unit kPercent[] = {{"%", 1}};

struct Figure {
  const char* name;
  std::span<const Unit> units;
  double (*of)(const FormCost& cost, const Timing& timing);
  const char* level;  // of the compiler, that may lower it
};

constexpr Figure kFigures[] = {
    {"flash", kBytes, [](const FormCost& cost, const Timing&) { return double(cost.flash); }, "Os"},
    {"ram", kBytes, [](const FormCost& cost, const Timing&) { return double(cost.ram); }, ""},
    {"stack", kBytes, [](const FormCost& cost, const Timing&) { return double(cost.stack); }, ""},
    {"instructions", kCounts, [](const FormCost& cost, const Timing&) { return cost.bound(); },
     "O3"},
    {"period", kPercent,
     [](const FormCost& cost, const Timing& timing) { return 100 * timing.share(cost.bound()); },
     "O3"}};

const Figure* find_figure(const std::string& name) {
  const auto* found = std::ranges::find(kFigures, name, &Figure::name);
  return found == std::end(kFigures) ? nullptr : found;
}

// Everything but a share of the period is a whole number.
std::string number(const std::string& figure, double value) {
  return figure == "period" ? write_number(std::round(100 * value) / 100) + " %"
                            : std::to_string(std::llround(value));
}

std::string remedy(const Figure& figure, const ChipCost& cost, const Timing& timing) {
  const auto of = [&](const FormCost& form) { return figure.of(form, timing); };
  std::vector<std::string> ways;
  const FormCost& least = *std::ranges::min_element(cost.forms, {}, of);
  if (of(least) < of(cost.forms.front())) {
    ways.push_back("the " + least.form + " form takes " + number(figure.name, of(least)) +
                   (least.form == "table" ? "" : " (compile --passes " + least.form + ")"));
  } else if (cost.forms.size() == 1) {
    ways.emplace_back("leave --form out to see what other forms take");
  }
  if (cost.options.scalar == "double") ways.emplace_back("try --scalar float");
  if (*figure.level != '\0' && cost.options.optimization != figure.level) {
    ways.push_back(std::string("try --optimize ") + figure.level);
  }
  if (figure.units.data() == kPercent) ways.emplace_back("lower --rate or take a faster chip");
  if (ways.empty())
    ways.emplace_back("make joints fixed that need not move, or take a larger chip");
  return listed(ways, "; or ");
}

}  // namespace

std::vector<Limit> parse_budget(const std::string& text) {
  std::vector<Limit> limits;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    const std::size_t equals = item.find('=');
    const std::string name = item.substr(0, equals);
    const Figure* figure = find_figure(name);
    if (figure == nullptr) {
      std::vector<const char*> known;
      for (const Figure& one : kFigures) known.push_back(one.name);
      throw Error("--budget: no figure " + quote(name) + "; known are " + listed(known));
    }
    if (std::ranges::find(limits, name, &Limit::figure) != limits.end()) {
      throw Error("--budget: " + name + " is given twice; give it once");
    }
    const std::optional<double> most = equals == std::string::npos
                                           ? std::nullopt
                                           : parse_quantity(item.substr(equals + 1), figure->units);
    if (!most) {
      const bool percent = figure->units.data() == kPercent;
      throw Error(
          "--budget: " + quote(item) + ": give a number above zero" +
          (percent ? ", such as period=25%" : ", K or M after it, such as " + name + "=16K"));
    }
    limits.push_back({name, *most});
  }
  return limits;
}

std::vector<Verdict> judge(const std::vector<Limit>& limits, const ChipCost& cost,
                           const Timing& timing) {
  std::vector<Verdict> verdicts;
  verdicts.reserve(limits.size());
  for (const Limit& limit : limits) {
    const Figure& figure = *find_figure(limit.figure);
    Verdict verdict{.limit = limit, .measured = figure.of(cost.forms.front(), timing)};
    if (!verdict.kept()) verdict.remedy = remedy(figure, cost, timing);
    verdicts.push_back(verdict);
  }
  return verdicts;
}

bool all_kept(const std::vector<Verdict>& verdicts) {
  return std::ranges::all_of(verdicts, &Verdict::kept);
}

std::string to_text(const Verdict& verdict) {
  const auto& [figure, most] = verdict.limit;
  const std::string left = number(figure, std::abs(most - verdict.measured));
  return figure + ": " + number(figure, verdict.measured) + " of " + number(figure, most) + ", " +
         (verdict.kept() ? left + " left" : "over by " + left + "; " + verdict.remedy);
}

Json to_json(const std::vector<Verdict>& verdicts, const std::string& form) {
  Json figures = Json::object();
  for (const Verdict& verdict : verdicts) {
    const double most = verdict.limit.most;
    const bool whole = verdict.limit.figure != "period";
    const auto value = [&](double x) { return whole ? Json(std::llround(x)) : Json(x); };
    Json& entry = figures[verdict.limit.figure];
    entry = {{"measured", value(verdict.measured)},
             {"budget", value(most)},
             {"left", value(most - verdict.measured)}};
    if (!verdict.kept()) entry["remedy"] = verdict.remedy;
  }
  return {{"form", form}, {"kept", all_kept(verdicts)}, {"figures", figures}};
}

}  // namespace lockstep::host
