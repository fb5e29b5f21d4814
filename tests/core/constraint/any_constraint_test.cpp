// Every type of the catalogue by its number, beside the type itself: the same bits.
#include "lockstep/constraint/any_constraint.hpp"

#include <CppUTest/TestHarness.h>

#include "support/random.hpp"

using namespace lockstep;
using namespace lockstep::constraint;

namespace {

Vec3<double> random_vector(test::Random& random) {
  const Eigen::Vector3d a = random.vector(1);
  return {a.x(), a.y(), a.z()};
}
Mat3<double> random_rotation(test::Random& random) {
  const Eigen::Matrix3d R = random.rotation().toRotationMatrix();
  return {{R(0, 0), R(1, 0), R(2, 0)}, {R(0, 1), R(1, 1), R(2, 1)}, {R(0, 2), R(1, 2), R(2, 2)}};
}
FrameMotion<double> random_frame(test::Random& random) {
  return {random_vector(random), random_rotation(random), random_vector(random),
          random_vector(random)};
}
bool equal(const Vec3<double>& a, const Vec3<double>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
bool equal(const Spatial<double>& a, const Spatial<double>& b) {
  return equal(a.linear, b.linear) && equal(a.angular, b.angular);
}

// Sizes are positive: each type's check is content.
ConstraintRecord random_record(int type, test::Random& random) {
  ConstraintRecord record{.type = type};
  for (double& number : record.numbers) number = random.uniform(0.5, 1.5);
  for (const int first : {0, 12}) {
    store(Placement<double>{random_rotation(random), random_vector(random)},
          record.numbers.data() + first);
  }
  return record;
}

template <class C>
void check_type(int type) {
  test::Random random(static_cast<std::uint64_t>(type) + 1);
  ConstraintRecord record = random_record(type, random);
  const C own = from_numbers<C>(record.numbers);
  const AnyConstraint<double> any(record);
  LONGS_EQUAL(type, any.type());
  LONGS_EQUAL(C::kDimension, any.dimension());
  CHECK(equal(any.X_A.p, own.X_A.p) && equal(any.X_A.R.x, own.X_A.R.x));
  CHECK(equal(any.X_B.p, own.X_B.p) && equal(any.X_B.R.z, own.X_B.R.z));
  CHECK(Status::kOk == any.check());

  const FrameMotion<double> A = random_frame(random), B = random_frame(random);
  const double time = random.uniform(0, 1);
  const auto rows = any.rows(A, B, time);
  const auto errors = any.errors(A, B, time);
  const auto own_rows = own.rows(A, B, time);
  const auto own_errors = own.errors(A, B, time);
  LONGS_EQUAL(C::kDimension, rows.size());
  LONGS_EQUAL(C::kDimension, errors.size());
  for (std::size_t i = 0; i < own_rows.value.size(); ++i) {
    CHECK(rows.value[i] == own_rows.value[i] && rows.bias[i] == own_rows.bias[i]);
    CHECK(equal(rows.a[i], own_rows.a[i]) && equal(rows.b[i], own_rows.b[i]));
    CHECK(rows.phi_t[i] == own_rows.phi_t[i]);
    CHECK(errors.value[i] == own_errors.value[i]);
    CHECK(errors.velocity_error[i] == own_errors.velocity_error[i]);
  }

  record.numbers.fill(-1);  // no frame is a frame, no size a size
  CHECK(Status::kBadConstraint == AnyConstraint<double>(record).check());
  record = random_record(type, random);
  for (std::size_t i = 24; i < record.numbers.size(); ++i) record.numbers[i] = -1;
  CHECK(from_numbers<C>(record.numbers).check() == AnyConstraint<double>(record).check());
}

constexpr int kTypes = 28;  // records and files count on the numbers that there are

}  // namespace

TEST_GROUP(AnyConstraint){};

TEST(AnyConstraint, IsTheTypeThatItsNumberNames) {
  [&]<class... C>(TypeList<C...>) {
    int type = 0;
    (check_type<C>(type++), ...);
    LONGS_EQUAL(kTypes, type);
  }(StandardConstraints<double>::Self{});
}

TEST(AnyConstraint, FramesThatAreNoneAreRefused) {
  test::Random random(1);
  for (const std::size_t first : {std::size_t{0}, std::size_t{12}}) {
    ConstraintRecord record = random_record(0, random);
    CHECK(Status::kOk == AnyConstraint<double>(record).check());
    record.numbers[first] += 0.1;
    CHECK(Status::kBadConstraint == AnyConstraint<double>(record).check());
  }
}

TEST(AnyConstraint, AnUnknownTypeHasNoRowsAndIsRefused) {
  test::Random random(2);
  const FrameMotion<double> A = random_frame(random), B = random_frame(random);
  for (const int type : {-1, kTypes}) {
    const AnyConstraint<double> any(random_record(type, random));
    LONGS_EQUAL(0, any.dimension());
    LONGS_EQUAL(0, any.rows(A, B, 0).size());
    LONGS_EQUAL(0, any.errors(A, B, 0).size());
    CHECK(Status::kBadConstraint == any.check());
  }
  const AnyConstraint<double> none = {};
  LONGS_EQUAL(-1, none.type());
  LONGS_EQUAL(0, none.dimension());
}
