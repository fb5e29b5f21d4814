#include "eval/closed_case.hpp"

#include <CppUTest/TestHarness.h>

#include <cstdio>
#include <filesystem>

#include "eval/comparison.hpp"
#include "support/scratch_folder.hpp"
#include "support/tolerance.hpp"
#include "text/error.hpp"

using namespace lockstep;

namespace {

// A rod of 1 m on a pivot about y, and a point of it, 0.5 m out, pinned to the world.
std::string rod(const std::string& type, const std::string& joint1) {
  return R"({"joints": [{"name": "swing", "parent_joint": -1, "type": "R", "axis": [0, 1, 0],
    "R_in_parent_rowmajor": [1,0,0, 0,1,0, 0,0,1], "p_in_parent": [0, 0, 0], "mass": 2,
    "com": [0.5, 0, 0], "inertia_com_xx_xy_xz_yy_yz_zz": [0.1, 0, 0, 0.1, 0, 0.1]}],
    "constraints": [{"type": )" +
         type + R"(, "joint1": )" + joint1 + R"(, "R1_rowmajor": [1,0,0, 0,1,0, 0,0,1],
    "p1": [0.5, 0, 0], "joint2": -1, "R2_rowmajor": [1,0,0, 0,1,0, 0,0,1], "p2": [0.5, 0, 0]}],
    "states": [{"q": [0], "qd": [0], "tau": [3]}]})";
}

}  // namespace

TEST_GROUP(ClosedCase) {
  test::ScratchFolder folder;

  std::string complaint(const std::string& text) {
    try {
      host::read_closed_case(folder.write("case.json", text));
    } catch (const host::Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST(ClosedCase, APinCarriesTheWeightAndTheTorque) {
  const auto rods = host::read_closed_case(folder.write("rod.json", rod("3", "0")));
  auto in = host::rest(rods.bodies);
  in.tau[0] = 3;
  for (const auto scalar : {host::EvalScalar::kDouble, host::EvalScalar::kFloat}) {
    const host::ClosedAnswer answer =
        host::make_closed_engine(rods, rods, scalar, host::EvalMethod::kNullSpace)(in);
    DOUBLES_EQUAL(0, answer.out.vdot[0], 1e-5);
    const Eigen::VectorXd force = host::constraint_force(rods, answer.mu);
    LONGS_EQUAL(3, force.size());
    // the torque about y presses the rod down; weight pulls at the same place
    DOUBLES_EQUAL(2 * 9.81 + 3 / 0.5, force[2], 1e-4);
    DOUBLES_EQUAL(-0.5 * force[2], answer.generalized[0], 1e-4);
  }
}

TEST(ClosedCase, ConformanceLoopsAgree) {
  const std::filesystem::path loops = std::filesystem::path(LOCKSTEP_CONFORMANCE_DIR) / "loops";
  if (!std::filesystem::exists(loops)) {
    std::puts("conformance data not found; its loops are not compared");
    return;
  }
  for (const auto& file : std::filesystem::directory_iterator(loops)) {
    if (file.path().extension() != ".json") continue;
    const std::string path = file.path().string();
    const host::Tree mechanism = host::read_closed_case(path);
    const host::StatesFile states(path, mechanism);
    CHECK_TRUE(states.size() > 0);
    for (const auto method : {host::EvalMethod::kNullSpace, host::EvalMethod::kMaximal}) {
      const host::ClosedEngine engine =
          host::make_closed_engine(mechanism, mechanism, host::EvalScalar::kDouble, method);
      for (std::size_t i = 0; i < states.size(); ++i) {
        const host::State state = states.state(i);
        const host::ClosedAnswer answer = engine(state.in);
        const Eigen::VectorXd force = host::constraint_force(mechanism, answer.mu);
        const char* name = path.c_str();
        CHECK_AT_MOST(1e-8, test::relative_error(answer.out.vdot, *state.vdot), name);
        CHECK_AT_MOST(1e-8, test::relative_error(force, *state.constraint_force), name);
        CHECK_AT_MOST(1e-8,
                      test::relative_error(answer.generalized, *state.constraint_generalized_force),
                      name);
      }
    }
  }
}

TEST(ClosedCase, WhatIsWrongIsNamed) {
  STRCMP_CONTAINS("case.json: constraints[0]: 'type' needs 3", complaint(rod("5", "0")).c_str());
  STRCMP_CONTAINS("constraints[0]: 'joint1' needs a whole number from -1 to 0",
                  complaint(rod("3", "1")).c_str());
  STRCMP_CONTAINS("case.json: has no array 'joints'", complaint("{}").c_str());
  STRCMP_CONTAINS("joints[0]: 'type' needs R",
                  complaint(R"({"joints": [{}], "constraints": []})").c_str());
}
