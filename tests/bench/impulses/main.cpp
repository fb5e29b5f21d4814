// Figure 4 of Bender 2007 on today's machine: all of its methods on trees of ball joints, in one
// run.
#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>

#include "report.hpp"
#include "system/write_file.hpp"

namespace {

using namespace lockstep::bench;

// Where errors of 1e-6 a step may lead in so many steps.
constexpr double kAgreement = 1e-2;

double distance(const Run& a, const Run& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) most = std::max(most, std::abs(a.x[i] - b.x[i]));
  return most;
}

bool agree(const Race& race) {
  bool good = true;
  for (const Contender& contender : race.contenders) {
    if (contender.best.good) continue;
    std::cerr << race.joints << " joints: " << contender.name << " failed\n";
    good = false;
  }
  for (const auto& [one, other] : {std::pair<std::string, std::string>{dense_name(1e-6), kLinear},
                                   {iterative_name(1e-6), kLinear},
                                   {kDenseLagrange, kLagrange}}) {
    const double apart = distance(race.of(one), race.of(other));
    if (apart < kAgreement) continue;
    std::cerr << race.joints << " joints: " << one << " ends " << apart << " from " << other
              << '\n';
    good = false;
  }
  return good;
}

void run_all(Race& race) {
  for (Contender& contender : race.contenders) {
    const Run run = contender.run();
    if (run.ms < contender.best.ms) contender.best = run;
  }
}

int command(int argc, char** argv) {
  CLI::App app("Times the methods of Bender 2007 on the trees of its figure 4.");
  bool check_only = false;
  int sweeps = 3;
  std::string out;
  app.add_flag("--check", check_only, "Only see whether all methods agree, on the smallest tree");
  app.add_option("--sweeps", sweeps, "How often to go over everything")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--out", out, "Write impulses.md, .json and benchmark_impulses.svg to this folder")
      ->option_text("FOLDER");
  CLI11_PARSE(app, argc, argv);
  std::vector<Race> races;
  for (const int joints : kSizes) {
    races.push_back(make_race(joints));
    run_all(races.back());
    if (!agree(races.back())) return 1;
    if (check_only) return 0;
  }
  for (int sweep = 1; sweep < sweeps; ++sweep) {
    for (Race& race : races) run_all(race);
  }
  const Report report = make_report(races);
  std::cout << report.text;
  if (!out.empty()) {
    lockstep::host::write_file(out + "/impulses.md", report.text);
    lockstep::host::write_file(out + "/impulses.json", report.json.dump(2) + "\n");
    lockstep::host::write_file(out + "/benchmark_impulses.svg", report.plot);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return command(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
