#include "mechanism/read.hpp"

#include <Eigen/Geometry>
#include <set>

#include "hosttools/mechanism/texts.hpp"
#include "mechanism/build.hpp"
#include "mechanism/state.hpp"
#include "mechanism/words.hpp"
#include "support/random.hpp"
#include "support/scratch_folder.hpp"
#include "support/tolerance.hpp"
#include "text/error.hpp"

using namespace lockstep;
using namespace lockstep::host;
using test::door_with;
using test::kDoor;
using test::mechanism_of;

namespace {

std::string body(const std::string& name, const std::string& type, const std::string& more) {
  return "<body name=\"" + name + "\" type=\"" + type +
         "\"><mass value=\"2\"/><inertia ixx=\"0.2\" iyy=\"0.2\" izz=\"0.2\"/>" + more + "</body>";
}

std::string mechanism(const std::string& inside) {
  return "<mechanism name=\"m\">" + inside + "</mechanism>";
}

struct Said {
  std::string_view attributes, a, b, inside;  // of the constraint, in <a ...>, in <b ...>
};

// What a type is told besides its frames, so that it holds between two bodies one apart along z.
Said parameters(const std::string_view name) {
  if (name == "point_on_plane") return {"", "><origin xyz=\"0 0 1\"/>", ">", ""};
  if (name == "point_on_cylinder") return {" radius=\"1\"", ">", ">", "<axis xyz=\"1 0 0\"/>"};
  if (name == "point_on_ellipsoid") return {" semi_axes=\"3 2 1\"", ">", ">", ""};
  if (name == "ellipsoid_tangency") {
    return {"", " semi_axes=\"1 2 0.6\">", " semi_axes=\"1 2 0.4\">", ""};
  }
  if (name == "gear") return {" ratio=\"-2\"", ">", ">", ""};
  if (name == "rolling_ball") return {" radius=\"1\"", ">", ">", ""};
  if (name == "rolling_disc") {
    return {" radius=\"1\"", ">", "><origin rpy=\"1.5707963267948966 0 0\"/>", ""};
  }
  if (name == "driven_distance") {
    return {"", ">", ">", "<motion start=\"0.5\" amplitude=\"0.5\" phase=\"1.5707963267948966\"/>"};
  }
  if (name.starts_with("driven")) {
    return {"", ">", ">", "<at xyz=\"0.3 0.2 0\"/><motion start=\"0.3\" amplitude=\"2\"/>"};
  }
  if (name == "distance" || name == "point_on_line") return {"", ">", ">", ""};
  return {"", ">", ">", "<at xyz=\"0.3 0.2 0\"/>"};
}

std::string text_with(std::string_view type) {
  const bool flat = type.starts_with("flat") || type.ends_with("pin");
  const std::string of_body = flat ? "planar" : "rigid";
  const auto [attributes, a, b, inside] = parameters(type);
  std::string text = body("p", of_body, "");
  text += body("q", of_body, flat ? "<origin xyz=\"1 0 0\"/>" : "<origin xyz=\"0 0 1\"/>");
  text.append("<constraint name=\"c\" type=\"").append(type).append("\"").append(attributes);
  text.append("><a body=\"p\"").append(a).append("</a><b body=\"q\"").append(b).append("</b>");
  return mechanism(text.append(inside).append("</constraint>"));
}

void check_near(const Placement<double>& expected, const Placement<double>& X) {
  const auto near = [](const Vec3<double>& a, const Vec3<double>& b) {
    DOUBLES_EQUAL(a.x, b.x, 1e-15);
    DOUBLES_EQUAL(a.y, b.y, 1e-15);
    DOUBLES_EQUAL(a.z, b.z, 1e-15);
  };
  near(expected.R.x, X.R.x), near(expected.R.y, X.R.y), near(expected.R.z, X.R.z);
  near(expected.p, X.p);
}

struct Frames2 {
  Placement<double> A, B;
};
Frames2 frames(const Mechanism& m, std::size_t i) {
  Frames2 result;
  std::copy_n(m.constraints[i].numbers.begin(), 24, reinterpret_cast<double*>(&result));
  return result;
}

}  // namespace

TEST_GROUP(ReadMechanism){};

TEST(ReadMechanism, EveryTypeOfTheCatalogueCanBeSaid) {
  std::set<int> types;
  for (const ConstraintWords& words : kConstraintWords) {
    const Mechanism m = mechanism_of(text_with(words.name));
    types.insert(m.constraints[0].type);
    LONGS_EQUAL(static_cast<int>(words.type), m.constraints[0].type);
    visit_constraint(m.constraints[0],
                     [&](const auto& c) { CHECK_TRUE(c.check() == Status::kOk); });
    const ConstraintState state = evaluate(m, Offsets(m), 0);
    CHECK_AT_MOST(1e-15, state.value.cwiseAbs().maxCoeff(), words.name.data());
  }
  // terms of couplings are said with <term>, a strut is a distance that yields
  LONGS_EQUAL(HostTypes::Constraints::kSize, types.size() + 3);
}

TEST(ReadMechanism, EveryBodyTypeHasItsNumbers) {
  const Mechanism m = mechanism_of(mechanism(
      "<gravity xyz=\"1 2 3\"/>"
      "<body name=\"a\" type=\"particle\"><mass value=\"2\"/><origin xyz=\"1 2 3\"/>"
      "<velocity linear=\"4 5 6\"/><force xyz=\"7 8 9\"/></body>" +
      body("b", "planar",
           "<origin xyz=\"1 2 0\" rpy=\"0 0 0.5\"/><velocity linear=\"3 4 0\" angular=\"0 0 5\"/>"
           "<force xyz=\"6 7 8\"/><moment xyz=\"0 0 9\"/>") +
      body("c", "rigid",
           "<origin xyz=\"1 2 3\" rpy=\"0 0 3.141592653589793\"/>"
           "<velocity linear=\"4 5 6\" angular=\"7 8 9\"/><force xyz=\"1 2 3\"/>") +
      body("d", "scaling", "<scale value=\"1.5\"/><velocity scale=\"0.1\"/>") +
      body("e", "stretching", "<scale xyz=\"1 2 3\"/><velocity scale=\"4 5 6\"/>")));
  const std::vector<double> x = {1, 2, 3, 1, 2,   0.5, 1, 2, 3, 0, 0, 1, 0, 0, 0, 0,
                                 0, 0, 0, 1, 1.5, 0,   0, 0, 0, 0, 0, 1, 1, 2, 3};
  const std::vector<double> v = {4, 5, 6, 3, 4,   5, 4, 5, 6, 7, 8, 9, 0, 0,
                                 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 0, 0, 4, 5, 6};
  const std::vector<double> f = {7, 8, 9, 6, 7, 9, 1, 2, 3, 0, 0, 0, 0, 0,
                                 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  CHECK_TRUE(x == m.x0);
  CHECK_TRUE(v == m.v0);
  CHECK_TRUE(f == m.forces);
  CHECK_TRUE((std::array<double, 3>{1, 2, 3}) == m.gravity);
  CHECK_TRUE((std::array<double, 7>{2, 0.2}) == m.bodies[1].numbers);
  CHECK_TRUE((std::array<double, 7>{2, 0.2, 0, 0, 0.2, 0, 0.2}) == m.bodies[2].numbers);
}

TEST(ReadMechanism, PlaceGivenOnceGivesBothFrames) {
  const std::string at = "<at xyz=\"0 0 0\"/>";
  const double s = std::sin(0.5), c = std::cos(0.5);
  // the leaf is 0.4 along x and turned by half a radian
  const Frames2 expected = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}},
                            {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}, {-0.4 * c, 0.4 * s, 0}}};
  for (const std::string& text :
       {std::string(kDoor), door_with("<a/>\n    <b body=\"leaf\"/>\n    " + at,
                                      "<a><origin/></a><b body=\"leaf\"/>")}) {
    const Frames2 X = frames(mechanism_of(text), 0);
    check_near(expected.A, X.A);
    check_near(expected.B, X.B);
  }
  const Frames2 from_b =
      frames(mechanism_of(
                 door_with("<a/>\n    <b body=\"leaf\"/>\n    " + at,
                           "<a/><b body=\"leaf\"><origin xyz=\"-0.4 0 0\" rpy=\"0 0 -0.5\"/></b>")),
             0);
  check_near({expected.A.R, {0.4 - 0.4 * c, -0.4 * s, 0}}, from_b.A);
}

TEST(ReadMechanism, FrameOnAGrownBodyIsInItsUnscaledAxes) {
  const Mechanism m = mechanism_of(mechanism(
      body("b", "stretching", "<scale xyz=\"2 4 8\"/>") +
      "<constraint name=\"c\" type=\"ball\"><a/><b body=\"b\"/><at xyz=\"1 1 1\"/></constraint>"));
  check_near({{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0.5, 0.25, 0.125}}, frames(m, 0).B);
}

TEST(ReadMechanism, AxisIsTurnedOntoTheTypesOwn) {
  const auto axis = [](const std::string& type, const std::string& of_body) {
    return frames(mechanism_of(
                      mechanism(body("b", of_body, "") + "<constraint name=\"c\" type=\"" + type +
                                "\"><a/><b body=\"b\"/><at/><axis xyz=\"0 3 0\"/></constraint>")),
                  0)
        .A.R;
  };
  DOUBLES_EQUAL(1, axis("revolute", "rigid").z.y, 0);
  DOUBLES_EQUAL(1, axis("flat_slider", "planar").x.y, 0);
  DOUBLES_EQUAL(1, axis("flat_slider", "planar").z.z, 0);
}

// What the doctor calls unused has no effect, along any axis.
TEST(ReadMechanism, UnusedAxisTurnsNothing) {
  for (const char* axis : {"0 0 1", "1 0 0", "0 3 4"}) {
    const auto examined = examine_mechanism_text(
        door_with("<at xyz=\"0.8 0 0\"/>",
                  "<at xyz=\"0.8 0 0\"/><axis xyz=\"" + std::string(axis) + "\"/>"),
        {});
    LONGS_EQUAL(1, examined.findings.size());
    STRCMP_EQUAL("unused", examined.findings[0].rule.c_str());
    CHECK(mechanism_of(std::string(kDoor)).constraints == examined.mechanism.constraints);
  }
}

TEST(ReadMechanism, LengthLeftOutIsTheInitialDistance) {
  const Mechanism m = mechanism_of(
      mechanism(body("p", "rigid", "<origin xyz=\"3 4 0\"/>") +
                "<constraint name=\"c\" type=\"distance\"><a/><b body=\"p\"/></constraint>"));
  DOUBLES_EQUAL(5, m.constraints[0].numbers[24], 0);
}

TEST(ReadMechanism, QuaternionIsTheRotations) {
  test::Random random(3);
  for (int i = 0; i < 50; ++i) {
    const Eigen::Quaterniond q = random.rotation();
    const Eigen::Matrix3d R = q.toRotationMatrix();
    const auto result = to_quaternion(
        {{R(0, 0), R(1, 0), R(2, 0)}, {R(0, 1), R(1, 1), R(2, 1)}, {R(0, 2), R(1, 2), R(2, 2)}});
    const Eigen::Vector4d x(result.data());
    DOUBLES_EQUAL(1, std::fabs(x.dot(q.coeffs())), 1e-15);
  }
}

TEST(ReadMechanism, FilesAreToldApartByTheirOutermostElement) {
  test::ScratchFolder folder;
  CHECK_TRUE(is_mechanism(folder.write("a", "<!-- <robot> -->\n<mechanism name=\"a\"/>"), {}));
  CHECK_FALSE(is_mechanism(folder.write("b", "<?xml version=\"1.0\"?><robot name=\"a\"/>"), {}));
  CHECK_FALSE(is_mechanism(folder.write("c", "<!-- <mechanism"), {}));
  CHECK_FALSE(is_mechanism(folder.path("none"), {}));
}

TEST(ReadMechanism, ErrorNamesFileLineAndRemedy) {
  test::ScratchFolder folder;
  const std::string file = folder.write("door.xml", door_with("\"revolute\"", "\"revolut\""));
  std::vector<Finding> warnings;
  try {
    read_mechanism(file, {}, warnings);
    FAIL("read");
  } catch (const Error& error) {
    STRCMP_EQUAL(
        (file + ":13: constraint 'hinge': unknown type 'revolut'; did you mean 'revolute'? "
                "[constraint-type]")
            .c_str(),
        error.what());
  }
}
