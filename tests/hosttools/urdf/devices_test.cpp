// <drivetrain> and <sensors>: what is refused, and what of them is the joint's.
#include <CppUTest/TestHarness.h>

#include <algorithm>

#include "hosttools/urdf/arm.hpp"

using namespace lockstep::host;
using lockstep::test::arm_with;
using lockstep::test::findings_of;

namespace {

std::string arm_and(const std::string& elements) {
  return arm_with("</robot>", elements + "</robot>");
}

bool refuses(const std::string& elements, const std::string& rule) {
  return std::ranges::any_of(findings_of(arm_and(elements)), [&](const Finding& f) {
    return f.severity == Severity::kError && f.rule == rule && !f.remedy.empty();
  });
}

const std::string kGood =
    "<drivetrain joint='shoulder' delay='0.002'>"
    "<motor torque_constant='0.05' resistance='2' voltage='24' current='3' inertia='1e-5'"
    " time_constant='0.001' friction='0.001' viscous='1e-5'/>"
    "<gear ratio='-100' efficiency='0.8'/>"
    "<friction coulomb='0.5' stiction='0.7' stribeck_velocity='0.1' viscous='0.3'/></drivetrain>"
    "<sensors seed='7'><encoder joint='shoulder' side='motor' counts='1024'/>"
    "<imu name='tip' link='fore' rate_noise='0.1'><origin xyz='0 0 0.1'/></imu>"
    "<force_torque joint='shoulder' force_noise='1'/></sensors>";

}  // namespace

TEST_GROUP(UrdfDevices){};

TEST(UrdfDevices, AWholeOneHasNoFinding) { CHECK_TRUE(findings_of(arm_and(kGood)).empty()); }

TEST(UrdfDevices, WithoutASpringRotorAndFrictionAreTheJoints) {
  const JointDescription joint = lockstep::test::read(arm_and(kGood)).joints[0];
  DOUBLES_EQUAL(1e-5 * 1e4, joint.armature, 1e-15);
  DOUBLES_EQUAL(0.2 + 0.5 + 0.1, joint.friction, 1e-15);
  DOUBLES_EQUAL(0.1 + 0.3 + 1e-5 * 1e4, joint.damping, 1e-15);
}

TEST(UrdfDevices, BehindASpringTheyAreTheRotors) {
  const JointDescription joint =
      lockstep::test::read(arm_and("<drivetrain joint='shoulder'><motor inertia='1e-5'/>"
                                   "<friction coulomb='1' viscous='2'/>"
                                   "<spring stiffness='100'/></drivetrain>"))
          .joints[0];
  CHECK_EQUAL(0.0, joint.armature);
  CHECK_EQUAL(0.2, joint.friction);
  CHECK_EQUAL(0.1, joint.damping);
}

TEST(UrdfDevices, WhatHasNoMeaningIsRefused) {
  const auto train = [](const std::string& inside) {
    return "<drivetrain joint='shoulder'>" + inside + "</drivetrain>";
  };
  const char* const kFigures = "drivetrain-figures";
  CHECK_TRUE(refuses("<drivetrain/>", "missing-attribute"));
  CHECK_TRUE(refuses("<drivetrain joint='knee'/>", "unknown-joint"));
  CHECK_TRUE(refuses("<drivetrain joint='elbow'/>", "drivetrain-mimic"));
  CHECK_TRUE(refuses(train("") + train(""), "repeated-device"));
  CHECK_TRUE(refuses(train("<motor inertia='-1'/>"), "negative-figure"));
  CHECK_TRUE(refuses("<drivetrain joint='shoulder' delay='-1'/>", "negative-figure"));
  CHECK_TRUE(refuses(train("<gear ratio='0'/>"), kFigures));
  CHECK_TRUE(refuses(train("<gear efficiency='1.2'/>"), kFigures));
  CHECK_TRUE(refuses(train("<gear efficiency='0.7'/>"), kFigures));  // without friction
  CHECK_TRUE(refuses(train("<motor current='3'/>"), kFigures));
  CHECK_TRUE(refuses(train("<motor voltage='24' torque_constant='1'/>"), kFigures));
  CHECK_TRUE(refuses(train("<friction coulomb='2' stiction='1'/>"), kFigures));
  CHECK_TRUE(refuses(train("<spring stiffness='1'/>"), kFigures));  // without a rotor
  CHECK_TRUE(refuses(train("<gear backlash='0.1'/>"), kFigures));
  CHECK_TRUE(refuses(train("<motor inertia='1e-5kg'/>"), "not-a-number"));
  const auto sensor = [](const std::string& inside) { return "<sensors>" + inside + "</sensors>"; };
  CHECK_TRUE(refuses("<sensors seed='1.5'/>", "bad-seed"));
  CHECK_TRUE(refuses(sensor("<encoder joint='knee'/>"), "unknown-joint"));
  CHECK_TRUE(refuses(sensor("<encoder joint='shoulder' side='rotor'/>"), "unknown-word"));
  CHECK_TRUE(refuses(sensor("<encoder joint='shoulder' side='motor'/>"), "encoder-figures"));
  CHECK_TRUE(refuses(sensor("<encoder joint='shoulder' counts='0'/>"), "encoder-figures"));
  CHECK_TRUE(refuses(sensor("<encoder joint='shoulder' time_constant='1'/>"), "encoder-figures"));
  CHECK_TRUE(refuses(sensor("<encoder joint='shoulder' noise='-1'/>"), "negative-figure"));
  CHECK_TRUE(refuses(sensor("<imu name='a' link='hand'/>"), "unknown-link"));
  CHECK_TRUE(refuses(sensor("<imu link='fore'/>"), "missing-name"));
  CHECK_TRUE(refuses(sensor("<force_torque joint='knee'/>"), "unknown-joint"));
}

TEST(UrdfDevices, MisspeltWordsAreTold) {
  const auto findings =
      findings_of(arm_and("<drivetrain joint='shoulder'><motor inertai='1'/></drivetrain>"));
  CHECK_EQUAL(1u, findings.size());
  CHECK_TRUE(findings[0].rule == "misspelt-attribute");
}
