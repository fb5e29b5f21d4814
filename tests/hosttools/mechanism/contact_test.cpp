// Shapes, ground and bounds in a mechanism's file.
#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "hosttools/mechanism/texts.hpp"
#include "mechanism/content_hash.hpp"
#include "mechanism/emit.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::string_view kLeaf = R"(<velocity linear="0 0 0"/>)";
constexpr std::string_view kHingeAt = R"(<at xyz="0 0 0"/>)";

std::string collision(const std::string& geometry, const std::string& attributes = "") {
  return "<collision " + attributes + "><origin xyz=\"0 0 1\" rpy=\"0 0 0\"/><geometry>" +
         geometry + "</geometry></collision>";
}
// The door with a shape on its leaf, and ground far below.
std::string with_shape(const std::string& geometry, const std::string& attributes = "") {
  std::string text = door_with(kLeaf, collision(geometry, attributes));
  const std::string_view gravity = "<gravity";
  return text.insert(text.find(gravity),
                     "<ground normal=\"0 0 2\" offset=\"-5\" friction=\"0.5\"/>");
}
bool finds(const std::string& text, const char* rule) {
  const auto findings = host::examine_mechanism_text(text, {}).findings;
  return std::ranges::any_of(findings, [&](const auto& f) { return f.rule == rule; });
}

}  // namespace

TEST_GROUP(MechanismContact){};

TEST(MechanismContact, ShapesAndGroundAreRead) {
  const host::Mechanism m =
      mechanism_of(with_shape("<capsule radius=\"0.1\" length=\"0.6\"/>", "friction=\"0.7\""));
  LONGS_EQUAL(1, m.colliders.size());
  const contact::ColliderRecord& shape = m.colliders[0];
  LONGS_EQUAL(0, shape.body);
  CHECK(shape.type == contact::ShapeType::kCapsule);
  DOUBLES_EQUAL(0.1, shape.radius, 0);
  DOUBLES_EQUAL(0.3, shape.half[2], 0);
  DOUBLES_EQUAL(1, shape.p_BS[2], 0);
  DOUBLES_EQUAL(0.7, shape.friction, 0);
  CHECK((m.ground == maximal::GroundRecord{{0, 0, 1}, -5, 0.5, 0}));
  LONGS_EQUAL(0, m.collider_pairs.size());
}

TEST(MechanismContact, EveryShapeHasItsSizes) {
  const auto of = [](const char* geometry) {
    return mechanism_of(with_shape(geometry)).colliders[0];
  };
  CHECK((of("<box size=\"0.2 0.4 0.6\"/>").half == std::array<double, 3>{0.1, 0.2, 0.3}));
  DOUBLES_EQUAL(0.2, of("<sphere radius=\"0.2\"/>").radius, 0);
  DOUBLES_EQUAL(0, of("<point/>").radius, 0);
  DOUBLES_EQUAL(0.25, of("<cylinder radius=\"0.2\" length=\"0.5\"/>").half[2], 0);
}

// Bodies on one joint overlap there and do not meet; others do.
TEST(MechanismContact, PairsAreOfBodiesThatNothingTies) {
  LONGS_EQUAL(10, model("box_stack").collider_pairs.size());
  LONGS_EQUAL(6, model("falling_chain").collider_pairs.size());
}

TEST(MechanismContact, BoundsHaveTheFramesOfTheirJoint) {
  const host::Mechanism m = mechanism_of(
      door_with(kHingeAt, R"(<at xyz="0 0 0"/><limit lower="-1" upper="2" restitution="0.1"/>
                   <dynamics friction="0.4"/>)"));
  LONGS_EQUAL(1, m.bounds.size());
  const maximal::JointBound<double>& bound = m.bounds[0];
  STRCMP_EQUAL("hinge", m.bound_names[0].c_str());
  LONGS_EQUAL(kWorld, bound.a);
  LONGS_EQUAL(0, bound.b);
  DOUBLES_EQUAL(-1, bound.limits.lower, 0);
  DOUBLES_EQUAL(2, bound.limits.upper, 0);
  DOUBLES_EQUAL(0.4, bound.limits.friction, 0);
  const auto starts_with = [](const double* numbers, const Placement<double>& X) {
    return std::ranges::equal(std::span(numbers, 12), std::bit_cast<std::array<double, 12>>(X));
  };
  CHECK(starts_with(m.constraints[0].numbers.data(), bound.X_A));
  CHECK(starts_with(m.constraints[0].numbers.data() + 12, bound.X_B));
  const std::string header = host::emit_mechanism(m, {"door", "door.xml"});
  STRCMP_CONTAINS(".limits = {.lower = -1, .upper = 2, .friction = 0.4}", header.c_str());
}

TEST(MechanismContact, HashCoversThem) {
  const auto hash = [](const std::string& text) { return host::content_hash(mechanism_of(text)); };
  const std::uint64_t ball = hash(with_shape("<sphere radius=\"0.2\"/>"));
  CHECK(ball != hash(with_shape("<sphere radius=\"0.3\"/>")));
  CHECK(ball != hash(with_shape("<sphere radius=\"0.2\"/>", "restitution=\"0.5\"")));
  CHECK(ball != hash(std::string(kDoor)));
}

TEST(MechanismContact, WhatHasNoMeaningIsRefused) {
  CHECK(finds(with_shape("<sphere radius=\"0\"/>"), "not-positive"));
  CHECK(finds(with_shape("<box size=\"1 -1 1\"/>"), "not-positive"));
  CHECK(finds(with_shape(""), "no-shape"));
  CHECK(finds(with_shape("<point/><sphere radius=\"1\"/>"), "two-shapes"));
  CHECK(finds(with_shape("<sphere radius=\"1\"/>", "restitution=\"1.5\""), "restitution"));
  CHECK(finds(with_shape("<sphere radius=\"1\"/>", "friction=\"-1\""), "negative-friction"));
  CHECK(finds(with_shape("<sphere radius=\"7\"/>"), "starts-inside"));
  CHECK(finds(door_with("<gravity", "<ground normal=\"0 0 0\"/><gravity"), "zero-axis"));
  CHECK(finds(door_with("<gravity", "<ground/><gravity"), "nothing-touches"));
  CHECK(
      finds(door_with(kHingeAt, "<at xyz=\"0 0 0\"/><limit lower=\"1\" upper=\"0\"/>"), "limits"));
  CHECK(finds(door_with(kHingeAt, "<at xyz=\"0 0 0\"/><limit lower=\"0.5\"/>"), "starts-beyond"));
  CHECK(finds(door_with("<at xyz=\"0.8 0 0\"/>", "<at xyz=\"0.8 0 0\"/><limit upper=\"1\"/>"),
              "no-coordinate"));
}
