// `lockstep sim` in joint space where a robot's shapes touch the ground and each other.
#include <CppUTest/TestHarness.h>

#include <cmath>

#include "hosttools/sim/sim_run.hpp"
#include "support/long_test.hpp"

using namespace lockstep::test;

namespace {

constexpr double kGravity = 9.81;

std::string link(const std::string& name, const std::string& shape, const std::string& contact) {
  return "<link name=\"" + name + R"("><inertial><mass value="2"/>
    <inertia ixx="0.005" iyy="0.005" izz="0.005" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry>)" +
         shape + "</geometry><contact " + contact + "/></collision></link>\n";
}

std::string robot(const std::string& links) {
  return "<robot name=\"thing\">\n" + links + "</robot>\n";
}

const std::string kBall = "<sphere radius=\"0.1\"/>", kBox = "<box size=\"0.2 0.2 0.1\"/>";

}  // namespace

TEST_GROUP(SimGround) {
  SimRun sim;
  const std::string ball = sim.folder.write("ball.urdf", robot(link("ball", kBall, "")));
  const std::string box =
      sim.folder.write("box.urdf", robot(link("box", kBox, "friction=\"0.8\"")));

  Columns record(const std::string& file, std::vector<std::string> more) {
    more.insert(more.begin(), {file, "--base", "floating", "--quiet"});
    return sim.record(more);
  }
};

TEST(SimGround, ABallFallsFromItsDropAndRestsWithItsWeight) {
  const Columns run = record(ball, {"--drop", "0.2", "--duration", "1"});
  DOUBLES_EQUAL(0.3, run.at("q.root_joint.z").front(), 1e-12);
  DOUBLES_EQUAL(0.1, run.at("q.root_joint.z").back(), 1e-3);
  DOUBLES_EQUAL(0, run.at("contact.ball.z")[100], 0);
  DOUBLES_EQUAL(2 * kGravity, run.at("contact.ball.z").back(), 1e-6);
  DOUBLES_EQUAL(1, run.at("contacts").back(), 0);
  const std::string summary =
      sim({ball, "--base", "floating", "--drop", "0.2", "--duration", "1", "--quiet"});
  STRCMP_CONTAINS("at most 1 at once", summary.c_str());
  CHECK_TRUE(summary.find("momentum") == std::string::npos);
}

TEST(SimGround, GroundsAreAskedForByNameHeightOrFile) {
  DOUBLES_EQUAL(0.1, record(ball, {"--duration", "0.1"}).at("q.root_joint.z").back(), 1e-3);
  CHECK_TRUE(record(ball, {"--ground", "none", "--duration", "0.5"}).at("q.root_joint.z").back() <
             -1);
  DOUBLES_EQUAL(
      2.1, record(ball, {"--ground", "2", "--duration", "0.5"}).at("q.root_joint.z").back(), 1e-3);
  // rises by 0.5 m a metre along x, and is without friction: the ball slides down
  const std::string slope = sim.folder.write("slope.txt",
                                             "# x y spacing\n-5 -5 10\n-2.5, 2.5  # y = -5\n"
                                             "-2.5 2.5\n");
  const Columns run = record(ball, {"--ground", slope, "--ground-friction", "0"});
  DOUBLES_EQUAL(0.1 * std::sqrt(1.25), run.at("q.root_joint.z").front(), 1e-9);
  DOUBLES_EQUAL(-kGravity * 0.5 / 1.25 / 2, run.at("q.root_joint.x").back(), 1e-2);
}

TEST(SimGround, BadGroundsAreAnsweredWithTheRemedy) {
  const std::string bare = sim.folder.write("bare.urdf", robot("<link name=\"bare\"/>"));
  const auto complaint = [&](const std::string& ground) {
    return sim.complaint({ball, "--base", "floating", "--quiet", "--ground", ground});
  };
  STRCMP_CONTAINS("give --ground none, plane, a height in m, or a file",
                  complaint(sim.folder.path("none.txt")).c_str());
  STRCMP_CONTAINS("f.txt:1: give x and y of the first height and the spacing",
                  complaint(sim.folder.write("f.txt", "0 0\n")).c_str());
  STRCMP_CONTAINS("f.txt:2: 'high' is no number",
                  complaint(sim.folder.write("f.txt", "0 0 1\n1 high\n")).c_str());
  STRCMP_CONTAINS("f.txt:3: has 3 heights, and the first row 2",
                  complaint(sim.folder.write("f.txt", "0 0 1\n1 1\n1 1 1\n")).c_str());
  STRCMP_CONTAINS("f.txt: has 1 rows of 2 heights; give at least 2 of 2",
                  complaint(sim.folder.write("f.txt", "0 0 1\n1 1\n")).c_str());
  STRCMP_CONTAINS("starts beside the ground",
                  complaint(sim.folder.write("f.txt", "9 9 1\n1 1\n1 1\n")).c_str());
  STRCMP_CONTAINS(
      "there is no ground",
      sim.complaint({ball, "--base", "floating", "--ground", "none", "--drop", "1"}).c_str());
  STRCMP_CONTAINS("--ground and --drop are for joint space",
                  sim.complaint({ball, "--stepper", "lagrange", "--ground", "plane"}).c_str());
  STRCMP_CONTAINS("no body that moves has a shape to touch --ground",
                  sim.complaint({bare, "--quiet", "--ground", "plane"}).c_str());
}

TEST(SimGround, ABouncingBallRisesToTheSquareOfItsRestitution) {
  const Columns run =
      record(ball, {"--drop", "0.5", "--ground-restitution", "0.6", "--duration", "0.6"});
  double highest = 0;
  const auto& z = run.at("q.root_joint.z");
  for (std::size_t i = 400; i < z.size(); ++i) highest = std::max(highest, z[i] - 0.1);
  DOUBLES_EQUAL(0.36 * 0.5, highest, 0.01);
}

// The ground's normal stays, gravity tilts.
TEST(SimGround, ABoxOnAnInclineHoldsBelowTheFrictionAngleAndSlidesAbove) {
  const auto slid = [&](double angle) {
    const std::string gravity = std::to_string(kGravity * std::sin(angle)) + ",0," +
                                std::to_string(-kGravity * std::cos(angle));
    return record(box, {"--gravity", gravity, "--duration", "1"}).at("q.root_joint.x").back();
  };
  DOUBLES_EQUAL(0, slid(0.6), 1e-6);  // tan = 0.684
  const double angle = 0.8;
  DOUBLES_EQUAL(kGravity * (std::sin(angle) - 0.8 * std::cos(angle)) / 2, slid(angle), 2e-3);
}

// Friction 0.5 between ground and box, whichever way is downhill or it is pushed.
TEST(SimGround, FrictionIsAConeInEveryDirection) {
  constexpr double kDegree = 0.017453292519943295, kFriction = 0.5;
  const auto way = [&](double azimuth, std::vector<std::string> more) {
    more.insert(more.end(), {"--ground-friction", "0.3125", "--every", "100"});
    const Columns run = record(box, more);
    return std::pair(run.at("q.root_joint.x").back() * std::cos(azimuth) +
                         run.at("q.root_joint.y").back() * std::sin(azimuth),
                     run.at("q.root_joint.y").back() * std::cos(azimuth) -
                         run.at("q.root_joint.x").back() * std::sin(azimuth));
  };
  for (const char* solver : {"pivoting", "gauss_seidel", "newton"}) {
    for (const double azimuth : {0, 20, 45, 70}) {
      const double heading = azimuth * kDegree;
      for (const double degrees : {25, 30, 35}) {
        const double angle = degrees * kDegree, down = kGravity * std::sin(angle);
        const std::string gravity = std::to_string(down * std::cos(heading)) + "," +
                                    std::to_string(down * std::sin(heading)) + "," +
                                    std::to_string(-kGravity * std::cos(angle));
        const auto [along, across] =
            way(heading, {"--gravity", gravity, "--duration", "1", "--contact-solver", solver});
        const double exact =
            std::max(0.0, kGravity * (std::sin(angle) - kFriction * std::cos(angle))) / 2;
        DOUBLES_EQUAL(exact, along, 5e-3 * exact + 1e-5);
        DOUBLES_EQUAL(0, across, 1e-4);
      }
      const double speed = 1.2915;
      const std::string start = sim.folder.write(
          "pushed.json",
          R"({"q": {"root_joint": [0, 0, 0.05, 0, 0, 0, 1]}, "v": {"root_joint": [)" +
              std::to_string(speed * std::cos(heading)) + "," +
              std::to_string(speed * std::sin(heading)) + ", 0, 0, 0, 0]}}");
      const auto [along, across] =
          way(heading, {"--start", start, "--duration", "0.5", "--contact-solver", solver});
      const double exact = speed * speed / (2 * kFriction * kGravity);
      DOUBLES_EQUAL(exact, along, 0.01 * exact);
      DOUBLES_EQUAL(0, across, 1e-4);
    }
  }
}

LONG_TEST(SimGround, FiveBoxesStandOnEachOther) {
  std::string links, start = R"({"q": {)";
  for (int i = 0; i < 5; ++i) {
    const std::string number = std::to_string(i);
    links += link("box" + number, kBox, "friction=\"0.8\"");
    links += "<joint name=\"free" + number +
             R"(" type="floating"><parent link="world"/><child link="box)" + number +
             "\"/></joint>\n";
    start += (i == 0 ? "" : ", ") + ("\"free" + number) + R"(": [0, 0, )" +
             std::to_string(0.05 + 0.1 * i) + ", 0, 0, 0, 1]";
  }
  const std::string file = sim.folder.write("stack.urdf", robot("<link name=\"world\"/>" + links));
  const std::string pose = sim.folder.write("start.json", start + "}}");
  const Columns run = sim.record({file, "--start", pose, "--duration", "5", "--every", "100",
                                  "--quiet", "--contact-solver", "gauss_seidel"});
  for (int i = 0; i < 5; ++i) {
    const std::string joint = "q.free" + std::to_string(i);
    DOUBLES_EQUAL(0.05 + 0.1 * i, run.at(joint + ".z").back(), 1e-4);
    DOUBLES_EQUAL(0, run.at(joint + ".x").back(), 1e-4);
  }
  DOUBLES_EQUAL(2 * kGravity, run.at("contact.box4.z").back(), 0.01);
}

TEST(SimGround, TheRoomForContactsIsTheUsersAndWhatIsLeftOutIsTold) {
  const std::string summary = sim({box, "--base", "floating", "--quiet", "--max-contacts", "3"});
  STRCMP_CONTAINS("warning", summary.c_str());
  STRCMP_CONTAINS("raise --max-contacts", summary.c_str());
  CHECK_TRUE(sim({box, "--base", "floating", "--quiet"}).find("warning") == std::string::npos);
}

TEST(SimGround, ARestoredRunContinuesBitForBitWithAnySolver) {
  for (const std::string solver : {"pivoting", "gauss_seidel", "newton"}) {
    for (const std::string scalar : {"float", "double"}) {
      const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {box, "--base", "floating", "--quiet", "--contact-solver", solver,
                                   "--scalar", scalar, "--gravity", "3,1,-9"});
        return sim.last_state(more);
      };
      const std::string whole = with({"--drop", "0.01", "--duration", "0.4"});
      const std::string saved =
          sim.folder.write("half.json", with({"--drop", "0.01", "--duration", "0.2"}));
      STRCMP_EQUAL(whole.c_str(), with({"--restore", saved, "--duration", "0.2"}).c_str());
    }
  }
}
