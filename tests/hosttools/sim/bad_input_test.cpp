// What `lockstep sim` says to files and options that do not fit: one line with file, element and
// remedy, and nothing is written.
#include <CppUTest/TestHarness.h>

#include "hosttools/sim/sim_run.hpp"
#include "text/finding.hpp"

using namespace lockstep::test;

TEST_GROUP(SimBadInput) {
  SimRun sim;
  const std::string robot = SimRun::model("double_pendulum");

  void check(const std::string& expected, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {robot, "--quiet", "--csv", sim.folder.path("out.csv")});
    STRCMP_CONTAINS(expected.c_str(), sim.complaint(arguments).c_str());
    STRCMP_EQUAL("", sim.folder.read("out.csv").c_str());
  }
  void check_usage(const std::string& expected, const std::vector<std::string>& arguments) {
    std::string complaint;
    try {
      sim(arguments);
    } catch (const lockstep::test::UsageError& error) {
      complaint = error.what();
    }
    STRCMP_CONTAINS(expected.c_str(), complaint.c_str());
  }
  void check_start(const char* expected, const char* text) {
    check("start.json: " + std::string(expected),
          {"--start", sim.folder.write("start.json", text)});
  }
  void check_torques(const char* expected, const char* text) {
    check("torques.csv" + std::string(expected),
          {"--torques", sim.folder.write("torques.csv", text)});
  }
  void check_restored(const std::string& expected, const std::string& text,
                      std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--restore", sim.folder.write("state.json", text)});
    check("state.json: " + expected, more);
  }
};

TEST(SimBadInput, AStartThatDoesNotFit) {
  check_start("'qd' is not known; known are q, v", R"({"qd": {}})");
  check_start(
      "'q': joint 'knee': the robot has no such joint that moves; it has upper_pivot, lower_pivot",
      R"({"q": {"knee": 1}})");
  check_start("'v': joint 'lower_pivot': give a number", R"({"v": {"lower_pivot": [1, 2]}})");
  check_start("'v': joint 'lower_pivot': give a number", R"({"v": {"lower_pivot": "fast"}})");
  check_start("'q' is 3; give an object", R"({"q": 3})");
  check("none.json: cannot be read (No such file or directory); give a state",
        {"--start", sim.folder.path("none.json")});
}

TEST(SimBadInput, MethodsThatTheStepperDoesNotKnow) {
  check("--method iterative: forces have to be exact; add --stepper impulse",
        {"--stepper", "lagrange", "--method", "iterative"});
  check("moves in joint space; --method and --picture", {"--method", "dense"});
}

TEST(SimBadInput, PicturesThatAreNoSvg) {
  for (const char* option : {"--plot", "--picture"}) {
    for (const char* name : {"x.png", "x.pdf", "x", "svg", "x.svg.gz"}) {
      check_usage(std::string(name) + ": pictures are SVG; name it *.svg", {robot, option, name});
    }
  }
}

TEST(SimBadInput, NumbersThatDoNotFitAreToldInShort) {
  for (const char* text : {"-1", "0", "nan", "inf", "1e-3x"}) {
    check_usage(lockstep::host::quote(text) + " does not fit; give a number above 0",
                {robot, "--dt", text});
  }
  check_usage("'-1' does not fit; give 0 or a number above", {robot, "--drop", "-1"});
  check_usage("'2' does not fit; give a number from 0 to 1", {robot, "--ground-restitution", "2"});
}

TEST(SimBadInput, MoreMimicsThanRowsFit) {
  std::string text = "<robot name='r'><link name='l0'/>";
  for (int i = 1; i <= 300; ++i) {
    const std::string own = std::to_string(i), last = std::to_string(i - 1);
    text += "<link name='l" + own +
            "'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' " +
            "iyy='1' iyz='0' izz='1'/></inertial></link><joint name='j" + own +
            "' type='continuous'><parent link='l" + last + "'/><child link='l" + own +
            "'/><axis xyz='0 1 0'/>" + (i > 1 ? "<mimic joint='j" + last + "'/>" : "") + "</joint>";
  }
  STRCMP_CONTAINS(
      "256 rows fit, and loops, couplings and <mimic> have 299: --mimic ignore",
      sim.complaint({sim.folder.write("chain.urdf", text + "</robot>"), "--quiet"}).c_str());
}

TEST(SimBadInput, AQuaternionWithoutLength) {
  check("start.json: 'q': joint 'root_joint': the quaternion has no length",
        {"--base", "floating", "--start",
         sim.folder.write("start.json", R"({"q": {"root_joint": [0, 0, 0, 0, 0, 0, 0]}})")});
}

TEST(SimBadInput, TorquesThatDoNotFit) {
  check_torques(
      ":1: column 'tau.knee' is not known; known are time [s], tau.upper_pivot [N m], "
      "tau.lower_pivot [N m]",
      "time,tau.knee\n0,1\n");
  check_torques(":1: column 'tau.upper_pivot [mN m]' is not known",
                "time,tau.upper_pivot [mN m]\n0,1\n");
  check_torques(":1: column 'time [s]' is there twice", "time,time [s]\n0,0\n");
  check_torques(":1: has no column 'time'", "tau.upper_pivot\n1\n");
  check_torques(":1: column 'time' is there twice", "time,time\n0,0\n");
  check_torques(":3: the time does not grow", "time,tau.upper_pivot\n1,1\n1,2\n");
  check_torques(":2: '1kg' is no number", "time,tau.upper_pivot\n0,1kg\n");
  check_torques(":2: has 1 fields, and the header 2", "time,tau.upper_pivot\n0\n");
  check_torques(":1: a quote is not closed", "time,\"tau.upper_pivot\n");
  check_torques(": is empty", "");
  check("none.csv: cannot be read", {"--torques", sim.folder.path("none.csv")});
}

TEST(SimBadInput, ASavedStateOfSomethingElse) {
  const std::string saved = sim.last_state({robot, "--quiet", "--duration", "0.01"});
  const std::string other = sim.last_state({SimRun::model("pendulum"), "--duration", "0.01"});
  check_restored("'model' is 0x", other);
  check_restored("'scalar' is \"double\"; give", saved, {"--scalar", "float"});
  check_restored("'dt' is 0.001, and --dt 0.002; leave out --dt", saved, {"--dt", "0.002"});

  const auto without = [&](const char* line) {
    std::string text = saved;
    const auto at = text.find(line);
    return text.erase(at, text.find('\n', at) - at);
  };
  check_restored("has no 'step'", without("\"step\""));
  check_restored("'q' lacks a joint", without("\"upper_pivot\""));
}

TEST(SimBadInput, TimesAndColumnsWithoutMeaning) {
  check("--duration 2e-04: 0 steps of 0.001 s", {"--duration", "2e-04"});
  check("has no 'q.knee'", {"--plot", sim.folder.path("a.svg"), "--columns", "q.knee"});
  CHECK_THROWS(UsageError, sim({robot, "--columns", "q.upper_pivot"}));
  CHECK_THROWS(UsageError, sim({robot, "--dt", "0"}));
  CHECK_THROWS(UsageError, sim({robot, "--hold", "5"}));
  CHECK_THROWS(UsageError, sim({robot, "--gravity", "0,0"}));
}

TEST(SimBadInput, AMotionThatExplodesNamesItsStep) {
  const std::string start =
      sim.folder.write("start.json", R"({"q": {"lower_pivot": 1}, "v": {"lower_pivot": 1}})");
  check("robot 'double_pendulum': step ",
        {"--start", start, "--hold", "1e9,1e9", "--limits", "none", "--integrator", "rk4"});
}
