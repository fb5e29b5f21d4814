#include "lockstep/status.hpp"

#include <CppUTest/TestHarness.h>

#include <set>
#include <string>
#include <vector>

using namespace lockstep;

namespace {

// Codes travel on the wire: those that there are, by their numbers.
std::vector<int> numbers() {
  std::vector<int> all = {0};
  for (const auto& [first, last] : {std::pair(1, 8), {20, 27}, {40, 43}, {60, 73}}) {
    for (int code = first; code <= last; ++code) all.push_back(code);
  }
  return all;
}

}  // namespace

TEST_GROUP(Status){};

TEST(Status, EachHasATextOfItsOwn) {
  std::set<std::string> texts = {to_string(static_cast<Status>(255))};
  CHECK(texts.contains("unknown status"));
  for (const int code : numbers()) texts.insert(to_string(static_cast<Status>(code)));
  LONGS_EQUAL(numbers().size() + 1, texts.size());
}

TEST(Status, AllOthersAreUnknown) {
  std::set<int> known;
  for (int code = 0; code < 256; ++code) {
    if (to_string(static_cast<Status>(code)) != std::string("unknown status")) known.insert(code);
  }
  const std::vector<int> all = numbers();
  CHECK(known == std::set<int>(all.begin(), all.end()));
}

TEST(Status, OnlyTwoHaveMovedAState) {
  for (const int code : numbers()) {
    CHECK((code == 0 || code == 43) == has_moved(static_cast<Status>(code)));
  }
}

TEST(Status, NumbersThatAreNoneOnTheWayAreAnOverflow) {
  CHECK(Status::kOverflow == after_start(Status::kNotFinite));
  CHECK(Status::kSingular == after_start(Status::kSingular));
  CHECK(Status::kOk == after_start(Status::kOk));
}
