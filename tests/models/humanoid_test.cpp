// The humanoid against de Leva 1996, table 4 (males), including rows that it was not built from.
#include <CppUTest/TestHarness.h>

#include "models/urdf_file.hpp"

using namespace lockstep::test;
using Eigen::Vector3d;

namespace {

constexpr double kMass = 73, kStature = 1.741;

UrdfFile load() { return read_urdf_file(std::string(LOCKSTEP_MODELS_DIR) + "/humanoid.urdf"); }

std::vector<std::string> with_gimbals(const std::string& segment, const std::string& joint,
                                      int count) {
  if (count == 0) return {segment};
  if (count == 1) return {segment, joint + "_gimbal"};
  return {segment, joint + "_gimbal_1", joint + "_gimbal_2"};
}

}  // namespace

TEST_GROUP(Humanoid) { UrdfFile file = load(); };

TEST(Humanoid, WeighsSeventyThreeKilogramsAndIsSymmetric) {
  const Inertial whole = file.lump_all();
  DOUBLES_EQUAL(kMass, whole.mass, 1e-7);
  DOUBLES_EQUAL(0, whole.com.y(), 1e-12);
  DOUBLES_EQUAL(0, whole.inertia(0, 1), 1e-9);
  DOUBLES_EQUAL(0, whole.inertia(1, 2), 1e-9);
}

TEST(Humanoid, SegmentsWithTheirGimbalsHaveTheTablesMassCentreAndInertia) {
  struct Row {
    const char *joint, *segment;
    int gimbals;
    double mass, length, centre;  // fraction of the body's mass, m, fraction of the length
    Vector3d radii;               // about x, y, z; fractions of the length
  };
  const Row rows[] = {
      {"", "pelvis", 0, 0.1117, 0.1457, 1 - 0.6115, {0.615, 0.551, 0.587}},
      {"lumbar", "abdomen", 2, 0.1633, 0.2155, 1 - 0.4502, {0.482, 0.383, 0.468}},
      {"thoracic", "thorax", 2, 0.1596, 0.2421, 1 - 0.5066, {0.505, 0.320, 0.465}},
      {"neck", "head", 2, 0.0694, 0.2429, 1 - 0.5002, {0.303, 0.315, 0.261}},
      {"left_shoulder", "left_upper_arm", 2, 0.0271, 0.2817, 0.5772, {0.285, 0.269, 0.158}},
      {"right_elbow", "right_forearm", 1, 0.0162, 0.2689, 0.4574, {0.265, 0.276, 0.121}},
      {"left_wrist", "left_hand", 1, 0.0061, 0.0862, 0.7900, {0.513, 0.628, 0.401}},
      {"right_hip", "right_thigh", 2, 0.1416, 0.4222, 0.4095, {0.329, 0.329, 0.149}},
      {"", "left_shank", 0, 0.0433, 0.4403, 0.4395, {0.251, 0.246, 0.102}},
  };
  for (const Row& row : rows) {
    const Inertial segment = file.lump(with_gimbals(row.segment, row.joint, row.gimbals));
    DOUBLES_EQUAL_TEXT(row.mass * kMass, segment.mass, 1e-8, row.segment);
    const Vector3d joint = file.pose(row.segment).translation();
    DOUBLES_EQUAL_TEXT(row.centre * row.length, (segment.com - joint).norm(), 1e-8, row.segment);
    const Vector3d moments = segment.mass * (row.length * row.radii).array().square();
    const double error = (moments - segment.inertia.diagonal()).cwiseAbs().maxCoeff();
    DOUBLES_EQUAL_TEXT(0, error, 1e-8, row.segment);
  }
}

TEST(Humanoid, FootHasTheTablesMassAndInertia) {
  const Inertial foot = file.lump({"right_ankle_gimbal", "right_foot"});
  DOUBLES_EQUAL(0.0137 * kMass, foot.mass, 1e-8);
  const Vector3d radii = 0.2581 * Vector3d(0.124, 0.245, 0.257);
  const Vector3d moments = foot.mass * radii.array().square();
  DOUBLES_EQUAL(0, (moments - foot.inertia.diagonal()).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Humanoid, TrunkOfThreePartsAgreesWithTheTablesWholeTrunk) {
  const Inertial trunk = file.lump({"pelvis", "lumbar_gimbal_1", "lumbar_gimbal_2", "abdomen",
                                    "thoracic_gimbal_1", "thoracic_gimbal_2", "thorax"});
  DOUBLES_EQUAL(0.4346 * kMass, trunk.mass, 1e-8);
  // CERV-MIDH: 603.3 mm, centre 51.38 % below CERV, radii 32.8, 30.6 and 16.9 %
  const Vector3d cervicale = file.pose("head").translation();
  DOUBLES_EQUAL(0.6033, cervicale.z(), 1e-12);
  DOUBLES_EQUAL(0.5138 * 0.6033, cervicale.z() - trunk.com.z(), 0.005);
  const Vector3d radii = (trunk.inertia.diagonal() / trunk.mass).cwiseSqrt() / 0.6033;
  DOUBLES_EQUAL(0.328, radii.x(), 0.02);
  DOUBLES_EQUAL(0.306, radii.y(), 0.02);
  DOUBLES_EQUAL(0.169, radii.z(), 0.02);
}

TEST(Humanoid, StandsAsTallAsHisStature) {
  // the parts were measured along the body, so that their sum is a little more
  const double vertex = file.pose("head").translation().z() + 0.2429;
  const double sole = file.pose("left_foot").translation().z() - 0.039 * kStature;
  DOUBLES_EQUAL(kStature, vertex - sole, 0.03 * kStature);
}

TEST(Humanoid, PositiveAnglesAreThoseOfAnatomy) {
  const auto moved = [this](const char* link, const char* joint, const Vector3d& point) {
    const Vector3d before = file.pose(link) * point;
    return Vector3d(file.pose(link, {{joint, 0.1}}) * point - before);
  };
  const Vector3d below(0, 0, -0.1), above(0, 0, 0.1), front(0.1, 0, 0);
  CHECK(moved("thorax", "lumbar_flexion", above).x() > 0);
  CHECK(moved("head", "neck_side_bend", above).y() > 0);
  CHECK(moved("head", "neck_twist", front).y() > 0);
  CHECK(moved("left_shank", "left_knee_flexion", below).x() < 0);
  for (const std::string side : {"left", "right"}) {
    const double out = side == "left" ? 1 : -1;
    const auto part = [&side, &moved](const char* link, const char* joint, const Vector3d& point) {
      return moved((side + link).c_str(), (side + joint).c_str(), point);
    };
    CHECK(part("_upper_arm", "_shoulder_flexion", below).x() > 0);
    CHECK(out * part("_upper_arm", "_shoulder_abduction", below).y() > 0);
    CHECK(out * part("_upper_arm", "_shoulder_rotation", front).y() < 0);
    CHECK(part("_forearm", "_elbow_flexion", below).x() > 0);
    CHECK(part("_hand", "_wrist_deviation", below).x() > 0);
    CHECK(out * part("_hand", "_wrist_flexion", below).y() < 0);
    CHECK(out * part("_forearm", "_forearm_pronation", front).y() < 0);
    CHECK(part("_thigh", "_hip_flexion", below).x() > 0);
    CHECK(out * part("_thigh", "_hip_abduction", below).y() > 0);
    CHECK(out * part("_thigh", "_hip_rotation", front).y() < 0);
    CHECK(part("_foot", "_ankle_dorsiflexion", front).z() > 0);
    CHECK(out * part("_foot", "_ankle_inversion", below).y() < 0);
  }
}
