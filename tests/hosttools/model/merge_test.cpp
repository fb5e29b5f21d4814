#include "model/merge.hpp"

#include <CppUTest/TestHarness.h>

#include "model/content_hash.hpp"
#include "model/reduce.hpp"
#include "model/rotor_map.hpp"
#include "urdf/read.hpp"

using namespace lockstep;

namespace {

// A base that floats, an arm on the base, rotors beside it. `rotor` is the rotor's own part, `gear`
// what ties it.
std::string robot(const std::string& rotor, const std::string& gear) {
  return R"(<robot name="geared">
  <link name="base"><inertial><mass value="2"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="arm"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="1" iyy="2" izz="2" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/>
    <axis xyz="0 0 1"/><dynamics damping="1"/></joint>
  <link name="tool"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0.1" ixz="0" iyz="0"/></inertial></link>
  <joint name="wrist" type="continuous"><parent link="arm"/><child link="tool"/>
    <axis xyz="0 1 0"/></joint>)" +
         rotor + gear + "</robot>";
}

const std::string kDisc = R"(
  <link name="disc"><inertial><origin xyz="0 0.1 0"/><mass value="0.5"/>
    <inertia ixx="0.1" iyy="0.2" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="spin" type="continuous"><origin xyz="1 0 0"/><parent link="base"/>
    <child link="disc"/><axis xyz="0 -1 0"/><dynamics damping="0.5"/></joint>)";

std::string gear(const std::string& predecessor, const std::string& successor,
                 const std::string& ratio = "<ratio value=\"3\"/>",
                 const std::string& name = "gear") {
  return "<coupling name=\"" + name + "\"><predecessor link=\"" + predecessor +
         "\"/><successor link=\"" + successor + "\"/>" + ratio + "</coupling>";
}

host::Tree tree_of(const std::string& text) {
  std::vector<host::Finding> warnings;
  return host::reduce(host::read_urdf_text(text, "robot.urdf", {}, warnings),
                      {.base = host::ReduceOptions::Base::kFloating});
}

void check_kept(const std::string& why, const std::string& text) {
  const host::Tree tree = tree_of(text);
  STRCMP_EQUAL(why.c_str(), host::judge_coupling(tree, 0).why.c_str());
  const host::Tree same = host::merge_rotors(tree);
  LONGS_EQUAL(0, same.rotors.size());
  CHECK_TRUE(same.bodies == tree.bodies);
  CHECK_TRUE(host::content_hash(same) == host::content_hash(tree));
}

}  // namespace

TEST_GROUP(Merge){};

TEST(Merge, ARotorBecomesAPartOfItsParentAndTwoConstantsOfItsJoint) {
  const host::Tree tree = host::merge_rotors(tree_of(robot(kDisc, gear("arm", "disc"))));
  LONGS_EQUAL(3, tree.bodies.size());
  LONGS_EQUAL(0, tree.couplings.size() + tree.terms.size() + tree.coupling_names.size());
  LONGS_EQUAL(1, tree.rotors.size());
  STRCMP_EQUAL("spin", tree.rotor_names[0].c_str());
  CHECK_TRUE((Rotor{.body = 1, .ratio = 3, .offset = 0}) == tree.rotors[0]);
  const Body &base = tree.bodies[0], &arm = tree.bodies[1];
  DOUBLES_EQUAL(2.5, base.mass, 1e-15);
  DOUBLES_EQUAL(0.5, base.h[0], 1e-15);
  DOUBLES_EQUAL(0.05, base.h[1], 1e-15);
  DOUBLES_EQUAL(1 + 0.2 + 0.5, base.inertia[3], 1e-15);  // yy: about the axis, and 1 m away
  DOUBLES_EQUAL(9 * 0.2, arm.armature, 1e-15);
  DOUBLES_EQUAL(1 + 9 * 0.5, arm.damping, 1e-15);
  DOUBLES_EQUAL(0, arm.spin[0], 0);
  DOUBLES_EQUAL(-3 * 0.2, arm.spin[1], 1e-15);
  DOUBLES_EQUAL(0, arm.spin[2], 0);
  LONGS_EQUAL(3, tree.frames.size());  // the rotor's turns
  LONGS_EQUAL(3, tree.frame_names.size());
}

TEST(Merge, TheRotorMayLeadTheCoupling) {
  const host::Tree tree = host::merge_rotors(tree_of(robot(kDisc, gear("disc", "arm"))));
  LONGS_EQUAL(1, tree.rotors.size());
  DOUBLES_EQUAL(1.0 / 3, tree.rotors[0].ratio, 1e-15);
}

TEST(Merge, AMissingRatioIsOne) {
  const host::Tree tree = host::merge_rotors(tree_of(robot(kDisc, gear("arm", "disc", ""))));
  DOUBLES_EQUAL(1, tree.rotors.at(0).ratio, 0);
}

TEST(Merge, AMimicIsAGearToo) {
  std::string disc = kDisc;
  disc.insert(disc.find("<dynamics"), "<mimic joint=\"turn\" multiplier=\"-2\" offset=\"0.5\"/>");
  const host::Tree tree = host::merge_rotors(tree_of(robot(disc, "")));
  LONGS_EQUAL(1, tree.rotors.size());
  CHECK_TRUE((Rotor{.body = 1, .ratio = -2, .offset = 0.5}) == tree.rotors[0]);
}

TEST(Merge, ARotorOnTheWorldHasNoSpin) {
  std::vector<host::Finding> warnings;
  const host::Tree tree = host::merge_rotors(host::reduce(
      host::read_urdf_text(robot(kDisc, gear("arm", "disc")), "robot.urdf", {}, warnings), {}));
  LONGS_EQUAL(2, tree.bodies.size());
  DOUBLES_EQUAL(9 * 0.2, tree.bodies[0].armature, 1e-15);
  CHECK_TRUE((std::array<double, 3>{}) == tree.bodies[0].spin);
}

void check_tied(const std::string& rotor, double followed) {
  const host::Tree tree = host::merge_rotors(tree_of(robot(rotor, gear("arm", "disc"))));
  LONGS_EQUAL(0, tree.rotors.size());
  LONGS_EQUAL(0, tree.couplings.size() + tree.terms.size() + tree.coupling_names.size());
  LONGS_EQUAL(4, tree.bodies.size());
  CHECK_TRUE((Tie{.leader = 1, .ratio = 3}) == tree.bodies[3].tie);
  CHECK_TRUE(tree.bodies[1].leads && !tree.bodies[3].leads);
  DOUBLES_EQUAL(followed, tree.bodies[1].followed, 1e-15);
  DOUBLES_EQUAL(0, tree.bodies[1].armature, 0);
}

TEST(Merge, WhatIsNotRoundStaysAndItsJointIsTied) {
  std::string lopsided = kDisc;
  lopsided.replace(lopsided.find("ixx=\"0.1\""), 9, "ixx=\"0.11\"");
  check_tied(lopsided, 9 * 0.2);
  std::string eccentric = kDisc;
  eccentric.replace(eccentric.find("0 0.1 0"), 7, "0.01 0 0");
  check_tied(eccentric, 9 * (0.2 + 0.5 * 1e-4));
  std::string slide = kDisc;
  slide.replace(slide.find("\"continuous\""), 12, "\"prismatic\"");
  slide.insert(slide.find("<dynamics"),
               "<limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/>");
  check_tied(slide, 9 * 0.5);
}

TEST(Merge, AFollowerStandsAfterItsLeader) {
  std::string lopsided = kDisc;
  lopsided.replace(lopsided.find("ixx=\"0.1\""), 9, "ixx=\"0.11\"");
  std::string text = robot("", gear("arm", "disc"));
  text.insert(text.find("<link name=\"arm\">"), lopsided);
  const host::Tree whole = tree_of(text), tree = host::merge_rotors(whole);
  STRCMP_EQUAL("spin", whole.joint_names[1].c_str());
  STRCMP_EQUAL("turn", tree.joint_names[1].c_str());
  STRCMP_EQUAL("spin", tree.joint_names[2].c_str());
  STRCMP_EQUAL("disc", tree.link_names[2].c_str());
  LONGS_EQUAL(1, tree.bodies[2].tie.leader);
  LONGS_EQUAL(1, tree.bodies[3].parent);  // the tool's
  for (std::size_t i = 0; i < tree.frames.size(); ++i) {
    const int body = tree.frames[i].body;
    STRCMP_EQUAL(tree.link_names[static_cast<std::size_t>(body)].c_str(),
                 tree.frame_names[i].c_str());
  }
  const host::RotorMap map(whole, tree);
  Eigen::VectorXd v(9);
  v << 1, 2, 3, 4, 5, 6, 21, 7, 8;
  DOUBLES_EQUAL(7, map.merged_v(v)[6], 0);
  CHECK_TRUE(map.whole_v(map.merged_v(v)) == v);
}

TEST(Merge, TheHashTellsTiesApart) {
  std::string lopsided = kDisc;
  lopsided.replace(lopsided.find("ixx=\"0.1\""), 9, "ixx=\"0.11\"");
  const host::Tree tied = host::merge_rotors(tree_of(robot(lopsided, gear("arm", "disc"))));
  host::Tree other = tied;
  other.bodies[3].tie.ratio = 4;
  CHECK_FALSE(host::content_hash(tied) == host::content_hash(other));
}

TEST(Merge, WhatCannotFollowIsARow) {
  check_kept("ties more than two joints", robot(kDisc, gear("tool", "disc")));
  check_kept("'disc' is in several couplings",
             robot(kDisc, gear("arm", "disc") + gear("arm", "disc", "", "second")));
  check_kept("holds one joint still", robot(kDisc, gear("arm", "disc", "<ratio value=\"0\"/>")));
  std::string tool_on_base = robot(kDisc, "");
  tool_on_base.insert(tool_on_base.find("</robot>"),
                      "<link name=\"tip\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
                      "iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
                      "<joint name=\"bend\" type=\"continuous\"><parent link=\"disc\"/>"
                      "<child link=\"tip\"/></joint>" +
                          gear("arm", "disc"));
  check_kept("'disc' carries other links", tool_on_base);
}

TEST(Merge, TheHashTellsRotorsApart) {
  const host::Tree merged = host::merge_rotors(tree_of(robot(kDisc, gear("arm", "disc"))));
  host::Tree other = merged;
  CHECK_TRUE(host::content_hash(merged) == host::content_hash(other));
  other.bodies[1].spin[0] += 1e-6;
  CHECK_FALSE(host::content_hash(merged) == host::content_hash(other));
  other = merged;
  other.rotors[0].ratio = 4;
  CHECK_FALSE(host::content_hash(merged) == host::content_hash(other));
}

TEST(Merge, TheMapFollowsRotorsAndGathersTheirEfforts) {
  const host::Tree whole = tree_of(robot(kDisc, gear("arm", "disc")));
  const host::Tree merged = host::merge_rotors(whole);
  const host::RotorMap map(whole, merged);
  Eigen::VectorXd v(9), tau(9);
  v << 1, 2, 3, 4, 5, 6, 7, 8, 21;
  tau << 1, 2, 3, 4, 5, 6, 7, 8, 10;
  LONGS_EQUAL(8, map.merged_v(v).size());
  CHECK_TRUE(map.whole_v(map.merged_v(v)) == v);
  DOUBLES_EQUAL(7 + 3 * 10, map.merged_tau(tau)[6], 1e-15);
  DOUBLES_EQUAL(8, map.merged_tau(tau)[7], 0);
  const Eigen::VectorXd left = map.merged_tau(tau);
  CHECK_TRUE(map.merged_tau(map.whole_tau(left)) == left);
}
