#include "lockstep/constraint/records.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using namespace lockstep::constraint;

namespace {

struct Nothing {
  using Scalar = double;
};
struct Three {
  using Scalar = double;
  double a, b, c;
};
struct Narrow {
  using Scalar = float;
  float a, b;
};
using List = TypeList<Nothing, Three, Narrow>;

// What visit_type calls f with; -1: nothing.
int visited(int index) {
  int numbers = -1;
  const bool found = visit_type(
      List{}, index, [&]<class Type>() { numbers = numbers == -1 ? number_count<Type>() : 99; });
  CHECK_EQUAL(numbers != -1, found);
  return numbers;
}

}  // namespace

TEST_GROUP(Records){};

TEST(Records, AnIndexNamesOneTypeOfTheList) {
  LONGS_EQUAL(0, visited(0));
  LONGS_EQUAL(3, visited(1));
  LONGS_EQUAL(2, visited(2));
  for (const int none : {-1, 3, 100}) LONGS_EQUAL(-1, visited(none));
  LONGS_EQUAL(3, List::kSize);
  LONGS_EQUAL(0, (number_count<TypeAt<List, 0>>()));
  LONGS_EQUAL(3, (number_count<TypeAt<List, 1>>()));
  LONGS_EQUAL(2, (number_count<TypeAt<List, 2>>()));
}

TEST(Records, TheLargestOfAListIsNotBelowNothing) {
  const auto count = []<class Type>() { return number_count<Type>(); };
  const auto below_nothing = []<class Type>() { return -number_count<Type>() - 1; };
  LONGS_EQUAL(3, (largest_of(List{}, count)));
  LONGS_EQUAL(0, (largest_of(List{}, below_nothing)));
  LONGS_EQUAL(0, (largest_of(TypeList<>{}, count)));
}

// In the order of the members, and not a number beyond them.
TEST(Records, ATypeIsItsNumbers) {
  const std::array<double, 4> numbers = {1, 2, 3, 4};
  const Three three = load<Three>(numbers.data());
  CHECK(three.a == 1 && three.b == 2 && three.c == 3);
  std::array<double, 4> back = {9, 9, 9, 9};
  store(three, back.data());
  CHECK(back == (std::array<double, 4>{1, 2, 3, 9}));
  CHECK((to_numbers<4>(three)) == (std::array<double, 4>{1, 2, 3, 0}));
  const Narrow narrow = from_numbers<Narrow>(numbers);
  CHECK(narrow.a == 1.0f && narrow.b == 2.0f);
  const Three read = from_numbers<Three>(numbers);
  CHECK(read.a == 1 && read.b == 2 && read.c == 3);
  store(Nothing{}, back.data());
  CHECK(back[0] == 1);
}

// What files that leave something out mean, and what hashes have covered.
TEST(Records, AnEmptyRecordIsARigidRowOfTheWorld) {
  const ConstraintRecord record;
  LONGS_EQUAL(0, record.type);
  LONGS_EQUAL(kWorld, record.a);
  LONGS_EQUAL(kWorld, record.b);
  LONGS_EQUAL(32, record.numbers.size());
  for (const double number : record.numbers) CHECK(number == 0);
  CHECK(!record.joins && record.turn_parts == 0 && record.standing == Standing::kOrdered);
  CHECK(record.stiffness == 0 && record.damping == 0 && record.armature == 0);
}
