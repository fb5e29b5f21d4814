// A valid robot, damaged thousands of times: every text gives a Description or an Error.

#include <cmath>

#include "hosttools/urdf/arm.hpp"
#include "support/random.hpp"
#include "text/error.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;
using lockstep::test::kArm;
using lockstep::test::Random;

namespace {

constexpr std::string_view kPoison[] = {"%s%s%s%n",
                                        "nan",
                                        "1e400",
                                        "-",
                                        "1,5",
                                        "<",
                                        ">",
                                        "\"",
                                        "'",
                                        "</",
                                        "/>",
                                        "<!--",
                                        "-->",
                                        "<![CDATA[",
                                        "]]>",
                                        "<?",
                                        "<!DOCTYPE x>",
                                        "&lt;",
                                        "&#0;",
                                        "&#x110000;",
                                        "&#99999999999999999999;",
                                        "&",
                                        "\xFF",
                                        "\xC3\xA9",
                                        "\x01",
                                        "<link name=\"fore\"/>",
                                        "<joint/>",
                                        "<inertial/>",
                                        "0 0 0",
                                        " ",
                                        "\n",
                                        "1e308",
                                        "1e-308",
                                        "-1e308",
                                        "${x}",
                                        "robot",
                                        "link",
                                        "xyz=\"\"",
                                        "<a><a><a><a>",
                                        "\xEF\xBB\xBF"};

void mutate(std::string& text, Random& random) {
  const auto place = [&] {
    return static_cast<std::size_t>(random.below(static_cast<int>(text.size()) + 1));
  };
  const std::size_t at = place();
  const std::size_t length = static_cast<std::size_t>(random.below(12));
  switch (random.below(6)) {
    case 0: text.erase(at, length); break;
    case 1: text.insert(at, kPoison[random.below(std::size(kPoison))]); break;
    case 2:
      text.replace(at, std::min(length, text.size() - at),
                   kPoison[random.below(std::size(kPoison))]);
      break;
    case 3: text.insert(place(), text.substr(at, 10 * length)); break;
    case 4: text.resize(at == 0 ? text.size() : std::max(at, text.size() - length)); break;
    default:
      if (at < text.size()) text[at] = static_cast<char>(random.below(256));
  }
}

// Replaces the value of a random attribute.
void poison_value(std::string& text, Random& random) {
  std::vector<std::size_t> starts;
  for (std::size_t at = text.find("=\""); at != std::string::npos; at = text.find("=\"", at + 2)) {
    starts.push_back(at + 2);
  }
  if (starts.empty()) return;
  const std::size_t begin =
      starts[static_cast<std::size_t>(random.below(static_cast<int>(starts.size())))];
  const std::size_t end = text.find('"', begin);
  if (end == std::string::npos) return;
  text.replace(begin, end - begin, kPoison[random.below(std::size(kPoison))]);
}

bool is_finite(const Description& d) {
  for (const LinkDescription& link : d.links) {
    if (!std::isfinite(link.mass) || !link.com.allFinite() || !link.inertia.allFinite())
      return false;
    if (link.mass < 0 || link.name.empty()) return false;
  }
  for (const JointDescription& joint : d.joints) {
    if (!joint.R_PJ.allFinite() || !joint.p_PJ.allFinite()) return false;
    if (std::fabs(joint.axis.norm() - 1) > 1e-12) return false;
  }
  return true;
}

}  // namespace

TEST_GROUP(Hostile){};

TEST(Hostile, DamagedFilesGiveARobotOrAnError) {
  Random random(20240607);
  int robots = 0, errors = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string text(kArm);
    const int damages = 1 + random.below(3);
    for (int k = 0; k < damages; ++k)
      random.below(2) ? mutate(text, random) : poison_value(text, random);
    std::vector<Finding> warnings;
    try {
      const Description d = read_urdf_text(text, "fuzz.urdf", {}, warnings);
      CHECK_TRUE_TEXT(is_finite(d), text.c_str());
      ++robots;
    } catch (const Error& error) {
      CHECK_TRUE(std::string_view(error.what()).starts_with("fuzz.urdf"));
      CHECK_TRUE(std::string_view(error.what()).find('\n') == std::string_view::npos);
      ++errors;
    }
  }
  CHECK_TRUE(robots > 100 && errors > 1000);
}

TEST(Hostile, ManyUnknownNamesAreRefusedInBoundedTime) {
  std::string text = "<robot name='r'>";
  for (int i = 0; i < 400; ++i) text += "<link name='link_number_" + std::to_string(i) + "'/>";
  for (int i = 0; i < 20'000; ++i) {
    text += "<joint name='j" + std::to_string(i) + "' type='fixed'><parent link='link_numbre_" +
            std::to_string(i) + "'/><child link='x'/></joint>";
  }
  const auto findings = lockstep::test::findings_of(text + "</robot>");
  CHECK_EQUAL(1000u, findings.size());
}

TEST(Hostile, EveryNamedAttackOnUrdfdomIsRefused) {
  const std::pair<std::string_view, std::string_view> attacks[] = {
      {"value=\"2\"", "value=\"%s%s%s%s%n\""}, {"0 0 0.3", "%s %s %n"},
      {"lower=\"-1.5\"", "lower=\"%n\""},      {"value=\"2\"", "value=\"1.5kg\""},
      {"value=\"2\"", "value=\"1,5\""},        {"value=\"2\"", "value=\"nan\""},
      {"value=\"2\"", "value=\"1e400\""}};
  for (const auto& [from, to] : attacks) {
    std::vector<Finding> warnings;
    CHECK_THROWS(Error, read_urdf_text(lockstep::test::arm_with(from, to), "a.urdf", {}, warnings));
  }
}
