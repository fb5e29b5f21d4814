// The playground's session, which its page calls, as this host compiles it: the run of `lockstep
// sim`, in whatever pieces, and hands on it. The module of WebAssembly is compared by
// tests/hosttools/view.
#include "play/session.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>

#include "hosttools/sim/sim_run.hpp"
#include "model/content_hash.hpp"

using namespace lockstep;
using namespace lockstep::host;
using lockstep::test::SimRun;

namespace {

// As the page gives them, hosttools/play/exports.cpp.
sim::SimOptions options_of(const std::string& model) {
  sim::SimOptions options;
  options.integrator = "midpoint";
  options.stabilization = "baumgarte";
  options.load.file = SimRun::model(model);
  options.load.quiet = true;
  return options;
}

sim::SimOptions dropped_quadruped() {
  sim::SimOptions options = options_of("quadruped");
  options.load.reduce.base = ReduceOptions::Base::kFloating;
  options.drop = 0.02;
  options.hold = {60, 0.6};
  return options;
}

std::string hash_line(const std::string& summary) {
  const std::size_t at = summary.rfind("0x");
  return summary.substr(at, summary.find('\n', at) - at);
}

std::size_t column(const Json& facts, const std::string& name) {
  const Json& columns = facts["columns"];
  const auto found = std::ranges::find_if(
      columns, [&](const Json& own) { return own["name"].get<std::string>() == name; });
  return 1 + static_cast<std::size_t>(found - columns.begin());  // the time comes first
}

}  // namespace

TEST_GROUP(Session) { SimRun sim_run; };

TEST(Session, AnyPiecesHaveTheHashOfSim) {
  play::Session session(dropped_quadruped());
  for (const std::uint64_t count : {1u, 7u, 0u, 92u, 100u}) session.step(count);
  LONGS_EQUAL(200, session.steps());
  const std::string summary = sim_run({SimRun::model("quadruped"), "--base", "floating", "--drop",
                                       "0.02", "--hold", "60,0.6", "--duration", "0.2", "--quiet"});
  STRCMP_EQUAL(hash_line(summary).c_str(), hash_text(session.hash()).c_str());
}

TEST(Session, APushAddsItsImpulseToTheMomentum) {
  play::Session session(dropped_quadruped());
  const Json facts = session.facts();
  const double mass = facts["scene"]["weight"].get<double>() / 9.81;
  const std::size_t speed = column(facts, "v.root_joint.vz"), energy = column(facts, "energy");
  const std::vector<double> before = session.row();
  // straight up, through about the middle: every joint could give way, so the base moves faster
  // than the robot as one body would
  CHECK(session.push(0, {0, 0, before[column(facts, "q.root_joint.z")]}, {0, 0, 1}));
  CHECK(session.row()[speed] >= before[speed] + 1 / mass);
  CHECK(session.row()[energy] - before[energy] >= 0.5 / mass * (1 - 1e-9));
}

TEST(Session, AHandThatBreaksNoLoopMovesAJointAndStopsTheRobot) {
  play::Session arm(options_of("six_axis_arm"));
  arm.step(10);
  CHECK(arm.set_joint(2, 0.7));
  const Json facts = arm.facts();
  DOUBLES_EQUAL(0.7, arm.row()[column(facts, "q.elbow")], 0);
  DOUBLES_EQUAL(0, arm.row()[column(facts, "v.elbow")], 0);
  play::Session closed(options_of("loops/four_bar"));
  const std::vector<double> before = closed.row();
  CHECK_FALSE(closed.set_joint(0, 0.3));
  CHECK(before == closed.row());
}

TEST(Session, SimContinuesFromWhatIsSaved) {
  play::Session session(options_of("six_axis_arm"));
  session.step(20);
  CHECK(session.set_joint(1, -0.4));
  const std::string state = sim_run.folder.write("state.json", session.saved());
  session.hold(std::nullopt);
  session.step(50);
  const std::string summary =
      sim_run({SimRun::model("six_axis_arm"), "--restore", state, "--duration", "0.05", "--quiet"});
  STRCMP_EQUAL(hash_line(summary).c_str(), hash_text(session.hash()).c_str());
}
