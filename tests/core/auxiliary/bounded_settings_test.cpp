#include "lockstep/auxiliary/bounded_settings.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>

using namespace lockstep;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_GROUP(BoundedSettings){};

TEST(BoundedSettings, MustHaveAMeaning) {
  using S = BoundedSettings<double>;
  CHECK(Status::kOk == S{.dt = 1e-3}.check());
  const auto newton = [](const NewtonOptions<double>& own) {
    return S{.dt = 1e-3, .newton = own}.check();
  };
  CHECK(Status::kBadConstraint == newton({.iterations = 0}));
  CHECK(Status::kBadConstraint == newton({.rounds = -1}));
  for (const double bad : {-1.0, kNan, kInfinity}) {
    CHECK(Status::kBadConstraint == newton({.softness = bad}));
    CHECK(Status::kBadConstraint == newton({.settling = bad}));
    CHECK(Status::kBadTolerance == newton({.tolerance = bad}));
    CHECK((Status::kBadConstraint == S{.dt = 1e-3, .reach = bad}.check()));
    CHECK((Status::kBadConstraint == S{.dt = 1e-3, .contact = {.slop = bad}}.check()));
  }
  CHECK((Status::kBadConstraint == S{.dt = 1e-3, .most_contacts = -1}.check()));
  for (const double dt : {0.0, kNan, kInfinity}) CHECK(Status::kBadTimeStep == S{.dt = dt}.check());
}

TEST(BoundedSettings, ContactsActAsTheirRowsHaveRoomOrAsWasAskedFor) {
  LONGS_EQUAL(4, (BoundedSettings<double>{.dt = 1e-3}.contacts_within(14)));
  LONGS_EQUAL(2, (BoundedSettings<double>{.dt = 1e-3, .most_contacts = 2}.contacts_within(14)));
}
