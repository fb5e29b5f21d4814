// Emitted mechanisms are a product: here they are compiled, and hold what the tool read.
#include "mechanism/emit.hpp"

#include <algorithm>

#include "differential.hpp"
#include "falling_chain.hpp"
#include "gear_pair.hpp"
#include "hosttools/mechanism/texts.hpp"
#include "mechanism/content_hash.hpp"
#include "mechanism/parts.hpp"
#include "planar_crank.hpp"
#include "scaling_body.hpp"

using namespace lockstep;

namespace {

template <class Model>
void check_same(const host::Mechanism& m) {
  CHECK_TRUE(Model::kName == m.name);
  CHECK_TRUE(Model::kHash == host::content_hash(m));
  CHECK_TRUE(std::ranges::equal(Model::kBodies, m.bodies));
  CHECK_TRUE(std::ranges::equal(Model::kBodyNames, m.body_names));
  CHECK_TRUE(std::ranges::equal(Model::kConstraints, m.constraints));
  CHECK_TRUE(std::ranges::equal(Model::kConstraintNames, m.constraint_names));
  CHECK_TRUE(std::ranges::equal(Model::kInitialPoses, m.x0));
  CHECK_TRUE(std::ranges::equal(Model::kInitialVelocities, m.v0));
  CHECK_TRUE(std::ranges::equal(Model::kForces, m.forces));
  CHECK_TRUE(std::ranges::equal(Model::kGravity, m.gravity));
  const host::Split parts = host::split(m);
  CHECK_TRUE(std::ranges::equal(Model::kPartOfConstraint, parts.part_of));
  CHECK_TRUE(std::ranges::equal(Model::kColourOfPart, parts.colour_of));
  CHECK_TRUE((std::is_same_v<typename Model::template Types<float>::Scalar, float>));
}

}  // namespace

TEST_GROUP(EmitMechanism){};

TEST(EmitMechanism, HeaderHoldsEveryBit) {
  check_same<gear_pair>(test::model("gear_pair"));
  check_same<differential>(test::model("differential"));
  check_same<planar_crank>(test::model("planar_crank"));
  check_same<scaling_body>(test::model("scaling_body"));  // without a constraint
}

TEST(EmitMechanism, HeaderHoldsWhatTouches) {
  const host::Mechanism m = test::model("falling_chain");
  check_same<falling_chain>(m);
  CHECK_TRUE(std::ranges::equal(falling_chain::kColliders, m.colliders));
  CHECK_TRUE(std::ranges::equal(falling_chain::kColliderPairs, m.collider_pairs));
  CHECK_TRUE(falling_chain::kGround == m.ground);
  LONGS_EQUAL(0, falling_chain::kJointBounds.size());
  using Contacts = maximal::ModelContacts<falling_chain, float>;
  LONGS_EQUAL(5 * 2 + 6 * 2, Contacts::kMostContacts);
  DOUBLES_EQUAL(0.25, static_cast<double>(Contacts::kColliders[4].shape.half.z), 0);
}

TEST(EmitMechanism, LinesFitAndNothingDependsOnThePath) {
  const std::string text =
      host::emit_mechanism(test::model("planar_crank"), {"crank", "crank.xml"});
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    CHECK_TRUE(end - begin <= 100);
    begin = end + 1;
  }
  STRCMP_CONTAINS("struct crank {", text.c_str());
}

TEST(EmitMechanism, EveryNumberCountsInTheHash) {
  const host::Mechanism before = test::model("gear_pair");
  const auto changed = [&](auto change) {
    host::Mechanism m = before;
    change(m);
    return host::content_hash(m) != host::content_hash(before);
  };
  CHECK_TRUE(changed([](host::Mechanism& m) { m.name += "x"; }));
  CHECK_TRUE(changed([](host::Mechanism& m) { m.bodies[1].numbers[6] += 1; }));
  CHECK_TRUE(changed([](host::Mechanism& m) { m.bodies[1].type += 1; }));
  CHECK_TRUE(changed([](host::Mechanism& m) { m.constraints[2].numbers[25] += 1; }));
  CHECK_TRUE(changed([](host::Mechanism& m) { m.constraints[2].a = kWorld; }));
  CHECK_TRUE(changed([](host::Mechanism& m) { m.x0[3] += 1; }));
  CHECK_TRUE(changed([](host::Mechanism& m) { m.v0[3] += 1; }));
  CHECK_TRUE(changed([](host::Mechanism& m) { m.forces[3] += 1; }));
  CHECK_TRUE(changed([](host::Mechanism& m) { m.gravity[2] += 1; }));
}
