#include "hosttools/mechanism/texts.hpp"

using namespace lockstep;

namespace {

std::string ball(const std::string& name, const std::string& type, int x) {
  const std::string inertia = type == "rigid" ? R"(<inertia ixx="1" iyy="1" izz="1"/>)" : "";
  return "<body name=\"" + name + "\" type=\"" + type + R"("><mass value="1"/>)" + inertia +
         "<origin xyz=\"" + std::to_string(x) +
         R"( 0 1"/><collision friction="0.5" restitution="0.25"><geometry>)"
         R"(<sphere radius="0.1"/></geometry></collision></body>)";
}

}  // namespace

TEST_GROUP(BuildContact){};

TEST(BuildContact, BodiesMeetUnlessTiedAndParticlesDoNot) {
  const host::Mechanism m = test::mechanism_of(
      R"(<mechanism name="m"><ground normal="0 0 2" offset="-1" friction="1"/>)" +
      ball("p", "particle", 0) + ball("q", "particle", 1) + ball("r", "rigid", 2) +
      ball("s", "rigid", 3) +
      R"(<constraint name="tie" type="ball"><a body="r"/><b body="p"/><at xyz="0 0 1"/>)"
      "</constraint></mechanism>");
  LONGS_EQUAL(4, m.colliders.size());
  const auto& pairs = m.collider_pairs;
  LONGS_EQUAL(4, pairs.size());  // q and r, p and s, q and s, r and s
  for (const contact::ColliderPair& pair : pairs) CHECK_TRUE(pair.b >= 2);
}
