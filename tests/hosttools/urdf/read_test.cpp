#include "urdf/read.hpp"

#include <pthread.h>

#include <clocale>
#include <filesystem>
#include <functional>
#include <locale>

#include "hosttools/urdf/arm.hpp"
#include "text/error.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;
using lockstep::test::arm_with;
using lockstep::test::kArm;
using lockstep::test::read;

namespace {

std::string error_of(const std::string& text, const ReadOptions& options = {}) {
  std::vector<Finding> warnings;
  try {
    read_urdf_text(text, "arm.urdf", options, warnings);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void check_arm_numbers(const Description& arm) {
  CHECK_TRUE(arm.links[1].mass == 2);
  CHECK_TRUE(arm.links[1].com == Eigen::Vector3d(0, 0, 0.1));
  CHECK_TRUE(arm.links[1].inertia.diagonal() == Eigen::Vector3d(0.02, 0.025, 0.01));
  CHECK_TRUE(arm.joints[0].p_PJ == Eigen::Vector3d(0, 0, 0.3));
  CHECK_TRUE(arm.joints[0].limits->lower == -1.5);
  CHECK_TRUE(arm.joints[0].damping == 0.1);
  CHECK_TRUE(arm.joints[0].armature == 0 && arm.joints[0].stiffness == 0);
  CHECK_TRUE(arm.joints[1].mimic->multiplier == 0.5);
}

// Commas for points and points between thousands, as in much of Europe.
struct CommaPunctuation : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

class ScopedLocale {
 public:
  explicit ScopedLocale(const std::locale& locale) : before_(std::locale::global(locale)) {}
  ~ScopedLocale() { std::locale::global(before_); }
  ScopedLocale(const ScopedLocale&) = delete;
  ScopedLocale& operator=(const ScopedLocale&) = delete;

 private:
  std::locale before_;
};

// Runs in a thread with one megabyte of stack: what recurses per link crashes.
void on_small_stack(const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{1} << 20);
  const auto run = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  auto copy = work;
  CHECK_EQUAL(0, pthread_create(&thread, &attributes, run, &copy));
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace

TEST_GROUP(Read){};

TEST(Read, EverythingInTheFileIsInTheDescription) {
  const Description arm = read(std::string(kArm));
  STRCMP_EQUAL("arm.urdf", arm.file.c_str());
  STRCMP_EQUAL("arm", arm.name.c_str());
  CHECK_EQUAL(3u, arm.links.size());
  CHECK_EQUAL(2u, arm.joints.size());
  check_arm_numbers(arm);
  STRCMP_EQUAL("base", arm.links[0].name.c_str());
  CHECK_TRUE(arm.links[0].mass == 0 && arm.links[0].inertia.isZero(0));
  CHECK_EQUAL(3, arm.links[1].line);

  const JointDescription& shoulder = arm.joints[0];
  STRCMP_EQUAL("shoulder", shoulder.name.c_str());
  STRCMP_EQUAL("base", shoulder.parent_link.c_str());
  STRCMP_EQUAL("upper", shoulder.child_link.c_str());
  CHECK_TRUE(shoulder.type == UrdfJoint::kRevolute);
  CHECK_TRUE(shoulder.R_PJ == Eigen::Matrix3d::Identity());
  CHECK_TRUE(shoulder.axis == Eigen::Vector3d::UnitY());
  CHECK_TRUE(shoulder.friction == 0.2);
  CHECK_TRUE(shoulder.limits->upper == 1.25);
  CHECK_TRUE(shoulder.limits->effort == 10);
  CHECK_TRUE(shoulder.limits->velocity == 2);
  CHECK_FALSE(shoulder.mimic.has_value());
  CHECK_EQUAL(10, shoulder.line);

  const JointDescription& elbow = arm.joints[1];
  CHECK_TRUE(elbow.type == UrdfJoint::kContinuous);
  CHECK_TRUE(elbow.axis == Eigen::Vector3d::UnitX());
  CHECK_FALSE(elbow.limits.has_value());
  STRCMP_EQUAL("shoulder", elbow.mimic->joint.c_str());
  CHECK_TRUE(elbow.mimic->offset == 0.1);
}

TEST(Read, LinksAndJointsKeepTheOrderOfTheFile) {
  const Description d = read(
      "<robot name='r'><joint name='z' type='fixed'><parent link='m'/><child link='b'/></joint>"
      "<link name='m'/><joint name='a' type='floating'><parent link='m'/><child link='a'/></joint>"
      "<link name='b'/><link name='a'/></robot>");
  STRCMP_EQUAL("m", d.links[0].name.c_str());
  STRCMP_EQUAL("b", d.links[1].name.c_str());
  STRCMP_EQUAL("a", d.links[2].name.c_str());
  STRCMP_EQUAL("z", d.joints[0].name.c_str());
  STRCMP_EQUAL("a", d.joints[1].name.c_str());
}

TEST(Read, EveryJointTypeIsKnown) {
  const std::pair<const char*, UrdfJoint> types[] = {{"fixed", UrdfJoint::kFixed},
                                                     {"revolute", UrdfJoint::kRevolute},
                                                     {"continuous", UrdfJoint::kContinuous},
                                                     {"prismatic", UrdfJoint::kPrismatic},
                                                     {"planar", UrdfJoint::kPlanar},
                                                     {"floating", UrdfJoint::kFloating},
                                                     {"ball", UrdfJoint::kBall},
                                                     {"spherical", UrdfJoint::kBall}};
  for (const auto& [name, type] : types) {
    const std::string text =
        std::string("<robot name='r'><link name='a'/><link name='b'/>") + "<joint name='j' type='" +
        name + "'><parent link='a'/><child link='b'/><axis xyz='0 0 -3'/></joint></robot>";
    const Description d = read(text);
    CHECK_TRUE_TEXT(d.joints[0].type == type, name);
    const bool turns =
        type != UrdfJoint::kFixed && type != UrdfJoint::kFloating && type != UrdfJoint::kBall;
    CHECK_TRUE_TEXT(!turns || d.joints[0].axis == Eigen::Vector3d(0, 0, -1), name);
    CHECK_FALSE_TEXT(d.joints[0].limits.has_value(), name);
  }
}

TEST(Read, ForestsKeepTheirRoots) {
  const Description d = read(
      "<robot name='r'><link name='world'/><link name='world_a'/><link name='a'/><link name='b'/>"
      "<joint name='world_world' type='ball'><parent link='a'/><child link='b'/></joint></robot>");
  CHECK_EQUAL(4u, d.links.size());
  CHECK_EQUAL(1u, d.joints.size());
  STRCMP_EQUAL("a", d.joints[0].parent_link.c_str());
}

TEST(Read, InertialRotationTurnsTheInertia) {
  const Description d = read(arm_with("rpy=\"0 0 0\"", "rpy=\"0 0 1.5707963267948966\""));
  CHECK_TRUE(d.links[1].inertia.diagonal() == Eigen::Vector3d(0.025, 0.02, 0.01));
  CHECK_TRUE(d.links[1].inertia(0, 1) == 0);
}

TEST(Read, JointRotationIsExactForQuarterTurns) {
  const Description d = read(
      arm_with("xyz=\"0 0 0.3\" rpy=\"0 0 0\"", "xyz=\"0 0 0.3\" rpy=\"1.5707963267948966 0 0\""));
  Eigen::Matrix3d expected;
  expected << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  CHECK_TRUE(d.joints[0].R_PJ == expected);
}

TEST(Read, LimitsFollowTheUrdfSpecification) {
  const Description one_end = read(arm_with("lower=\"-1.5\" ", ""));
  CHECK_TRUE(one_end.joints[0].limits->lower == 0);
  CHECK_TRUE(one_end.joints[0].limits->upper == 1.25);
  const Description no_end = read(arm_with("lower=\"-1.5\" upper=\"1.25\" ", ""));
  CHECK_FALSE(no_end.joints[0].limits->lower.has_value());
  CHECK_TRUE(no_end.joints[0].limits->effort == 10);
  const Description turning = read(arm_with("type=\"revolute\"", "type=\"continuous\""));
  CHECK_FALSE(turning.joints[0].limits->upper.has_value());
  CHECK_TRUE(turning.joints[0].limits->velocity == 2);
}

TEST(Read, MimicsOfFixedJointsAreDropped) {
  CHECK_FALSE(read(arm_with("type=\"revolute\"", "type=\"fixed\"")).joints[1].mimic.has_value());
  CHECK_FALSE(read(arm_with("type=\"continuous\"", "type=\"fixed\"")).joints[1].mimic.has_value());
}

TEST(Read, IgnoredMimicsCannotBeWrong) {
  const std::string text = arm_with("mimic joint=\"shoulder\"", "mimic joint=\"elbow\"");
  CHECK_TRUE(error_of(text).find("mimics itself") != std::string::npos);
  std::vector<Finding> warnings;
  const Description d =
      read_urdf_text(text, "arm.urdf", {.limits = {}, .ignore_mimic = true}, warnings);
  CHECK_FALSE(d.joints[1].mimic.has_value());
  CHECK_EQUAL(1u, warnings.size());
}

TEST(Read, NamesMayHoldAnyPrintableText) {
  std::string text(kArm);
  const std::string name = "upp&amp;er &lt;&quot;&apos;%s%n \xC3\xA9";
  for (std::size_t at = text.find("\"upper\""); at != std::string::npos;
       at = text.find("\"upper\"")) {
    text.replace(at + 1, 5, name);
  }
  const Description d = read(text);
  STRCMP_EQUAL("upp&er <\"'%s%n \xC3\xA9", d.links[1].name.c_str());
  STRCMP_EQUAL("upp&er <\"'%s%n \xC3\xA9", d.joints[0].child_link.c_str());
}

TEST(Read, FirstErrorIsThrownAndTheNumberOfErrorsTold) {
  std::string text = arm_with("rpy=\"0 0 0\"", "rpy=\"0 0 1e9\"");
  const std::string first = error_of(text);
  STRCMP_CONTAINS("arm.urdf:5: link 'upper': ", first.c_str());
  text.replace(text.find("0 1 0"), 5, "0 0 0");
  STRCMP_EQUAL((first + " (one of 2 errors; see: lockstep doctor arm.urdf)").c_str(),
               error_of(text).c_str());
}

TEST(Read, ErrorsAreOneLine) {
  const std::string error = error_of(arm_with("value=\"2\"", "value=\"1\n\n2\""));
  CHECK_TRUE(error.find("[not-a-number]") != std::string::npos);
  CHECK_TRUE(error.find('\n') == std::string::npos);
}

TEST(Read, WarningsAreCollectedAndNotesAreNot) {
  std::vector<Finding> warnings;
  read_urdf_text(arm_with("iyy=\"0.025\"", "iyy=\"0.05\""), "arm.urdf", {}, warnings);
  read_urdf_text(arm_with("0 1 0", "0 2 0"), "arm.urdf", {}, warnings);
  CHECK_EQUAL(1u, warnings.size());
  STRCMP_EQUAL("triangle-inequality", warnings[0].rule.c_str());
}

TEST(Read, NumbersDoNotFollowTheCppLocale) {
  const ScopedLocale comma(std::locale(std::locale::classic(), new CommaPunctuation));
  check_arm_numbers(read(std::string(kArm)));
  CHECK_TRUE(error_of(arm_with("value=\"2\"", "value=\"1,5\"")).find("[not-a-number]") !=
             std::string::npos);
}

TEST(Read, NumbersDoNotFollowTheCLocale) {
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "pt_BR.UTF-8"}) {
    if (!std::setlocale(LC_ALL, name)) continue;
    const Description arm = read(std::string(kArm));
    const std::string error = error_of(arm_with("value=\"2\"", "value=\"1,5\""));
    std::setlocale(LC_ALL, "C");
    check_arm_numbers(arm);
    CHECK_TRUE(error.find("[not-a-number]") != std::string::npos);
  }
}

// Links in the order of their names: then urdfdom frees the root, which owns the chain, last.
TEST(Read, LongChainsNeedNoMoreStackThanShortOnes) {
  constexpr int kFirst = 10'000, kLast = 45'000;
  std::string text = "<robot name='r'><link name='10000'/>";
  for (int i = kFirst + 1; i <= kLast; ++i) {
    const std::string here = std::to_string(i), above = std::to_string(i - 1);
    text += "<link name='" + here + "'/><joint name='" + here + "' type='fixed'><parent link='" +
            above + "'/><child link='" + here + "'/></joint>";
  }
  text += "</robot>";
  std::size_t links = 0;
  on_small_stack([&] { links = read(text).links.size(); });
  CHECK_EQUAL(static_cast<std::size_t>(kLast - kFirst + 1), links);
}

// Real robots: nothing to refuse, and every warning is one that was looked at and found fair.
TEST(Read, PublishedRobotsAreReadWithoutFalseAlarm) {
  namespace fs = std::filesystem;
  int robots = 0;
  for (const char* folder : {"robots", "urdfplus"}) {
    const fs::path path = fs::path(LOCKSTEP_CONFORMANCE_DIR) / folder;
    if (!fs::is_directory(path)) continue;
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().extension() != ".urdf") continue;
      std::vector<Finding> warnings;
      const Description d = read_urdf(entry.path(), {}, warnings);
      CHECK_TRUE(!d.joints.empty());
      for (const Finding& w : warnings) {
        CHECK_TRUE_TEXT(w.rule == "triangle-inequality" || w.rule == "massless-inertia" ||
                            w.rule == "missing-mesh",
                        format_labelled(d.file, w).c_str());
      }
      ++robots;
    }
  }
  if (robots > 0) CHECK_TRUE(robots >= 17);
}

TEST(Read, OwnModelsHaveNoFinding) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(LOCKSTEP_MODELS_DIR)) return;
  for (const auto& entry : fs::directory_iterator(LOCKSTEP_MODELS_DIR)) {
    if (entry.path().extension() != ".urdf") continue;
    for (const Finding& finding : examine(entry.path(), {}).findings) {
      FAIL(format_labelled(entry.path().string(), finding).c_str());
    }
  }
}
