// `lockstep sweep` as a user runs it, beside `lockstep sim`.
#include <CppUTest/TestHarness.h>

#include <sstream>

#include "hosttools/sim/sim_run.hpp"
#include "model/content_hash.hpp"
#include "sweep/crew.hpp"
#include "sweep/finished_file.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::vector<std::string> operator+(std::vector<std::string> words,
                                   const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// A rod that swings, of this mass about its middle.
std::string rod(const char* mass, const char* inertia, const char* friction) {
  return std::string("<robot name='rod'><link name='base'/><link name='rod'><inertial>") +
         "<origin xyz='0.1 0 -0.25'/><mass value='" + mass + "'/><inertia ixx='" + inertia +
         "' ixy='0' ixz='0' iyy='" + inertia + "' iyz='0' izz='" + inertia +
         "'/></inertial></link><joint name='hinge' type='continuous'><parent link='base'/>" +
         "<child link='rod'/><axis xyz='0 1 0'/><dynamics damping='0.1' friction='" + friction +
         "'/></joint></robot>";
}

}  // namespace

TEST_GROUP(Sweep) {
  SimRun sim;
  const ScratchFolder& folder = sim.folder;
  const std::string arm = SimRun::model("six_axis_arm"), quadruped = SimRun::model("quadruped");

  // Returns what the command printed.
  std::string sweep(const std::vector<std::string>& words) const {
    return sim.run(host::add_sweep_command, "sweep", words);
  }
  std::string file(const std::string& json) const { return folder.write("sweep.json", json); }

  Columns table(const std::string& csv) const {
    Columns columns;
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);
    const auto names = host::csv_fields(line).value();
    while (std::getline(lines, line)) {
      const auto fields = host::csv_fields(line).value();
      for (std::size_t i = 0; i < names.size(); ++i) {
        columns[names[i].substr(0, names[i].find(" ["))].push_back(std::atof(fields[i].c_str()));
      }
    }
    return columns;
  }
  static std::vector<std::string> hashes(const std::string& csv) {
    std::vector<std::string> found;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
      found.push_back(line.substr(line.rfind(',') + 1));
    }
    found.erase(found.begin());
    return found;
  }
  std::string sim_hash(const std::vector<std::string>& words) const {
    const std::string report = sim(words + std::vector<std::string>{"--quiet"});
    return report.substr(report.rfind("0x"), 18);
  }
  std::string complaint(const std::vector<std::string>& words) const {
    try {
      sweep(words);
    } catch (const host::Error& error) {
      return error.what();
    }
    return "";
  }

  // Every run of the sweep as sim takes it, with --set.
  void check_runs(const std::string& robot, const std::string& json,
                  const std::vector<std::string>& words, bool some_break_off = false) const {
    const std::string csv = sweep(std::vector<std::string>{robot, file(json)} + words);
    const std::vector<std::string> all = hashes(csv);
    CHECK_TRUE(all.size() > 2);
    CHECK_EQUAL(some_break_off, csv.find("broke off,0,") != std::string::npos);
    for (std::size_t run = 0; run < all.size(); ++run) {
      if (some_break_off && run % 2 == 1) continue;  // of these sim tells no hash
      std::istringstream set(sweep(
          std::vector<std::string>{robot, folder.path("sweep.json"), "--run", std::to_string(run)} +
          words));
      std::vector<std::string> own = std::vector<std::string>{robot} + words;
      for (std::string word; set >> word;) own.push_back(word);
      STRCMP_EQUAL(all[run].c_str(), sim_hash(own).c_str());
      if (run > 0) CHECK_TRUE(all[run] != all[run - 1]);
    }
  }
};

TEST(Sweep, RunsHaveTheHashThatSimPrints) {
  check_runs(arm,
             R"({"vary": {"q.elbow": {"from": -1, "to": 1}, "v.lift": {"mean": 0, "deviation": 1},
                               "mass.forearm": {"from": 7, "to": 9}, "damping.pan": {"from": 0, "to": 2},
                               "gravity.z": [-9.81, -1.62]}, "runs": 2})",
             {"--duration", "0.05"});
  check_runs(
      arm, R"({"vary": {"kp": [100, 400], "kd": [5, 20], "dead.elbow": [0.01, 9]}})",
      {"--duration", "0.05", "--hold", "50,1", "--scalar", "float", "--integrator", "euler"});
  check_runs(quadruped, R"({"vary": {"push.root_joint.vy": [0, 100], "ground_friction": [0.2, 0.9],
                                     "drop": [0, 0.002]}})",
             {"--base", "floating", "--hold", "60,0.6", "--duration", "0.03"});
  check_runs(SimRun::model("driven_arm"),
             R"({"vary": {"noise_seed": 3, "q.elbow": [0, 0.1, 0.2]}})",
             {"--hold", "60,6", "--duration", "0.05"});
  check_runs(SimRun::model("loops/four_bar"), R"({"vary": {"v.crank_pivot": [0, 1, 2]}})",
             {"--duration", "0.05"});
}

TEST(Sweep, RunsInLanesHaveTheHashThatSimPrints) {
  const std::vector<std::string> free = {"--duration", "0.05", "--limits", "none",
                                         "--friction", "none", "--every",  "7"};
  for (const char* integrator : {"euler", "rk4"}) {
    const std::vector<std::string> words =
        free + std::vector<std::string>{"--integrator", integrator};
    // one of six breaks off, and goes on alone
    check_runs(arm, R"({"vary": {"q.elbow": [0.1, 0.2, 0.3], "v.pan": [1, 1e12],
                                 "mass.forearm": {"from": 7, "to": 9}, "gravity.x": {"from": 0, "to": 1},
                                 "damping.lift": {"from": 0, "to": 3}}})",
               words, true);
  }
  check_runs(SimRun::model("ball_tree_31"), R"({"vary": {"gravity.y": [0, 1, 2, 3, 4]}})",
             {"--duration", "0.01", "--integrator", "euler"});
}

TEST(Sweep, ChangesAreWhatFilesAndOptionsSay) {
  // a mass with its moments twice as large, both written down
  const std::string one = folder.write("one.urdf", rod("1.1", "0.03", "0"));
  const std::string two = folder.write("two.urdf", rod("2.2", "0.06", "0.2"));
  const std::string start =
      folder.write("start.json", R"({"q": {"hinge": 0.7}, "v": {"hinge": -2}})");
  const std::vector<std::string> words = {"--duration", "0.2"};
  STRCMP_EQUAL(
      sim_hash(std::vector<std::string>{two, "--start", start} + words).c_str(),
      sim_hash(std::vector<std::string>{one, "--set", "mass.rod=2.2", "--set", "friction.hinge=0.2",
                                        "--set", "q.hinge=0.7", "--set", "v.hinge=-2"} +
               words)
          .c_str());
  // a push is a torque that lasts, and no motor's limit cuts it
  const std::string torques = folder.write("torques.csv", "time,tau.hinge\n0.05,3\n0.09,0\n");
  STRCMP_EQUAL(sim_hash(std::vector<std::string>{one, "--torques", torques} + words).c_str(),
               sim_hash(std::vector<std::string>{one, "--set", "push.hinge=3", "--set",
                                                 "push_time=0.05", "--set", "push_duration=0.04"} +
                        words)
                   .c_str());
  // a motor that is dead from the beginning is none
  STRCMP_EQUAL(sim_hash(std::vector<std::string>{one, "--start", start} + words).c_str(),
               sim_hash(std::vector<std::string>{one, "--start", start, "--torques", torques,
                                                 "--set", "dead.hinge=0"} +
                        words)
                   .c_str());
  const std::vector<std::string> stand = {quadruped, "--base", "floating", "--duration", "0.03"};
  STRCMP_EQUAL(
      sim_hash(stand + std::vector<std::string>{"--hold", "60,0.6", "--ground-friction", "0.3",
                                                "--drop", "0.01", "--gravity", "0,0,-3"})
          .c_str(),
      sim_hash(stand + std::vector<std::string>{"--hold", "1,1", "--set", "kp=60", "--set",
                                                "kd=0.6", "--set", "ground_friction=0.3", "--set",
                                                "drop=0.01", "--set", "gravity.z=-3"})
          .c_str());
}

TEST(Sweep, AHoldGoesForThePoseAsItWas) {
  const Columns record =
      sim.record({arm, "--hold", "3000,300", "--set", "q.elbow=1.2", "--duration", "2"});
  DOUBLES_EQUAL(1.2, record.at("q.elbow").front(), 0);
  DOUBLES_EQUAL(record.at("q_ref.elbow").front(), record.at("q.elbow").back(), 0.01);
  CHECK_TRUE(std::abs(record.at("q_ref.elbow").front() - 1.2) > 0.1);
}

TEST(Sweep, AnyNumberOfThreadsGivesTheSameBytes) {
  const std::string json = file(R"({"vary": {"q.lift": {"from": -1, "to": 1},
    "mass.forearm": {"from": 5, "to": 9}}, "runs": 13, "sampling": "latin_hypercube"})");
  const auto run = [&](const char* threads) {
    sweep({arm, json, "--duration", "0.02", "--threads", threads, "--csv", folder.path("t.csv"),
           "--npy", folder.path("t.npy")});
    return folder.read("t.csv") + folder.read("t.npy");
  };
  const std::string one = run("1");
  CHECK_TRUE(one.size() > 13 * 20 * 8);
  CHECK_TRUE(one == run("3"));
  CHECK_TRUE(one == run("16"));
  CHECK_FALSE(std::filesystem::exists(folder.path("t.csv.finished")));
}

TEST(Sweep, MeasuresAreThoseOfTheRecord) {
  const std::string json = file(R"({"vary": {"v.elbow": [2]}, "measure": ["last q.elbow",
    "min energy", "max v.elbow", "mean v.elbow"]})");
  const std::vector<std::string> words = {"--duration", "0.1", "--every", "4"};
  const Columns own = table(sweep(std::vector<std::string>{arm, json} + words));
  const Columns record = sim.record(std::vector<std::string>{arm, "--set", "v.elbow=2"} + words);
  const std::vector<double>&v = record.at("v.elbow"), &energy = record.at("energy");
  double sum = 0;
  for (const double x : v) sum += x;
  CHECK_EQUAL(2.0, own.at("v.elbow")[0]);
  CHECK_EQUAL(100.0, own.at("steps")[0]);
  CHECK_EQUAL(record.at("q.elbow").back(), own.at("last q.elbow")[0]);
  CHECK_EQUAL(*std::ranges::min_element(energy), own.at("min energy")[0]);
  CHECK_EQUAL(*std::ranges::max_element(v), own.at("max v.elbow")[0]);
  CHECK_EQUAL(sum / static_cast<double>(v.size()), own.at("mean v.elbow")[0]);
}

TEST(Sweep, SensorsOfEachSeedHaveNoiseOfTheirOwn) {
  const std::string json = file(
      R"({"vary": {"noise_seed": [1, 2, 1]}, "measure": ["mean imu.tip.ax", "last q.elbow"]})");
  const Columns own = table(sweep({SimRun::model("driven_arm"), json, "--duration", "0.05"}));
  const std::vector<double>& felt = own.at("mean imu.tip.ax");
  CHECK_EQUAL(felt[0], felt[2]);
  CHECK_TRUE(felt[0] != felt[1]);
  DOUBLES_EQUAL(felt[0], felt[1], 0.1);
}

TEST(Sweep, RunsThatBreakOffAreInTheTable) {
  const std::string json =
      file(R"({"vary": {"v.elbow": [0, 1e12, 1]}, "measure": ["last v.elbow"]})");
  const std::string csv = sweep({arm, json, "--duration", "0.01", "--integrator", "euler"});
  STRCMP_CONTAINS("\n0,0,ok,10,", csv.c_str());
  STRCMP_CONTAINS("\n1,1e+12,broke off,0,1e+12,", csv.c_str());
  STRCMP_CONTAINS("\n2,1,ok,10,", csv.c_str());
}

TEST(Sweep, TheBinaryTableHasTheNumbersOfTheCsv) {
  const std::string json =
      file(R"({"vary": {"q.elbow": [0.5, 0.25]}, "measure": ["last q.elbow"]})");
  sweep({arm, json, "--duration", "0.01", "--npy", folder.path("t.npy")});
  const std::string bytes = folder.read("t.npy");
  STRNCMP_EQUAL("\x93NUMPY\x03", bytes.c_str(), 7);
  const std::size_t rows = bytes.find('\n') + 1;
  LONGS_EQUAL(0, rows % 64);
  STRCMP_CONTAINS(
      "{'descr': [('run', '<u8'), ('q.elbow [rad]', '<f8'), ('status', '|S9'), "
      "('steps', '<u8'), ('last q.elbow [rad]', '<f8'), ('hash', '<u8'), ], "
      "'fortran_order': False, 'shape': (2,), }",
      bytes.substr(12, rows - 12).c_str());
  constexpr std::size_t kRow = 5 * 8 + 9;
  LONGS_EQUAL(rows + 2 * kRow, bytes.size());
  const auto number = [&](std::size_t at) {
    double value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  const std::string csv = sweep({arm, json, "--duration", "0.01"});
  const Columns own = table(csv);
  for (std::size_t run = 0; run < 2; ++run) {
    const std::size_t row = rows + run * kRow;
    CHECK_EQUAL(own.at("q.elbow")[run], number(row + 8));
    STRCMP_EQUAL("ok", bytes.substr(row + 16, 9).c_str());
    CHECK_EQUAL(own.at("last q.elbow")[run], number(row + 33));
    std::uint64_t hash = 0;
    std::memcpy(&hash, bytes.data() + row + 41, sizeof hash);
    STRCMP_EQUAL(hashes(csv)[run].c_str(), host::hash_text(hash).c_str());
  }
}

TEST(Sweep, WhatIsWrongIsNamed) {
  const auto refused = [&](const std::string& json, const char* words,
                           const std::vector<std::string>& more = {}) {
    const std::string text =
        complaint(std::vector<std::string>{arm, file(json), "--duration", "0.01"} + more);
    STRCMP_CONTAINS(words, text.c_str());
  };
  refused("{}", "nothing varies");
  STRCMP_CONTAINS("none.json", complaint({arm, folder.path("none.json")}).c_str());
  STRCMP_CONTAINS("none.urdf",
                  complaint({folder.path("none.urdf"), file(R"({"vary": {"a": 1}})")}).c_str());
  CHECK_TRUE(complaint({LOCKSTEP_MODELS_DIR "/mechanisms/gyroscope.xml",
                        file(R"({"vary": {"a": 1}})")}) != "");
  refused(R"({"vary": {"q.elbo": 1}})",
          "'q.elbo' is nothing of robot 'six_axis_arm' that can be "
          "set; did you mean 'q.elbow'?");
  refused(R"({"vary": {"mass.forearm": [7, 0]}})",
          "run 1: --set mass.forearm=0: give a number above 0");
  refused(R"({"vary": {"kp": 1}})", "run 0: --set kp=1: nothing holds the robot; give --hold");
  refused(R"({"vary": {"ground_friction": 1}})", "there is no ground");
  refused(R"({"vary": {"dead.elbow": 1}})", "nothing drives the robot");
  refused(R"({"vary": {"push_time": 1}})", "nothing pushes");
  refused(R"({"vary": {"friction.elbow": 1}})", "--friction none leaves it out",
          {"--friction", "none"});
  refused(R"({"vary": {"noise_seed": 1}})", "no sensors");
  refused(R"({"vary": {"q.elbow": 1}, "measure": ["top q.elbow"]})", "'top q.elbow' is none");
  refused(R"({"vary": {"q.elbow": 1}, "measure": ["max q.elbow", "max q.elbow"]})", "twice");
  refused(R"({"vary": {"q.elbow": 1}})", "--run 1: there are 1, from 0", {"--run", "1"});
  // of several that are wrong the first, whatever the threads; and nothing stays behind
  const std::size_t files = folder.files();
  refused(R"({"vary": {"mass.forearm": {"from": -1, "to": 5, "count": 60}}})",
          "run 0: --set mass.forearm=-1", {"--threads", "7", "--csv", folder.path("never.csv")});
  CHECK_TRUE(folder.files() <= files + 1);
  CHECK_FALSE(std::filesystem::exists(folder.path("never.csv")));
}

TEST_GROUP(Finished) {
  ScratchFolder folder;

  host::sweep::Question question(const char* seed) const {
    folder.write("sweep.json", std::string(R"({"vary": {"q.elbow": {"from": -1, "to": 1}},
        "runs": 12, "seed": )") + seed +
                                   "}");
    host::sim::SimOptions options;
    options.load.file = SimRun::model("six_axis_arm");
    options.load.quiet = true;
    options.duration = 0.01;
    return host::sweep::ask(options, folder.path("sweep.json"), 10);
  }
};

TEST(Finished, LanesAreForWhatFallsFreely) {
  using namespace host::sweep;
  host::sim::SimOptions options = question("1").options;
  options.bounds.limits = {"none"};
  options.bounds.friction = "none";
  const auto in_lanes = [&](const char* integrator) {
    options.integrator = integrator;
    return ask(options, folder.path("sweep.json"), 10).in_lanes;
  };
  CHECK_TRUE(in_lanes("euler"));
  CHECK_TRUE(in_lanes("rk4"));
  CHECK_FALSE(in_lanes("midpoint"));
  options.hold = {10, 1};
  CHECK_FALSE(in_lanes("euler"));
  options.hold.clear();
  options.scalar = "float";
  CHECK_FALSE(in_lanes("euler"));
  options.scalar = "double";
  options.bounds.limits = {"position"};
  CHECK_FALSE(in_lanes("euler"));
}

TEST(Finished, RunsAreReadBackAndATornOneIsNot) {
  using namespace host::sweep;
  const Question own = question("1");
  const std::string path = folder.path("runs");
  FinishedRuns runs;
  {
    FinishedFile file(path, own);
    run_all(own, {5, 2, 9}, 2, [&](const host::sweep::Finished& one) {
      file.add(one);
      runs[one.run] = one;
    });
    // one writer at a time
    CHECK_THROWS(host::Error, FinishedFile(path, own));
  }
  const std::string whole = folder.read("runs");
  const auto check = [&](std::initializer_list<std::uint64_t> expected) {
    FinishedRuns found;
    read_finished(path, own, found);
    CHECK_EQUAL(expected.size(), found.size());
    for (const std::uint64_t run : expected) {
      CHECK_TRUE(found.contains(run) && to_bytes(found[run]) == to_bytes(runs[run]));
    }
  };
  check({2, 5, 9});
  // cut anywhere, the records before it stay, and the next writer goes on behind them
  const std::size_t size = to_bytes(runs[2]).size();
  for (const std::size_t left : {whole.size() - 1, whole.size() - size + 1}) {
    folder.write("runs", whole.substr(0, left));
    FinishedRuns found;
    read_finished(path, own, found);
    LONGS_EQUAL(2, found.size());
    FinishedFile(path, own).add(runs[9]);
    FinishedFile(path, own).add(runs[5]);
    FinishedFile(path, own).add(runs[2]);
    check({2, 5, 9});
  }
  // a header that is torn is no header; a damaged record is none
  folder.write("runs", whole.substr(0, 10));
  check({});
  FinishedFile(path, own).add(runs[5]);
  check({5});
  std::string damaged = whole;
  damaged[whole.size() - size - 20] ^= 1;
  folder.write("runs", damaged);
  FinishedRuns found;
  read_finished(path, own, found);
  LONGS_EQUAL(2, found.size());
}

TEST(Finished, AnotherQuestionIsRefused) {
  using namespace host::sweep;
  const std::string path = folder.path("runs");
  const Question own = question("1");
  { const FinishedFile file(path, own); }
  const Question other = question("2");
  FinishedRuns found;
  CHECK_THROWS(host::Error, read_finished(path, other, found));
  CHECK_TRUE(own.hash == question("1").hash);
  host::sim::SimOptions options = own.options;
  options.duration = 0.02;
  CHECK_TRUE(own.hash != ask(options, folder.path("sweep.json"), 10).hash);
  options = own.options;
  options.hold = {10, 1};
  CHECK_TRUE(own.hash != ask(options, folder.path("sweep.json"), 10).hash);
}
