// <collision> and pairs, from text to Description.
#include <cmath>

#include "hosttools/urdf/arm.hpp"
#include "support/scratch_folder.hpp"
#include "text/error.hpp"
#include "urdf/rotation.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;
using lockstep::contact::ShapeType;
using lockstep::test::arm_with;
using lockstep::test::findings_of;
using lockstep::test::read;

namespace {

// The arm whose base, in line 2, has this collision.
std::string arm_with_shape(const std::string& shape, const std::string& rest = "") {
  return arm_with("<link name=\"base\"/>", "<link name=\"base\"><collision>" + rest + "<geometry>" +
                                               shape + "</geometry></collision></link>");
}

std::string arm_and(const std::string& elements) {
  return arm_with("</robot>", elements + "</robot>");
}

CollisionDescription shape_of(const std::string& text) {
  return read(text).links[0].collisions.at(0);
}

void check_finding(const std::string& text, Severity severity, const char* rule,
                   const std::string& part) {
  const std::vector<Finding> findings = findings_of(text);
  CHECK_EQUAL_TEXT(1u, findings.size(), text.c_str());
  STRCMP_EQUAL_TEXT(rule, findings[0].rule.c_str(), text.c_str());
  STRCMP_EQUAL(to_string(severity), to_string(findings[0].severity));
  const std::string all = findings[0].message + "; " + findings[0].remedy;
  CHECK_TRUE_TEXT(all.find(part) != std::string::npos, all.c_str());
}

}  // namespace

TEST_GROUP(UrdfCollision) { lockstep::test::ScratchFolder folder; };

TEST(UrdfCollision, ShapesHaveHalfOfWhatUrdfWrites) {
  const auto sphere = shape_of(arm_with_shape("<sphere radius='0.1'/>"));
  CHECK_TRUE(sphere.type == ShapeType::kSphere && sphere.radius == 0.1 && sphere.half.isZero(0));
  const auto box = shape_of(arm_with_shape("<box size='1 2 4'/>"));
  CHECK_TRUE(box.type == ShapeType::kBox && box.half == Eigen::Vector3d(0.5, 1, 2));
  const auto cylinder = shape_of(arm_with_shape("<cylinder radius='0.1' length='3'/>"));
  CHECK_TRUE(cylinder.type == ShapeType::kCylinder && cylinder.radius == 0.1);
  CHECK_TRUE(cylinder.half == Eigen::Vector3d(0, 0, 1.5));
  const auto capsule = shape_of(arm_with_shape("<capsule radius='0.1' length='3'/>"));
  CHECK_TRUE(capsule.type == ShapeType::kCapsule && capsule.half.z() == 1.5);
}

TEST(UrdfCollision, PlaceNameAndMaterialAreRead) {
  const auto shape = shape_of(arm_with_shape("<sphere radius='0.1'/>",
                                             "<origin xyz='1 2 3' rpy='0 0 0.5'/>"
                                             "<contact friction='0.25' restitution='0.5'/>"));
  CHECK_TRUE(shape.p_LS == Eigen::Vector3d(1, 2, 3));
  DOUBLES_EQUAL(std::sin(0.5), shape.R_LS(1, 0), 1e-15);
  CHECK_TRUE(shape.friction == 0.25 && shape.restitution == 0.5 && shape.line == 2);
  STRCMP_EQUAL("", shape.name.c_str());
  const std::string two =
      "<collision name='x'><geometry><sphere radius='1'/></geometry></collision>"
      "<collision name='y'><geometry><sphere radius='2'/></geometry></collision>";
  const auto both =
      read(arm_with("<link name=\"base\"/>", "<link name=\"base\">" + two + "</link>"))
          .links[0]
          .collisions;
  CHECK_EQUAL(2u, both.size());
  STRCMP_EQUAL("y", both[1].name.c_str());
  CHECK_TRUE(both[1].friction == kDefaultFriction && both[1].restitution == 0);
}

TEST(UrdfCollision, GazebosFrictionIsTheLinksUnlessTheShapeHasItsOwn) {
  const auto friction = [](const std::string& gazebo, const std::string& contact = "") {
    std::string text = arm_with_shape("<sphere radius='0.1'/>", contact);
    return shape_of(text.insert(text.find("</robot>"), gazebo)).friction;
  };
  CHECK_TRUE(friction("<gazebo reference='base'><mu1>0.3</mu1></gazebo>") == 0.3);
  CHECK_TRUE(friction("<gazebo reference='base'><mu1 value='0.3'/></gazebo>") == 0.3);
  CHECK_TRUE(friction("<gazebo reference='base'><mu1>0.3</mu1></gazebo>",
                      "<contact friction='0.5'/>") == 0.5);
  for (const char* other : {"<gazebo reference='fore'><mu1>0.3</mu1></gazebo>",
                            "<gazebo reference='base'><mu1>much</mu1></gazebo>",
                            "<gazebo reference='base'><mu1>-1</mu1></gazebo>",
                            "<gazebo><mu1>0.3</mu1></gazebo>", "<gazebo reference='base'/>"}) {
    CHECK_TRUE_TEXT(friction(other) == kDefaultFriction, other);
  }
}

TEST(UrdfCollision, PairsOfLinksAreRead) {
  const Description robot =
      read(arm_and("<disable_collisions link1='base' link2='fore' reason='Never'/>"));
  CHECK_EQUAL(1u, robot.disabled_pairs.size());
  STRCMP_EQUAL("fore", robot.disabled_pairs[0].b.c_str());
  CHECK_TRUE(robot.contact_pairs.empty());
}

TEST(UrdfCollision, WhatHasNoMeaningIsAnError) {
  const auto error = [](const std::string& text, const char* rule, const char* part) {
    check_finding(text, Severity::kError, rule, part);
  };
  error(arm_with_shape("<sphere radius='-0.1'/>"), "collision-size",
        "radius of a <collision> is -0.1");
  error(arm_with_shape("<sphere radius='0'/>"), "collision-size", "link 'base'");
  error(arm_with_shape("<sphere radius='nan'/>"), "not-a-number", "<sphere radius>");
  error(arm_with_shape("<sphere/>"), "missing-attribute", "radius");
  error(arm_with_shape("<box size='1 0 1'/>"), "collision-size", "side of the box");
  error(arm_with_shape("<box size='1 1'/>"), "wrong-count", "three numbers");
  error(arm_with_shape("<box/>"), "missing-attribute", "size");
  error(arm_with_shape("<cylinder radius='1'/>"), "missing-attribute", "length");
  error(arm_with_shape("<capsule radius='1' length='-2'/>"), "collision-size", "length");
  error(arm_with_shape("<mesh/>"), "missing-attribute", "filename");
  error(arm_with_shape("<mesh filename='x.stl' scale='1 0 1'/>"), "collision-size", "scale");
  error(arm_with_shape(""), "collision-geometry", "is empty");
  error(arm_with("<link name=\"base\"/>",
                 "<link name=\"base\"><collision><origin/></collision></link>"),
        "missing-element", "<geometry>");
  error(arm_with_shape("<sphere radius='1'/>", "<contact friction='-1'/>"), "contact-material",
        "friction is -1");
  error(arm_with_shape("<sphere radius='1'/>", "<contact restitution='1.5'/>"), "contact-material",
        "restitution is 1.5");
  error(arm_with_shape("<sphere radius='1'/>", "<origin rpy='0 0 1e9'/>"), "degrees",
        "a <collision>");
  error(arm_and("<disable_collisions link1='base' link2='for'/>"), "unknown-link",
        "did you mean 'fore'?");
  error(arm_and("<disable_collisions link1='base'/>"), "missing-attribute", "link2");
  const auto unknown = findings_of(arm_with_shape("<plane normal='0 0 1'/>"));
  CHECK_TRUE(std::ranges::count(unknown, "collision-geometry", &Finding::rule) == 1);
}

TEST(UrdfCollision, DoubtsAreWarnings) {
  check_finding(arm_with_shape("<sphere radius='1' lenght='2'/>"), Severity::kNote,
                "unknown-attribute", "ignored");
  check_finding(arm_with_shape("<sphere radius='1'/>", "<contact fricton='1'/>"),
                Severity::kWarning, "misspelt-attribute", "'friction'");
  std::string pair = arm_with_shape("<box size='1 1 1'/>");
  pair.insert(pair.find("</robot>"), "<contact_pair link1='base' link2='base'/>");
  const auto findings = findings_of(pair);
  CHECK_EQUAL(2u, findings.size());
  STRCMP_EQUAL("contact-pair", findings[0].rule.c_str());
}

TEST(UrdfCollision, MeshBecomesCornersOfItsHullScaledAndPlaced) {
  folder.write("part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.2 0.2 0.2\n");
  const std::string text =
      arm_with_shape("<mesh filename='part.obj' scale='2 -3 1'/>", "<origin xyz='5 0 0'/>");
  const std::string file = folder.write("arm.urdf", text);
  std::vector<Finding> warnings;
  const auto shape = read_urdf(file, {}, warnings).links[0].collisions.at(0);
  CHECK_TRUE(shape.type == ShapeType::kPoints && shape.p_LS.x() == 5);
  CHECK_EQUAL(4u, shape.points.size());
  CHECK_TRUE(shape.points[3].x == 2 && shape.points[2].y == -3);
  ReadOptions options;
  options.mesh.fit = MeshFit::kBox;
  const auto box = read_urdf(file, options, warnings).links[0].collisions.at(0);
  CHECK_TRUE(box.type == ShapeType::kBox && box.half == Eigen::Vector3d(1, 1.5, 0.5));
  CHECK_TRUE(box.p_LS == Eigen::Vector3d(6, -1.5, 0.5));
  CHECK_TRUE(warnings.empty());
}

TEST(UrdfCollision, MissingMeshesAreOneNoteForAllOfThem) {
  std::string text = arm_with_shape("<mesh filename='package://p/a.stl'/>");
  text.insert(text.find("<inertial>"),
              "<collision><geometry><mesh filename='b.stl'/></geometry></collision>"
              "<collision><geometry><mesh filename='b.stl'/></geometry></collision>");
  const Draft draft = examine_text(text, {}).draft;
  Description robot = describe(draft, "arm.urdf");
  Findings findings;
  describe_collisions(draft, {}, robot, findings);
  const auto found = std::move(findings).by_line();
  CHECK_EQUAL(1u, found.size());
  STRCMP_EQUAL("2 meshes are not there, and their shapes are left out: 'a.stl', 'b.stl'",
               found[0].message.c_str());
  STRCMP_EQUAL(
      "give the folder that holds 'p' with --package-path, or take a box of each link's inertia "
      "with --mesh inertia",
      found[0].remedy.c_str());
}

// A cuboid of 2 kg and 0.2 x 0.4 x 0.6 m has m/12 (b^2 + c^2); turned, the same sides.
TEST(UrdfCollision, BoxOfTheInertiaStandsInForMeshes) {
  const double xx = 2 / 12.0 * (0.16 + 0.36), yy = 2 / 12.0 * (0.04 + 0.36),
               zz = 2 / 12.0 * (0.04 + 0.16);
  for (const double angle : {0.0, 0.7}) {
    const std::string inertia = "<origin xyz='0 0 0.1' rpy='" + std::to_string(angle) +
                                " 0 0'/><mass value='2'/><inertia ixx='" + std::to_string(xx) +
                                "' ixy='0' ixz='0' iyy='" + std::to_string(yy) + "' iyz='0' izz='" +
                                std::to_string(zz) + "'/>";
    const std::string mesh = "<collision><geometry><mesh filename='a.stl'/></geometry></collision>";
    const std::string text = "<robot name='r'><link name='b'><inertial>" + inertia + "</inertial>" +
                             mesh + mesh + "</link><link name='point'>" + mesh +
                             "</link><joint name='j' type='fixed'><parent link='b'/>"
                             "<child link='point'/></joint></robot>";
    std::vector<Finding> warnings;
    const Description robot =
        read_urdf_text(text, "r.urdf", {.mesh = {.fit = MeshFit::kInertia}}, warnings);
    CHECK_TRUE(warnings.empty() && robot.links[1].collisions.empty());
    CHECK_EQUAL(1u, robot.links[0].collisions.size());
    const CollisionDescription& box = robot.links[0].collisions[0];
    CHECK_TRUE(box.type == ShapeType::kBox && box.p_LS == Eigen::Vector3d(0, 0, 0.1));
    // along each of the three axes of the mass the box reaches as far as the cuboid
    Eigen::Matrix3d R = rotation_from_rpy({angle, 0, 0});
    const Eigen::Vector3d reach = (box.R_LS.transpose() * R).cwiseAbs().transpose() * box.half;
    CHECK_TRUE(reach.isApprox(Eigen::Vector3d(0.1, 0.2, 0.3), 1e-5));
    DOUBLES_EQUAL(1, box.R_LS.determinant(), 1e-12);
  }
}

TEST(UrdfCollision, MissingMeshIsANoteAndADamagedOneAnError) {
  const std::string text = arm_with_shape("<mesh filename='package://p/part.stl'/>");
  const std::string file = folder.write("arm.urdf", text);
  const auto finding = [&] {
    const Draft draft = examine_text(text, {}).draft;
    Description robot = describe(draft, file);
    Findings findings;
    describe_collisions(draft, {}, robot, findings);
    CHECK_TRUE(robot.links[0].collisions.empty());
    return std::move(findings).by_line().at(0);
  };
  std::vector<Finding> warnings;
  CHECK_TRUE(read_urdf(file, {}, warnings).links[0].collisions.empty());
  CHECK_TRUE(warnings.size() == 1 && warnings[0].rule == "missing-mesh");
  CHECK_TRUE(finding().severity == Severity::kNote && finding().rule == "missing-mesh");
  CHECK_TRUE(finding().remedy.find("--package-path") != std::string::npos);

  std::filesystem::create_directory(folder.path() / "p");
  folder.write("p/part.stl", "solid nothing");
  CHECK_TRUE(finding().severity == Severity::kError && finding().rule == "bad-mesh");
  CHECK_THROWS(Error, read_urdf(file, {}, warnings));
}
