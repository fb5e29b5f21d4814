#include "lockstep/hash.hpp"

#include <CppUTest/TestHarness.h>

#include <string_view>

using lockstep::Hash;

namespace {

std::uint64_t hash_of(std::string_view bytes, Hash hash = {}) {
  for (const char c : bytes) hash.add(static_cast<std::uint8_t>(c));
  return hash.value();
}

}  // namespace

TEST_GROUP(Hash){};

// from the authors' own list (Fowler, Noll, Vo)
TEST(Hash, KnownAnswersOfFnv1a) {
  CHECK_TRUE(hash_of("") == 0xCBF29CE484222325u);
  CHECK_TRUE(hash_of("a") == 0xAF63DC4C8601EC8Cu);
  CHECK_TRUE(hash_of("foobar") == 0x85944171F73967E8u);
}

TEST(Hash, GoesOnFromAnEarlierValue) {
  CHECK_TRUE(hash_of("bar", Hash(hash_of("foo"))) == hash_of("foobar"));
}

// A text is its length, as four bytes from the lowest on, and its letters.
TEST(Hash, TextsEndWhereTheyEnd) {
  const auto hash = [](auto... texts) {
    Hash sum;
    (sum.add(std::string_view(texts)), ...);
    return sum.value();
  };
  using namespace std::string_view_literals;
  CHECK_TRUE(hash("bar") == hash_of("\3\0\0\0bar"sv));
  CHECK_TRUE(hash("ab", "c") != hash("a", "bc"));
}
