#include "lockstep/contact/contact_list.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <vector>

#include "support/random.hpp"

using namespace lockstep;
using namespace lockstep::contact;

TEST_GROUP(ContactList){};

// Against a stable sort of everything that came.
TEST(ContactList, KeepsTheDeepestInTheirOrderAndCountsTheRest) {
  test::Random random(3);
  for (int run = 0; run < 200; ++run) {
    const int found = random.below(12);
    ContactList<double, 4> list;
    ContactList<double, 12> shortened;
    std::vector<Contact<double>> all;
    for (int i = 0; i < found; ++i) {
      Contact<double> contact{};
      contact.a = i;
      contact.distance = random.below(4);  // with many ties
      list.add(contact);
      shortened.add(contact);
      all.push_back(contact);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.distance < b.distance; });
    all.resize(std::min<std::size_t>(4, all.size()));
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.a < b.a; });
    LONGS_EQUAL(all.size(), list.size());
    LONGS_EQUAL(found - list.size(), list.dropped());
    shortened.shorten(4);
    LONGS_EQUAL(list.size(), shortened.size());
    LONGS_EQUAL(list.dropped(), shortened.dropped());
    for (int i = 0; i < list.size(); ++i) {
      LONGS_EQUAL(list[i].a, shortened[i].a);
      LONGS_EQUAL(all[static_cast<std::size_t>(i)].a, list[i].a);
    }
  }
}
