// Robots and boxes that touch, stepped by Lockstep and by MuJoCo in one run.
#include <CLI/CLI.hpp>
#include <iostream>

#include "contact/report.hpp"
#include "measure.hpp"
#include "system/write_file.hpp"

namespace {

using namespace lockstep::bench;

constexpr double kDeep = 1e-5;     // m, at rest
constexpr double kApart = 2e-3;    // m, from the exact solver; of MuJoCo with stiff contacts
constexpr double kGained = 1e-3;   // of the energy that was exchanged
constexpr double kPatience = 2e6;  // us: whoever takes longer for a run has only one

bool agree(const Contest& contest) {
  bool good = true;
  const auto complain = [&](const Runner& runner, const std::string& what, double by) {
    std::cerr << contest.scene->name << ": " << runner.name << what << by << '\n';
    good = false;
  };
  const Track& exact = contest.find(kExact)->track;
  for (const Runner& runner : contest.runners) {
    const Track& track = runner.track;
    if (!track.good) {
      complain(runner, " failed at step ", static_cast<double>(track.us.size()));
      continue;
    }
    if (!runner.ours && runner.name != kStiffMuJoCo) continue;
    const double from_exact = exact.good ? apart(track, exact) : 0;
    if (from_exact > kApart) complain(runner, " is apart from the exact solver by m ", from_exact);
    if (!runner.ours) continue;
    if (track.deepest_at_rest() > kDeep) complain(runner, " sinks by m ", track.deepest_at_rest());
    if (track.gained > kGained * track.exchanged) complain(runner, " gains J ", track.gained);
  }
  return good;
}

int command(int argc, char** argv) {
  CLI::App app("Steps robots and boxes that touch, beside MuJoCo where it is installed.");
  bool check_only = false;
  int sweeps = 5;
  std::string out;
  app.add_flag("--check", check_only, "Only see whether all agree, without the tallest stack");
  app.add_option("--sweeps", sweeps, "How often to go over everything")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--out", out, "Write contact.md, .json and benchmark_contact.svg to this folder")
      ->option_text("FOLDER");
  CLI11_PARSE(app, argc, argv);

  pin_to_core(cores()[0]);
  const std::vector<Scene> scenes = make_scenes();
  std::vector<Contest> contests;
  bool good = true;
  for (const Scene& scene : scenes) {
    if (check_only && scene.name == kTallest) continue;
    Contest& contest = contests.emplace_back(make_contest(scene));
    for (Runner& runner : contest.runners) run(scene, runner);
    good &= agree(contest);
  }
  if (!good || check_only) return good ? 0 : 1;
  for (int sweep = 1; sweep < sweeps; ++sweep) {
    for (Contest& contest : contests) {
      for (Runner& runner : contest.runners) {
        if (runner.track.total_us() < kPatience) run(*contest.scene, runner);
      }
    }
  }
  const Section report = report_contact(contests);
  std::cout << report.text;
  if (!out.empty()) {
    lockstep::host::write_file(out + "/contact.md", report.text);
    lockstep::host::write_file(out + "/contact.json", report.json.dump(2) + "\n");
    lockstep::host::write_file(out + "/benchmark_contact.svg", report.svg);
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
