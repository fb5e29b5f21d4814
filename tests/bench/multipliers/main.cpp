// Section 9 of Baraff 1996 on today's machine: multipliers by the sparse factor of H, against the
// methods that he compares it with, in one run.
#include <CLI/CLI.hpp>
#include <iostream>

#include "contest.hpp"
#include "report.hpp"
#include "system/write_file.hpp"

namespace {

using namespace lockstep::bench;

constexpr double kAgreement = 1e-8;
constexpr double kFloatAgreement = 1e-3;
constexpr int kRounds = 20;  // batches of every method in a sweep

bool agree(const std::vector<Contest>& contests) {
  bool good = true;
  for (const Contest& contest : contests) {
    if (!contest.same_bits) {
      std::cerr << contest.name << ": static and table differ\n";
      good = false;
    }
    for (std::size_t i = 0; i < contest.entrants.size(); ++i) {
      const std::string& name = contest.entrants[i].name;
      if (contest.errors[i] < (name == kTableFloat ? kFloatAgreement : kAgreement)) continue;
      std::cerr << contest.name << ": " << name << " is off by " << contest.errors[i] << '\n';
      good = false;
    }
  }
  return good;
}

// Auxiliary rows multiplied the paper's time by 3.2.
bool few_operations(const std::vector<Contest>& loops) {
  constexpr double kPaper = (7.75 + 17) / 7.75;
  bool good = true;
  for (const Contest& contest : loops) {
    const double ratio =
        static_cast<double>(contest.operations[1]) / static_cast<double>(contest.operations[0]);
    if (ratio < kPaper) continue;
    std::cerr << contest.name << ": auxiliary rows take " << ratio << " times the operations\n";
    good = false;
  }
  return good;
}

int command(int argc, char** argv) {
  CLI::App app("Times Lagrange multipliers on the systems of Baraff 1996, section 9.");
  bool check_only = false;
  int sweeps = 20;
  std::string out;
  app.add_flag("--check", check_only, "Only see whether all methods agree");
  app.add_option("--sweeps", sweeps, "How often to go over everything")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--out", out, "Write multipliers.md and multipliers.json into this folder")
      ->option_text("FOLDER");
  CLI11_PARSE(app, argc, argv);
  std::vector<Contest> systems = section_9(), loops = auxiliary_rows(), trees = growing_trees();
  if (!agree(systems) || !agree(loops) || !agree(trees) || !few_operations(loops)) return 1;
  if (check_only) return 0;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Contest& contest : systems) measure(contest.entrants, kRounds);
    for (Contest& contest : loops) measure(contest.entrants, kRounds);
    for (Contest& contest : trees) measure(contest.entrants, 1);
  }
  const Report report = make_report(systems, loops, trees);
  std::cout << report.text;
  if (!out.empty()) {
    lockstep::host::write_file(out + "/multipliers.md", report.text);
    lockstep::host::write_file(out + "/multipliers.json", report.json.dump(2) + "\n");
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
