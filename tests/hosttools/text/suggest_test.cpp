#include "text/suggest.hpp"

#include <string>

#include <CppUTest/TestHarness.h>

using lockstep::host::nearest_word;

TEST_GROUP(Suggest){};

TEST(Suggest, NearestWordWins) {
  CHECK_TRUE(nearest_word("inertail", {"inertia", "inertial", "origin"}) == "inertial");
  CHECK_TRUE(nearest_word("LINK", {"joint", "link"}) == "link");
  CHECK_TRUE(nearest_word("jiont", {"joint", "link"}) == "joint");
}

TEST(Suggest, DistantWordsAreNotSuggested) {
  CHECK_TRUE(nearest_word("D", {"damping", "friction"}).empty());
  CHECK_TRUE(nearest_word("contact", {"collision", "visual", "inertial"}).empty());
  CHECK_TRUE(nearest_word("", {"a"}).empty());
  CHECK_TRUE(nearest_word(std::string(1'000'000, 'x'), {"xyz"}).empty());
}
