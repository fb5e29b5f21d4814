// Counts what robots with loops, bounds and shapes take in random states, and holds it against the
// worst case that `lockstep inspect` states. Fails where a state exceeds it.
#include <CLI/CLI.hpp>
#include <iomanip>
#include <iostream>

#include "model/load.hpp"
#include "support/counted_robot.hpp"

namespace {

using namespace lockstep;

bool tell(const char* what, const test::Share& share) {
  std::cout << "  " << std::setw(14) << std::left << what << std::setprecision(3) << share.largest
            << " of the bound at " << share.rows << " rows; up to " << share.most_rows
            << " rows seen, " << share.refused << " states refused\n";
  return share.largest <= 1;
}

int command(int argc, char** argv) {
  CLI::App app("Counts operations of robots with rows against their stated worst case.");
  std::vector<std::string> files;
  int states = 100000;
  bool floating = false;
  app.add_option("files", files, "URDF files, of up to 32 bodies")->required();
  app.add_option("--states", states, "Random states of each")->capture_default_str();
  app.add_flag("--floating", floating, "The robots float");
  CLI11_PARSE(app, argc, argv);
  bool good = true;
  for (const std::string& file : files) {
    host::LoadOptions options;
    options.file = file;
    options.quiet = true;
    if (floating) options.reduce.base = host::ReduceOptions::Base::kFloating;
    const host::Tree tree = host::load_tree(options);
    test::CountedRobot robot(tree);
    std::cout << tree.name << '\n';
    if (robot.bounds().equalities() > 0) good &= tell("closed", robot.closed(states));
    good &= tell("Gauss-Seidel", robot.steps(states, RowSolver::kGaussSeidel));
    good &= tell("pivoting", robot.steps(states, RowSolver::kPivoting));
    host::Tree on_ground = tree;  // what else touches makes such a step go by pivoting
    on_ground.collider_pairs.clear();
    good &= tell("Newton", test::CountedRobot(on_ground).steps(states, RowSolver::kNewton));
  }
  return good ? 0 : 1;
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
