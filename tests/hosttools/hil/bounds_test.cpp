#include "hil/bounds.hpp"

#include <CppUTest/TestHarness.h>

#include "support/load_model.hpp"
#include "support/scratch_folder.hpp"
#include "text/error.hpp"

using namespace lockstep;
using namespace lockstep::host;
using namespace lockstep::host::hil;

namespace {

firmware::Bounds bounds_of(const Tree& tree, const BoundWords& words = usual_words()) {
  return chip_bounds(plant_bounds(words, "robot.urdf", tree), tree);
}

BoundWords words(const std::vector<std::string>& limits, const std::string& friction,
                 const std::string& ground) {
  BoundWords all = usual_words();
  all.limits = limits, all.friction = friction, all.ground = ground;
  return all;
}

std::string complaint(const Tree& tree, const BoundWords& words) {
  try {
    bounds_of(tree, words);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_GROUP(HilBounds){};

TEST(HilBounds, ATreeIsBoundedOnlyWhereTheUserAsks) {
  const Tree arm = test::load_model("six_axis_arm");
  CHECK_TRUE(bounds_of(arm) == firmware::Bounds());
  CHECK_TRUE(bounds_of(arm, words({"none"}, "none", "none")) == firmware::Bounds());
  CHECK_TRUE(bounds_of(arm, words({"effort"}, "", "")) == firmware::Bounds());
  const firmware::Bounds asked = bounds_of(arm, words({"position"}, "none", ""));
  CHECK_TRUE(asked.position && !asked.velocity && !asked.friction && asked.contacts == 0);
  STRCMP_EQUAL("{.position = true}", to_cpp(asked).c_str());
}

TEST(HilBounds, WhatFloatsAndHasShapesStands) {
  const Tree quadruped = test::load_model("quadruped", {.floating = true});
  const firmware::Bounds standing = bounds_of(quadruped);
  CHECK_TRUE(standing.position && standing.friction && standing.ground);
  LONGS_EQUAL(kUsualContacts, standing.contacts);
  STRCMP_EQUAL("{.position = true, .friction = true, .contacts = 16, .ground = true}",
               to_cpp(standing).c_str());
  CHECK_TRUE(bounds_of(quadruped, words({}, "", "none")) == firmware::Bounds());
  CHECK_TRUE(bounds_of(test::load_model("geared_quadruped", {.floating = true})) ==
             firmware::Bounds());

  BoundWords higher = words({"none"}, "none", "0.25");
  higher.most_contacts = 4;
  higher.ground_friction = 0.5;
  STRCMP_EQUAL("{.contacts = 4, .ground = true, .height = 0.25, .ground_friction = 0.5}",
               to_cpp(bounds_of(quadruped, higher)).c_str());
}

TEST(HilBounds, HillsAreAHeaderOfTheirOwn) {
  const test::ScratchFolder folder;
  const std::string hills = folder.write("hills.txt", "-1 -2 0.5\n0 0.25\n0.125 0\n0 1\n");
  const Tree quadruped = test::load_model("quadruped", {.floating = true});
  BoundWords asked = words({"none"}, "none", hills);
  asked.contact_solver = "gauss_seidel";
  const Bounds options = plant_bounds(asked, "robot.urdf", quadruped);
  const firmware::Bounds bounds = chip_bounds(options, quadruped);
  STRCMP_EQUAL(
      "{.solver = lockstep::RowSolver::kGaussSeidel, .contacts = 16, .field = ground_field}",
      to_cpp(bounds).c_str());
  STRCMP_EQUAL(
      "// What the robot stands on: -DLOCKSTEP_BOUNDS='{..., .field = ground_field}'.\n"
      "#pragma once\n\n"
      "inline constexpr double ground_heights[] = {0, 0.25, 0.125, 0, 0, 1};  // m\n"
      "inline constexpr lockstep::firmware::Field ground_field = {.x = -1, .y = -2, "
      ".spacing = 0.5, .columns = 2, .rows = 3, .heights = ground_heights};\n",
      to_header(bounds.field).c_str());
}

TEST(HilBounds, AClosedRobotHasItsLimits) {
  CHECK_TRUE(bounds_of(test::load_model("loops/four_bar")) == firmware::Bounds());  // it has none
  CHECK_TRUE(bounds_of(test::load_model("loops/slider_crank")).position);
}

TEST(HilBounds, WhatTheLinkDoesNotCarryIsNamed) {
  using enum link::Application;
  const auto of = [](const Tree& tree, link::Application application) {
    return untold(tree, application == kPlant ? bounds_of(tree) : firmware::Bounds(), application);
  };
  STRCMP_EQUAL("", of(test::load_model("six_axis_arm"), kPlant).c_str());
  const Tree loop = test::load_model("loops/four_bar");
  STRCMP_EQUAL("loops and couplings", of(loop, kPlant).c_str());
  STRCMP_EQUAL("loops and couplings", of(loop, kDynamics).c_str());
  STRCMP_EQUAL("", of(loop, kController).c_str());
  STRCMP_EQUAL("merged rotors",
               of(test::load_model("geared_quadruped", {.floating = true}), kController).c_str());
  STRCMP_EQUAL("limits of joints, dry friction, contacts",
               of(test::load_model("quadruped", {.floating = true}), kPlant).c_str());
}

TEST(HilBounds, WhatDoesNotFitIsRefused) {
  BoundWords many = usual_words();
  many.most_contacts = 85;
  const Tree quadruped = test::load_model("quadruped", {.floating = true});
  STRCMP_EQUAL(
      "robot 'quadruped': a step may have 291 rows, and 256 fit; give fewer "
      "--max-contacts, or --friction none",
      complaint(quadruped, many).c_str());
}
