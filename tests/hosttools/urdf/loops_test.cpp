// <loop>, <coupling> and `independent`, from text to Description.
#include <cmath>

#include "hosttools/urdf/arm.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;
using lockstep::maximal::ConstraintType;
using lockstep::test::findings_of;
using lockstep::test::kArm;
using lockstep::test::read;

namespace {

// The arm with elements before </robot>, from line 29 on.
std::string arm_and(const std::string& elements) {
  const std::string arm(kArm);
  return arm.substr(0, arm.find("</robot>")) + elements + "</robot>";
}

const std::string kEnds = "<predecessor link='fore'/>\n<successor link='base'/>\n";

std::string loop(const std::string& type, const std::string& rest) {
  return arm_and("<loop name='l' type='" + type + "'>\n" + rest + "</loop>");
}

std::string coupling(const std::string& rest) {
  return arm_and("<coupling name='c'>\n" + rest + "</coupling>");
}

void check_finding(const std::string& text, Severity severity, const char* rule, int line,
                   const std::string& part) {
  const std::vector<Finding> findings = findings_of(text);
  CHECK_EQUAL_TEXT(1u, findings.size(), text.c_str());
  STRCMP_EQUAL_TEXT(rule, findings[0].rule.c_str(), text.c_str());
  CHECK_EQUAL_TEXT(line, findings[0].line, text.c_str());
  STRCMP_EQUAL(to_string(severity), to_string(findings[0].severity));
  const std::string all = findings[0].message + "; " + findings[0].remedy;
  CHECK_TRUE_TEXT(all.find(part) != std::string::npos, all.c_str());
}

}  // namespace

TEST_GROUP(UrdfLoops){};

TEST(UrdfLoops, LoopHoldsBothFramesTypeAndAxis) {
  const Description robot =
      read(loop("prismatic",
                "<predecessor link='fore'><origin xyz='1 2 3' rpy='0 0 0.5'/></predecessor>"
                "<successor link='base'/><axis xyz='0 0 -2'/>"));
  CHECK_EQUAL(1u, robot.loops.size());
  const LoopDescription& read_loop = robot.loops[0];
  STRCMP_EQUAL("l", read_loop.name.c_str());
  CHECK_TRUE(read_loop.type == ConstraintType::kPrismatic);
  STRCMP_EQUAL("fore", read_loop.predecessor.link.c_str());
  STRCMP_EQUAL("base", read_loop.successor.link.c_str());
  CHECK_TRUE(read_loop.predecessor.p_LF == Eigen::Vector3d(1, 2, 3));
  DOUBLES_EQUAL(std::sin(0.5), read_loop.predecessor.R_LF(1, 0), 1e-15);
  CHECK_TRUE(read_loop.successor.R_LF.isIdentity(0) && read_loop.successor.p_LF.isZero(0));
  CHECK_TRUE(read_loop.axis == Eigen::Vector3d(0, 0, -1));
  CHECK_EQUAL(29, read_loop.line);
}

TEST(UrdfLoops, EveryTypeIsReadAndTheAxisIsXUnlessGiven) {
  const std::pair<const char*, ConstraintType> types[] = {
      {"revolute", ConstraintType::kRevolute},
      {"continuous", ConstraintType::kRevolute},
      {"prismatic", ConstraintType::kPrismatic},
      {"planar", ConstraintType::kPlanar},
      {"fixed", ConstraintType::kFixed},
      {"ball", ConstraintType::kBall},
      {"spherical", ConstraintType::kBall},
      {"cylindrical", ConstraintType::kCylindrical},
      {"universal", ConstraintType::kUniversal},
      {"point_on_line", ConstraintType::kPointOnLine},
      {"point_on_plane", ConstraintType::kPointOnPlane},
  };
  for (const auto& [name, type] : types) {
    const Description robot = read(loop(name, kEnds));
    CHECK_TRUE_TEXT(robot.loops.at(0).type == type, name);
    CHECK_TRUE(robot.loops[0].axis == Eigen::Vector3d::UnitX());
  }
}

TEST(UrdfLoops, ARodHasALength) {
  const Description robot = read(loop("distance", kEnds + "<length value='0.25'/>"));
  CHECK_TRUE(robot.loops.at(0).type == ConstraintType::kDistance);
  DOUBLES_EQUAL(0.25, robot.loops[0].length, 0);
}

TEST(UrdfLoops, CouplingHoldsLinksAndRatioAndItsTypeIsNotRead) {
  const Description robot = read(arm_and(
      "<coupling name='c' type='whatever'><predecessor link='upper'/><successor link='fore'/>"
      "<ratio value='-6.5'/></coupling>"
      "<coupling name='d'><predecessor link='upper'/><successor link='base'/></coupling>"));
  CHECK_EQUAL(2u, robot.couplings.size());
  STRCMP_EQUAL("upper", robot.couplings[0].predecessor.c_str());
  STRCMP_EQUAL("fore", robot.couplings[0].successor.c_str());
  DOUBLES_EQUAL(-6.5, robot.couplings[0].ratio, 0);
  DOUBLES_EQUAL(1, robot.couplings[1].ratio, 0);
}

TEST(UrdfLoops, RowsYieldIfTheFileSaysSo) {
  const auto soft = [](const std::string& attributes) {
    return arm_and("<loop name='l' type='ball' " + attributes + ">\n" + kEnds + "</loop>");
  };
  const Description robot = read(soft("stiffness='2e5' damping='30'"));
  DOUBLES_EQUAL(2e5, robot.loops[0].stiffness, 0);
  DOUBLES_EQUAL(30, robot.loops[0].damping, 0);
  DOUBLES_EQUAL(0, read(soft("damping='30'")).loops[0].stiffness, 0);
  const Description belt = read(arm_and("<coupling name='belt' stiffness='50'>\n" + kEnds +
                                        "</coupling>"));
  DOUBLES_EQUAL(50, belt.couplings[0].stiffness, 0);
  DOUBLES_EQUAL(0, belt.couplings[0].damping, 0);
  const auto error = [&](const std::string& attributes, const char* rule, const char* part) {
    check_finding(soft(attributes), Severity::kError, rule, 29, part);
  };
  error("stiffness='-1'", "negative-dynamics", "loop 'l': stiffness is negative");
  error("damping='-1'", "negative-dynamics", "loop 'l': damping is negative");
  error("stiffness='nan'", "not-a-number", "stiffness");
  error("stiffness='inf'", "not-a-number", "stiffness");
  error("stiffness='0'", "holds-nothing", "leave both out for one that does not yield");
  check_finding(arm_and("<coupling name='belt' damping='-1'>\n" + kEnds + "</coupling>"),
                Severity::kError, "negative-dynamics", 29, "coupling 'belt': damping");
}

TEST(UrdfLoops, JointsAreIndependentUnlessTheFileSaysOtherwise) {
  const auto independent = [](const std::string& attribute) {
    return read(lockstep::test::arm_with("name=\"elbow\"", "name=\"elbow\"" + attribute))
        .joints[1]
        .independent;
  };
  CHECK_TRUE(independent(""));
  CHECK_TRUE(independent(" independent='true'") && independent(" independent='True'"));
  CHECK_FALSE(independent(" independent='false'") || independent(" independent='TRUE'"));
  check_finding(lockstep::test::arm_with("name=\"elbow\"", "name=\"elbow\" independent='yes'"),
                Severity::kWarning, "independent", 24, "read as false");
}

TEST(UrdfLoops, WhatHasNoMeaningIsAnErrorInItsLine) {
  const auto error = [](const std::string& text, const char* rule, int line, const char* part) {
    check_finding(text, Severity::kError, rule, line, part);
  };
  error(loop("revolut", kEnds), "loop-type", 29, "did you mean 'revolute'?");
  error(loop("gearbox", kEnds), "loop-type", 29, "use fixed, revolute, ");
  error(arm_and("<loop name='l'>" + kEnds + "</loop>"), "loop-type", 29, "no type");
  error(arm_and("<loop type='ball'>" + kEnds + "</loop>"), "missing-name", 29, "<loop>");
  error(loop("ball", "<predecessor link='fore'/>"), "missing-element", 29, "<successor>");
  error(loop("ball", "<predecessor/>\n<successor link='base'/>"), "missing-attribute", 30, "link");
  error(loop("ball", "<predecessor link='for'/>\n<successor link='base'/>"), "unknown-link", 30,
        "loop 'l': link 'for' does not exist; did you mean 'fore'?");
  error(loop("ball", "<predecessor link='base'/>\n<successor link='base'/>"), "loop-ends", 29,
        "one rigid body");
  error(loop("revolute", kEnds + "<axis xyz='0 0 0'/>\n"), "zero-axis", 32, "loop 'l': axis");
  error(loop("revolute", kEnds + "<axis xyz='0 0'/>\n"), "wrong-count", 32, "three numbers");
  error(loop("revolute",
             "<predecessor link='fore'><origin rpy='0 0 1e9'/></predecessor>\n"
             "<successor link='base'/>"),
        "degrees", 30, "loop 'l'");
  error(arm_and("<loop name='l' type='ball'>" + kEnds + "</loop><loop name='l' type='ball'>" +
                kEnds + "</loop>"),
        "duplicate-name", 31, "loop 'l'");
  error(loop("distance", kEnds), "rod-length", 29, "give <length value=...> in metres");
  error(loop("distance", kEnds + "<length value='0'/>"), "rod-length", 32, "more than zero");
  error(loop("distance", kEnds + "<length/>"), "missing-attribute", 32, "value");
  error(coupling("<predecessor link='fore'/>\n<successor link='hand'/>"), "unknown-link", 31,
        "coupling 'c': link 'hand'");
  error(coupling("<predecessor link='fore'/>\n<successor link='fore'/>"), "coupling-ends", 29,
        "one rigid body");
  error(coupling(kEnds + "<ratio value='six'/>"), "not-a-number", 32, "<ratio value>");
  error(coupling(kEnds + "<ratio/>"), "missing-attribute", 32, "value");
}

TEST(UrdfLoops, LinksThatAreWeldedTogetherAreOneEnd) {
  const std::string weld =
      "<link name='hand'/><joint name='weld' type='fixed'><parent link='fore'/>"
      "<child link='hand'/></joint>";
  check_finding(arm_and(weld + "<loop name='l' type='ball'><predecessor link='fore'/>"
                               "<successor link='hand'/></loop>"),
                Severity::kError, "loop-ends", 29, "one rigid body");
}

TEST(UrdfLoops, DoubtsAndMisspellingsAreFound) {
  check_finding(coupling(kEnds + "<ratio value='0'/>"), Severity::kWarning, "zero-ratio", 32,
                "locks the successor");
  check_finding(arm_and("<lop name='l'/>"), Severity::kWarning, "misspelt-element", 29,
                "did you mean <loop>?");
  check_finding(loop("ball", kEnds + "<predecesor link='base'/>"), Severity::kWarning,
                "misspelt-element", 32, "did you mean <predecessor>?");
  check_finding(loop("ball", kEnds + "<axis xyz='0 0 1'/>"), Severity::kNote, "unused-axis", 32,
                "ignored");
  check_finding(loop("ball", kEnds + "<length value='1'/>"), Severity::kNote, "unused-length", 32,
                "make the type distance");
}
