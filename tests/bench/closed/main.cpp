// Forward dynamics of closed robots against the clock: Lockstep by anticipation, MuJoCo where it is
// installed, and peers whose times are known by their ratio to MuJoCo's on ur5.
#include <CLI/CLI.hpp>
#include <Eigen/QR>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "closed/closed_candidate.hpp"
#include "closed/closed_robot.hpp"
#include "closed/roster.hpp"
#include "doctor/row_space.hpp"
#include "eval/closed_case.hpp"
#include "measure.hpp"
#include "model/load.hpp"
#include "model/loop_rows.hpp"
#include "model/table.hpp"
#include "model/tree_rows.hpp"
#include "robot/assemble.hpp"
#include "support/random_tree.hpp"
#include "system/json_file.hpp"
#include "system/write_file.hpp"
#include "text.hpp"
#include "text/error.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::bench;

constexpr int kTableBodies = 64, kTableRows = 32;

host::Tree load(const std::string& file, bool floating = false) {
  if (file.ends_with(".json")) return host::read_closed_case(file);
  host::LoadOptions options;
  options.file = file;
  options.quiet = true;
  options.reduce.ignore_damping = true;
  if (floating) options.reduce.base = host::ReduceOptions::Base::kFloating;
  return host::load_tree(options);
}

// Poses in which the loops are closed, and velocities that keep them so.
States consistent_states(const host::Tree& tree) {
  std::vector<Eigen::VectorXd> poses;
  for (const auto& pose : {host::assemble_elsewhere(tree), host::assemble(tree)}) {
    if (pose) poses.push_back(*pose);
  }
  if (poses.empty()) throw host::Error(tree.name + ": no pose was found in which its loops close");
  return [&tree, poses](unsigned seed) {
    test::Random random(seed);
    host::DenseInput in = test::random_state(tree.bodies, random);
    in.q = poses[seed % poses.size()];
    const Eigen::MatrixXd J = host::evaluate_rows(tree, in.q).J;
    in.v -= J.completeOrthogonalDecomposition().solve(J * in.v);
    return State{
        {in.q.begin(), in.q.end()}, {in.v.begin(), in.v.end()}, {in.tau.begin(), in.tau.end()}};
  };
}

States states_of_case(const std::string& file) {
  std::vector<State> states;
  const host::Json document = host::read_json(file, "a mechanism with loops");
  for (const host::Json& state : document.at("states")) {
    states.push_back({state.at("q"), state.at("qd"), state.at("tau")});
  }
  return [states](unsigned seed) { return states[seed % states.size()]; };
}

std::unique_ptr<Candidate> make_table(const host::Tree& tree) {
  using Table = TableModel<double, kTableBodies>;
  using Solver = ClosedSolver<Table, double, kTableRows, host::TreeRows<double>>;
  class Owner : public ClosedCandidate<Solver> {
   public:
    Owner(std::unique_ptr<Table> table, const host::Tree& tree)
        : ClosedCandidate<Solver>(*table, host::TreeRows<double>(tree)), table_(std::move(table)) {}

   private:
    std::unique_ptr<Table> table_;
  };
  return std::make_unique<Owner>(host::to_table<double, kTableBodies>(tree), tree);
}

enum Place { kStatic, kTable, kOpen, kMuJoCo };

struct Contest {
  const ClosedEntry* entry;
  std::unique_ptr<host::Tree> tree;
  std::vector<Entrant> entrants = {};  // by Place

  explicit Contest(const ClosedEntry& robot)
      : entry(&robot), tree(std::make_unique<host::Tree>(load(robot.file, robot.floating))) {
    const States states = std::string(robot.file).ends_with(".json") ? states_of_case(robot.file)
                                                                     : consistent_states(*tree);
    entrants.push_back({"static", states, robot.make_closed()});
    entrants.push_back({"table", states, make_table(*tree)});
    entrants.push_back({"open", states, robot.make_open()});
#if LOCKSTEP_BENCH_MUJOCO
    // MuJoCo knows neither rotors without bodies nor ties
    if (!tree->rotors.empty() || std::ranges::any_of(tree->bodies, &Body::leads)) return;
    const ClosedRobot closed = {tree->bodies, tree->loops, tree->couplings, tree->terms};
    entrants.push_back({"MuJoCo", states, make_closed_mujoco(closed)});
#endif
  }
  bool has_mujoco() const { return entrants.size() > kMuJoCo; }
};

// Static and table give the same bits.
bool agree(Contest& contest) {
  compare(contest.entrants);
  const double error = contest.entrants[kTable].error;
  if (error > 0) std::cerr << contest.entry->name << ": the table is off by " << error << '\n';
  return error == 0;
}

std::string report(const std::vector<Contest>& contests, double ur5, host::Json& json) {
  Rows rows = {{"ns", "freedoms", "rows", "rank", "static", "table", "open", "static / open",
                "MuJoCo", "static / MuJoCo", "apart", "peer", "static / peer", "goal"}};
  for (const Contest& contest : contests) {
    const host::Tree& tree = *contest.tree;
    const State state = contest.entrants[kStatic].states(1);
    const Eigen::MatrixXd J =
        host::evaluate_rows(tree, Eigen::Map<const Eigen::VectorXd>(
                                      state.q.data(), static_cast<Eigen::Index>(state.q.size())))
            .J;
    const auto ns = [&](Place place) {
      return minimum_of(contest.entrants[static_cast<std::size_t>(place)].ns);
    };
    const double peer = contest.entry->peer * ur5 / kPeerUr5;
    const double ratio = peer > 0 ? ns(kStatic) / peer : 0;
    rows.push_back({contest.entry->name, std::to_string(J.cols()), std::to_string(J.rows()),
                    std::to_string(host::RowSpace(J).rank()), number(ns(kStatic), 0),
                    number(ns(kTable), 0), number(ns(kOpen), 0), number(ns(kStatic) / ns(kOpen), 2),
                    contest.has_mujoco() ? number(ns(kMuJoCo), 0) : "-",
                    contest.has_mujoco() ? number(ns(kStatic) / ns(kMuJoCo), 3) : "-",
                    contest.has_mujoco() ? number(contest.entrants[kMuJoCo].error, 4) : "-",
                    peer > 0 ? number(peer, 0) : "-", peer > 0 ? number(ratio, 3) : "-",
                    peer > 0 ? number(contest.entry->share, 1) : "-"});
    host::Json& entry = json[contest.entry->name];
    for (const Entrant& entrant : contest.entrants) entry[entrant.name] = minimum_of(entrant.ns);
    entry["peer"] = peer;
  }
  return "## Closed robots\n\nForward dynamics with loops and couplings, by gcc: ns a call, the "
         "smallest batch. `open` is the tree\nwithout them. MuJoCo has equality constraints "
         "(connect, weld, joint), Newton's method and no warm\nstart; they give way, and `apart` "
         "is how far its accelerations are from ours, of the greatest. `peer`\nis the best known "
         "library's time on the case, scaled by MuJoCo's on ur5 in this run (" +
         number(ur5, 0) + " ns).\n\n" + markdown_table(rows);
}

int command(int argc, char** argv) {
  CLI::App app("Times forward dynamics of closed robots.");
  bool check_only = false;
  int sweeps = 20, rounds = 50;
  std::string out;
  app.add_flag("--check", check_only, "Only see whether all agree");
  app.add_option("--sweeps", sweeps, "How often to go over everything")
      ->check(CLI::Range(1, 10000));
  app.add_option("--rounds", rounds, "Batches in a sweep")->check(CLI::Range(1, 10000));
  app.add_option("--out", out, "Write closed.md and closed.json into this folder");
  CLI11_PARSE(app, argc, argv);

  pin_to_core(cores()[0]);
  std::vector<Contest> contests;
  bool good = true;
  for (const ClosedEntry& entry : closed_roster()) {
    good &= agree(contests.emplace_back(entry));
  }
  if (!good || check_only) return good ? 0 : 1;

  host::Tree ur5;
  std::vector<Entrant> measure_of_all;
#if LOCKSTEP_BENCH_MUJOCO
  if (std::filesystem::exists(LOCKSTEP_BENCH_UR5)) {
    ur5 = load(LOCKSTEP_BENCH_UR5);
    measure_of_all.push_back(
        {"MuJoCo", random_states(ur5.bodies), make_closed_mujoco({ur5.bodies, {}, {}, {}})});
  }
#endif
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const auto seed = static_cast<unsigned>(sweep * rounds);
    for (Contest& contest : contests) measure(contest.entrants, rounds, seed);
    measure(measure_of_all, rounds, seed);
  }
  host::Json json;
  const double scale = measure_of_all.empty() ? 0 : minimum_of(measure_of_all[0].ns);
  const std::string text = report(contests, scale, json);
  std::cout << text;
  if (!out.empty()) {
    host::write_file(out + "/closed.md", text);
    host::write_file(out + "/closed.json", json.dump(2) + "\n");
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
