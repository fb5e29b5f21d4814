// What every file in models/ owes its users: one tree of bodies that can exist.
#include <CppUTest/TestHarness.h>

#include <Eigen/Eigenvalues>
#include <set>

#include "models/urdf_file.hpp"

using namespace lockstep::test;

namespace {

struct Expected {
  const char* name;
  std::size_t links;
  int moving;  // joints
  int dof;     // with a fixed base
};

constexpr Expected kModels[] = {
    {"pendulum", 3, 1, 1},
    {"double_pendulum", 3, 2, 2},
    {"driven_arm", 3, 2, 2},
    {"six_axis_arm", 8, 6, 6},
    {"seven_axis_arm", 9, 7, 7},
    {"quadruped", 29, 12, 12},
    {"humanoid", 36, 35, 35},
    {"ball_tree_31", 32, 31, 93},
    {"geared_quadruped", 25, 24, 24},
    {"gripper", 6, 5, 5},
    {"loops/four_bar", 4, 3, 3},
    {"loops/six_bar", 7, 5, 5},
    {"loops/slider_crank", 4, 3, 3},
    {"loops/stewart_platform", 20, 19, 21},
    {"loops/two_arms_one_object", 14, 12, 12},
    {"loops/chain_both_ends", 11, 10, 30},
    {"loops/geared_chain", 9, 8, 8},
};

UrdfFile load(const char* name) {
  return read_urdf_file(std::string(LOCKSTEP_MODELS_DIR) + "/" + name + ".urdf");
}

std::size_t depth(const UrdfFile& file, const std::string& link) {
  std::size_t joints = 0;
  const UrdfJoint* joint = file.joint_above(link);
  for (; joint && joints <= file.joints.size(); joint = file.joint_above(joint->parent)) ++joints;
  return joints;
}

}  // namespace

TEST_GROUP(Models){};

TEST(Models, EachIsOneTreeWithUniqueNames) {
  for (const Expected& model : kModels) {
    const UrdfFile file = load(model.name);
    std::set<std::string> links, children, joints;
    for (const UrdfLink& link : file.links) links.insert(link.name);
    for (const UrdfJoint& joint : file.joints) {
      joints.insert(joint.name);
      children.insert(joint.child);
      CHECK_TEXT(links.count(joint.parent) && links.count(joint.child), joint.name.c_str());
    }
    CHECK_EQUAL_TEXT(model.links, links.size(), model.name);
    CHECK_EQUAL_TEXT(file.links.size(), links.size(), model.name);
    CHECK_EQUAL_TEXT(file.joints.size(), joints.size(), model.name);
    // every link but one has exactly one parent, and no way up comes back to itself
    CHECK_EQUAL_TEXT(links.size() - 1, children.size(), model.name);
    CHECK_EQUAL_TEXT(children.size(), joints.size(), model.name);
    for (const std::string& link : links)
      CHECK_TEXT(depth(file, link) < links.size(), link.c_str());
  }
}

TEST(Models, EachHasItsJointsAndFreedoms) {
  for (const Expected& model : kModels) {
    int moving = 0, dof = 0;
    for (const UrdfJoint& joint : load(model.name).joints) {
      moving += joint.type != "fixed";
      dof += joint.type == "ball" ? 3 : joint.type != "fixed";
    }
    LONGS_EQUAL_TEXT(model.moving, moving, model.name);
    LONGS_EQUAL_TEXT(model.dof, dof, model.name);
  }
}

TEST(Models, EveryMovingLinkHasMass) {
  for (const Expected& model : kModels) {
    const UrdfFile file = load(model.name);
    for (const UrdfJoint& joint : file.joints) {
      if (joint.type == "fixed") continue;
      CHECK_TEXT(file.link(joint.child).inertial.has_value(), joint.child.c_str());
      CHECK_TEXT(file.link(joint.child).inertial->mass > 0, joint.child.c_str());
    }
  }
}

TEST(Models, EveryInertiaIsPositiveAndObeysTheTriangleInequality) {
  for (const Expected& model : kModels) {
    for (const UrdfLink& link : load(model.name).links) {
      if (!link.inertial) continue;
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(link.inertial->inertia);
      const Eigen::Vector3d moments = solver.eigenvalues();
      CHECK_TEXT(moments[0] > 0, link.name.c_str());
      CHECK_TEXT(moments[2] < moments[0] + moments[1], link.name.c_str());
    }
  }
}

TEST(Models, EveryRevoluteJointHasARangeAndAUnitAxis) {
  for (const Expected& model : kModels) {
    for (const UrdfJoint& joint : load(model.name).joints) {
      if (joint.type == "revolute" || joint.type == "continuous") {
        DOUBLES_EQUAL_TEXT(1, joint.axis.norm(), 0, joint.name.c_str());
      }
      if (joint.type != "revolute") continue;
      CHECK_TEXT(joint.lower && joint.upper, joint.name.c_str());
      CHECK_TEXT(*joint.lower < *joint.upper, joint.name.c_str());
      CHECK_TEXT(*joint.lower <= 0 && *joint.upper >= 0, joint.name.c_str());
    }
  }
}
