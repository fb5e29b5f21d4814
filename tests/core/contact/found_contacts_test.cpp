#include "lockstep/contact/found_contacts.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <limits>

using namespace lockstep;
using namespace lockstep::contact;

namespace {

using Found = FoundContacts<double, Plane<double>, 12>;

// A box and a ball of one size, side by side on the floor.
constexpr std::array<Collider<double>, 2> kColliders = {
    {{.body = 0, .X_BS = identity<double>(), .shape = box(Vec3<double>{1, 1, 1})},
     {.body = 1, .X_BS = identity<double>(), .shape = sphere(1.0)}}};
constexpr std::array<Placement<double>, 2> kPoses = {
    {{identity<double>().R, {0, 0, 1}}, {identity<double>().R, {5, 0, 1}}}};

Contact<double> between(int a, int b) {
  Contact<double> contact{};
  contact.a = a, contact.b = b, contact.normal = {0, 0, 1}, contact.distance = -1;
  return contact;
}

}  // namespace

TEST_GROUP(FoundContacts) { Found found{Scene<double>{.colliders = kColliders}}; };

TEST(FoundContacts, RowsAreNamedByTheirBodiesAndCounted) {
  const std::array<Contact<double>, 2> given = {between(1, kWorld), between(1, 0)};
  CHECK_TRUE(Status::kOk == found.check(2));
  CHECK_TRUE(Status::kOk == found.find(kPoses, 1e-3, given));
  LONGS_EQUAL(7, found.size());  // four corners, the ball, and what was handed in
  for (int corner = 0; corner < 4; ++corner) {
    CHECK_TRUE((RowKey{RowOf::kContact, 0, kWorld, 3 * corner}) == found.key(corner));
  }
  CHECK_TRUE((RowKey{RowOf::kContact, 1, kWorld, 0}) == found.key(4));
  CHECK_TRUE((RowKey{RowOf::kContact, 1, kWorld, 3}) == found.key(5));
  CHECK_TRUE((RowKey{RowOf::kContact, 1, 0, 0}) == found.key(6));
}

TEST(FoundContacts, TheDeepestStayAndTheRestIsCounted) {
  const std::array<Contact<double>, 1> given = {between(1, 0)};
  CHECK_TRUE(Status::kOk == found.find(kPoses, 1e-3, given, 2));
  LONGS_EQUAL(2, found.size());
  LONGS_EQUAL(4, found.dropped());
  DOUBLES_EQUAL(-1, found[1].distance, 0);
  FoundContacts<double, Plane<double>, 0> none;
  CHECK_TRUE(Status::kOk == none.find(kPoses, 1e-3, given));
  LONGS_EQUAL(1, none.dropped());
}

TEST(FoundContacts, BadBodiesAndScenesAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_TRUE(Status::kNotFinite == found.find(kPoses, nan));
  for (const Contact<double>& bad : {between(2, 0), between(0, -2)}) {
    CHECK_TRUE(Status::kBadFrame == found.find(kPoses, 1e-3, {&bad, 1}));
  }
  CHECK_TRUE(Status::kOk != found.assign({.colliders = kColliders}, 1));
  CHECK_TRUE(Status::kOk == found.assign({.colliders = std::span(kColliders).first(1)}, 1));
  FoundContacts<double, Plane<double>, 0> none;
  CHECK_TRUE(Status::kTooManyRows == none.assign({.colliders = kColliders}, 2));
  CHECK_TRUE(Status::kOk == none.check(2));  // and has none, as before
}
