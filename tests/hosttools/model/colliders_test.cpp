// Shapes on bodies, and which of them may meet.
#include "model/colliders.hpp"

#include <algorithm>
#include <random>
#include <set>

#include "doctor/contact.hpp"
#include "hosttools/model/robots.hpp"
#include "model/collider_pairs.hpp"
#include "model/tree_colliders.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using contact::ColliderPair;
using contact::ShapeType;
using host::CollisionDescription;
using host::Tree;
using test::Robot;
using test::UrdfJoint;

namespace {

CollisionDescription sphere_at(double x, double radius = 0.1) {
  CollisionDescription sphere;
  sphere.radius = radius;
  sphere.p_LS.x() = x;
  sphere.friction = 0.5;
  return sphere;
}

// World, then three links in a row by revolute joints, 1 m apart along x; a ball on each link.
Robot row() {
  Robot robot;
  robot.link("world").collisions.push_back(sphere_at(0));
  for (int i = 1; i <= 3; ++i) {
    const std::string name = "l" + std::to_string(i);
    robot.heavy_link(name).collisions.push_back(sphere_at(0));
    robot
        .joint("j" + std::to_string(i), UrdfJoint::kRevolute,
               i == 1 ? "world" : "l" + std::to_string(i - 1), name)
        .p_PJ = {1, 0, 0};
  }
  return robot;
}

void check_pairs(const std::vector<ColliderPair>& expected, const Tree& tree) {
  CHECK_EQUAL(expected.size(), tree.collider_pairs.size());
  CHECK_TRUE(expected == tree.collider_pairs);
}

}  // namespace

TEST_GROUP(Colliders){};

TEST(Colliders, ShapesOfFixedLinksMoveToTheirBodyInItsFrame) {
  Robot robot;
  robot.link("base").collisions.push_back(sphere_at(0.25));
  robot.heavy_link("arm");
  robot.joint("hinge", UrdfJoint::kRevolute, "base", "arm").axis = {0, 1, 0};
  CollisionDescription box;
  box.name = "pad";
  box.type = ShapeType::kPoints;
  box.points = {{1, 2, 3}, {-0.0, 0, 0}};
  box.p_LS = {0, 0, 0.5};
  robot.link("tool").collisions = {box, sphere_at(0, 0.2)};
  auto& weld = robot.joint("weld", UrdfJoint::kFixed, "arm", "tool");
  weld.p_PJ = {0, 0, 1};
  const Tree tree = robot.fixed();
  CHECK_EQUAL(3u, tree.colliders.size());
  LONGS_EQUAL(kWorld, tree.colliders[0].body);
  LONGS_EQUAL(0, tree.colliders[1].body);
  STRCMP_EQUAL("base", tree.collider_names[0].c_str());
  STRCMP_EQUAL("pad", tree.collider_names[1].c_str());
  STRCMP_EQUAL("tool", tree.collider_names[2].c_str());
  LONGS_EQUAL(2, tree.colliders[1].count);
  LONGS_EQUAL(0, tree.colliders[2].count);
  CHECK_FALSE(std::signbit(tree.collider_points[1][0]));
  // in link axes, where the file puts it
  const Eigen::Vector3d p_LS =
      test::matrix(tree.bodies[0].R_LB) * test::vector(tree.colliders[1].p_BS);
  CHECK_TRUE((p_LS - Eigen::Vector3d(0, 0, 1.5)).norm() < 1e-15);
  const Eigen::Matrix3d R_LS =
      test::matrix(tree.bodies[0].R_LB) * test::matrix(tree.colliders[1].R_BS);
  CHECK_TRUE(R_LS.isIdentity(1e-15));

  const host::TreeColliders<float> in_float(tree);
  CHECK_TRUE(in_float.colliders()[1].shape.points[0].z == 3 &&
             in_float.colliders()[0].X_BS.p.x == 0.25f);
  CHECK_TRUE(contact::check<float>(in_float.colliders(), in_float.pairs(), contact::Plane<float>{},
                                   1) == Status::kOk);
}

TEST(Colliders, AllMeetButNeighboursOverlapsAndThoseOfOneBody) {
  check_pairs({{0, 2}, {0, 3}, {1, 3}}, row().fixed());
  Robot robot = row();
  robot.description.links[3].collisions.push_back(sphere_at(-1.85));  // into l1's, at x = 1
  const Tree tree = robot.fixed();
  check_pairs({{0, 2}, {0, 3}, {0, 4}, {1, 3}}, tree);
  const host::ChosenPairs chosen = host::choose_pairs(robot.description, tree, 256);
  CHECK_EQUAL(1u, chosen.overlapping.size());
  CHECK_TRUE(chosen.overlapping[0] == (ColliderPair{1, 4}));
  host::Findings findings;
  host::check_contact(robot.description, tree, findings);
  const auto notes = std::move(findings).by_line();
  CHECK_EQUAL(1u, notes.size());
  CHECK_TRUE(notes[0].message.find("'l1' and 'l3'") != std::string::npos);
}

TEST(Colliders, FileHasTheLastWord) {
  Robot robot = row();
  robot.description.contact_pairs = {{"l2", "l1", 7}, {"world", "l3", 8}};
  robot.description.disabled_pairs = {{"world", "l3", 9}, {"l3", "l1", 9}};
  check_pairs({{0, 2}, {1, 2}}, robot.fixed());
  robot.description.contact_pairs = {{"l1", "l1", 7}};
  CHECK_TRUE(test::has(test::refusal(robot), "<contact_pair> in line 7: 'l1' and 'l1' are on one"));
}

TEST(Colliders, OfTooManyPairsTheNearestStay) {
  const Robot robot = row();
  const Tree tree = host::reduce(robot.description, {.most_pairs = 2});
  check_pairs({{0, 2}, {1, 3}}, tree);
  CHECK_TRUE(host::choose_pairs(robot.description, tree, 2).more);
  CHECK_FALSE(host::choose_pairs(robot.description, tree, 3).more);
  check_pairs({}, host::reduce(robot.description, {.most_pairs = 0}));
}

TEST(Colliders, WhatFloatsMeetsTheWorldThatItFloatsIn) {
  Robot robot;
  robot.link("world").collisions.push_back(sphere_at(3));
  robot.heavy_link("drone").collisions.push_back(sphere_at(0));
  robot.joint("free", UrdfJoint::kFloating, "world", "drone");
  check_pairs({{0, 1}}, robot.fixed());
  robot.description.joints[0].type = UrdfJoint::kBall;
  check_pairs({}, robot.fixed());
}

TEST(Colliders, BoxesOfOneMechanismMeetWhereTheFileSaysSo) {
  Robot robot = row();
  CollisionDescription& last = robot.description.links[3].collisions[0];
  last.type = ShapeType::kBox;
  last.half = {0.1, 0.1, 0.1};
  last.radius = 0;
  check_pairs({{0, 2}}, robot.fixed());
  robot.description.contact_pairs = {{"l1", "l3", 7}};
  check_pairs({{0, 2}, {1, 3}}, robot.fixed());
  last.type = ShapeType::kCylinder;
  check_pairs({{0, 2}}, robot.fixed());
}

TEST(Colliders, BoxesThatNothingHoldsTogetherMeet) {
  Robot robot;
  CollisionDescription box;
  box.type = ShapeType::kBox;
  box.half = {0.1, 0.1, 0.1};
  for (const char* name : {"one", "two", "three"}) {
    robot.heavy_link(name).collisions.push_back(box);
  }
  robot.joint("hinge", UrdfJoint::kRevolute, "two", "three").p_PJ = {1, 0, 0};
  // all at the origin, where the roots of a forest float when their coordinates are zero
  const Tree tree = host::reduce(robot.description, {.base = host::ReduceOptions::Base::kFloating});
  check_pairs({{0, 1}, {0, 2}}, tree);
}

TEST(Colliders, PlacesBeyondAllBoundsAreRefused) {
  Robot robot = row();
  robot.description.links[1].collisions[0].p_LS.x() = std::numeric_limits<double>::infinity();
  CHECK_TRUE(test::has(test::refusal(robot), "link 'l1': the <collision>"));
}

namespace {

// A chain whose shapes are balls, or boxes that fly in a grid; where `apart` is 0 all are at one
// place.
Robot many(int links, bool chain, double apart) {
  Robot robot;
  robot.link("l0");
  for (int i = 1; i <= links; ++i) {
    const std::string name = "l" + std::to_string(i);
    CollisionDescription shape = sphere_at(0, 0.01);
    if (!chain) shape.type = ShapeType::kBox, shape.half = {0.01, 0.01, 0.01}, shape.radius = 0;
    robot.heavy_link(name).collisions.push_back(shape);
    auto& joint =
        robot.joint("j" + std::to_string(i), chain ? UrdfJoint::kRevolute : UrdfJoint::kFloating,
                    chain ? "l" + std::to_string(i - 1) : "l0", name);
    joint.p_PJ = {apart * (chain ? 1 : i % 16), apart * (chain ? 0 : i / 16 % 16),
                  apart * (chain ? 0 : i / 256)};
  }
  return robot;
}

std::size_t looks(const Robot& robot) {
  return host::choose_pairs(robot.description, robot.fixed(), 256).looks;
}

}  // namespace

// Balls of a tree, and the definition: every two of them, by the distance of their centres.
TEST(Colliders, NearestPairsAreThoseOfAllPairs) {
  std::mt19937 generator(3);
  const auto draw = [&] { return static_cast<double>(generator()) / 4294967296.0; };
  for (int trial = 0; trial < 10; ++trial) {
    constexpr std::size_t kLinks = 60;
    Robot robot;
    std::vector<Eigen::Vector3d> centres = {{0, 0, 0}};
    std::vector<double> radii = {0.1};
    std::vector<std::size_t> parents = {kLinks};
    robot.link("l0").collisions.push_back(sphere_at(0));
    for (std::size_t i = 1; i < kLinks; ++i) {
      parents.push_back(i == 1 ? 0 : 1 + generator() % (i - 1));  // one root
      radii.push_back(0.3 * draw());
      const Eigen::Vector3d step(2 * draw(), 2 * draw(), 2 * draw());
      centres.push_back(centres[parents[i]] + step);
      const std::string name = "l" + std::to_string(i);
      robot.heavy_link(name).collisions.push_back(sphere_at(0, radii[i]));
      robot
          .joint("j" + std::to_string(i), UrdfJoint::kRevolute, "l" + std::to_string(parents[i]),
                 name)
          .p_PJ = step;
    }
    std::vector<std::pair<double, std::pair<int, int>>> expected;
    std::size_t overlapping = 0;
    for (std::size_t i = 0; i < kLinks; ++i) {
      for (std::size_t k = i + 1; k < kLinks; ++k) {
        if (parents[k] == i) continue;
        const double gap = (centres[i] - centres[k]).norm() - radii[i] - radii[k];
        if (gap < 0) ++overlapping;
        if (gap >= 0) expected.push_back({gap, {static_cast<int>(i), static_cast<int>(k)}});
      }
    }
    std::ranges::sort(expected);
    const Tree tree = robot.fixed();
    for (const std::size_t most : {0u, 1u, 20u, 256u, 10000u}) {
      const auto chosen = host::choose_pairs(robot.description, tree, static_cast<int>(most));
      std::set<std::pair<int, int>> nearest, found;
      for (std::size_t i = 0; i < std::min(most, expected.size()); ++i) {
        nearest.insert(expected[i].second);
      }
      for (const ColliderPair& pair : chosen.pairs) found.emplace(pair.a, pair.b);
      CHECK_TRUE(nearest == found);
      CHECK_TRUE(chosen.more == (most < expected.size()));
      CHECK_EQUAL(overlapping, chosen.overlapping.size());
    }
  }
}

TEST(Colliders, WorkGrowsAsTheShapesDo) {
  for (const bool chain : {true, false}) {
    const std::size_t few = looks(many(1000, chain, 0.1)), more = looks(many(4000, chain, 0.1));
    CHECK_TRUE(few > 1000 && more < 6 * few);
  }
}

TEST(Colliders, ShapesAtOnePlaceAreGivenUp) {
  const Robot robot = many(3000, true, 0);
  const auto chosen = host::choose_pairs(robot.description, robot.fixed(), 256);
  CHECK_TRUE(chosen.gave_up && chosen.looks < 1'100'000);
  host::Findings findings;
  host::check_contact(robot.description, robot.fixed(), findings);
  const auto notes = std::move(findings).by_line();
  CHECK_EQUAL(2u, notes.size());
  STRCMP_CONTAINS("at least ", notes[0].message.c_str());
  STRCMP_EQUAL("many-overlaps", notes[1].rule.c_str());
}
