#include "sweep/plan.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <cstdint>
#include <set>

#include "lockstep/hash.hpp"
#include "support/scratch_folder.hpp"
#include "sweep/draw.hpp"
#include "text/error.hpp"

using namespace lockstep;
using namespace lockstep::host::sweep;
using lockstep::test::ScratchFolder;

TEST_GROUP(SweepPlan) {
  ScratchFolder folder;

  Plan plan(const std::string& json) const {
    folder.write("sweep.json", json);
    return Plan::read(folder.path("sweep.json"));
  }
  std::string complaint(const std::string& json) const {
    try {
      (void)plan(json);
    } catch (const host::Error& error) {
      return error.what();
    }
    return "";
  }
  static double value(const Plan& plan, std::uint64_t run, std::size_t i) {
    return plan.changes(run)[i].value;
  }
};

TEST(SweepPlan, TheLastOfAGridChangesFirst) {
  const Plan own =
      plan(R"({"vary": {"a": [5, 6], "b": {"from": 0, "to": 1, "count": 3}, "c": 9}})");
  LONGS_EQUAL(6, own.runs());
  const double a[] = {5, 5, 5, 6, 6, 6}, b[] = {0, 0.5, 1, 0, 0.5, 1};
  for (std::uint64_t run = 0; run < 6; ++run) {
    CHECK_EQUAL(a[run], value(own, run, 0));
    CHECK_EQUAL(b[run], value(own, run, 1));
    CHECK_EQUAL(9.0, value(own, run, 2));
  }
  STRCMP_EQUAL("b", own.names()[1].c_str());
}

TEST(SweepPlan, RowsGoWithEveryPointAndDraw) {
  folder.write("rows.csv", "a [kg],\"b\"\r\n1,2\n\n3,4\n");
  const Plan own = plan(R"({"rows": "rows.csv", "vary": {"c": [7, 8], "d": {"from": 0, "to": 1}},
                            "runs": 5})");
  LONGS_EQUAL(20, own.runs());
  CHECK_EQUAL(1.0, value(own, 9, 0));
  CHECK_EQUAL(3.0, value(own, 10, 0));
  CHECK_EQUAL(4.0, value(own, 10, 1));
  CHECK_EQUAL(8.0, value(own, 9, 2));
  CHECK_EQUAL(7.0, value(own, 10, 2));
  std::set<double> drawn;
  for (std::uint64_t run = 0; run < 20; ++run) drawn.insert(value(own, run, 3));
  LONGS_EQUAL(20, drawn.size());
}

TEST(SweepPlan, DrawsAreThoseOfTheSeedTheRunAndThePlace) {
  const std::string both =
      R"({"vary": {"a": {"from": -1, "to": 1}, "b": {"mean": 3, "deviation": 2}},
                               "runs": 4000, "seed": )";
  const Plan own = plan(both + "7}"), other = plan(both + "8}");
  double sum = 0, squares = 0, least = 1, most = -1;
  Hash hash;
  for (std::uint64_t run = 0; run < own.runs(); ++run) {
    const double a = value(own, run, 0), b = value(own, run, 1);
    least = std::min(least, a), most = std::max(most, a);
    sum += b, squares += (b - 3) * (b - 3);
    hash.add(a);
    hash.add(b);
    CHECK_TRUE(a != value(other, run, 0));
  }
  const double n = static_cast<double>(own.runs());
  DOUBLES_EQUAL(3, sum / n, 5 * 2 / std::sqrt(n));
  DOUBLES_EQUAL(2, std::sqrt(squares / n), 0.15);
  CHECK_TRUE(least >= -1 && least < -0.99 && most < 1 && most > 0.99);
  // integers and single operations: of every machine and compiler
  CHECK_EQUAL(0x2AD07720490DA98BULL, hash.value());
  // of fewer runs the first ones
  const Plan fewer = plan(R"({"vary": {"a": {"from": -1, "to": 1}}, "runs": 3, "seed": 7})");
  CHECK_EQUAL(value(own, 2, 0), value(fewer, 2, 0));
}

TEST(SweepPlan, AHypercubeHasADrawInEveryStratum) {
  const Plan own =
      plan(R"({"vary": {"g": [1, 2], "a": {"from": 0, "to": 50}, "b": {"from": 0, "to": 50}},
                            "runs": 50, "sampling": "latin_hypercube"})");
  LONGS_EQUAL(100, own.runs());
  for (const std::uint64_t first : {0ULL, 50ULL}) {
    std::set<int> a, b, both;
    for (std::uint64_t run = first; run < first + 50; ++run) {
      const int i = static_cast<int>(value(own, run, 1)), k = static_cast<int>(value(own, run, 2));
      a.insert(i), b.insert(k), both.insert(i - k);
    }
    LONGS_EQUAL(50, a.size());
    LONGS_EQUAL(50, b.size());
    CHECK_TRUE(both.size() > 20);  // the two are not drawn alike
  }
  CHECK_TRUE(static_cast<int>(value(own, 0, 1)) != static_cast<int>(value(own, 50, 1)) ||
             static_cast<int>(value(own, 1, 1)) != static_cast<int>(value(own, 51, 1)));
}

TEST(SweepPlan, PermutationsTakeEveryNumberOnce) {
  for (const std::uint64_t count : {1U, 2U, 3U, 4U, 5U, 16U, 17U, 100U, 1000U, 4097U}) {
    std::set<std::uint64_t> seen;
    std::uint64_t same = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t to = permuted({3, 11, 2}, i, count);
      CHECK_TRUE(to < count);
      seen.insert(to);
      same += to == i;
    }
    CHECK_EQUAL(count, seen.size());
    CHECK_TRUE(count < 100 || same < count / 10);
  }
}

TEST(SweepPlan, WhatCannotBeMeantIsRefused) {
  const auto contains = [&](const std::string& json, const char* words) {
    STRCMP_CONTAINS(words, complaint(json).c_str());
  };
  contains("{}", "nothing varies");
  contains(R"({"vary": {"a": "x"}})", "'vary': 'a': give a number, a list of numbers");
  contains(R"({"vary": {"a": []}})", "an empty list");
  contains(R"({"vary": {"a": {"from": 1}}})", "give a number, a list of numbers");
  contains(R"({"vary": {"a": {"mean": 1}}})", "give a number, a list of numbers");
  contains(R"({"vary": {"a": {"from": 2, "to": 1}}})", "'from' is not below 'to'");
  contains(R"({"vary": {"a": {"from": 0, "to": 1, "count": 1}}})", "a whole number from 2");
  contains(R"({"vary": {"a": {"from": 0, "to": 1, "step": 1}}})", "'step' is not known");
  contains(R"({"vary": {"a": [1, 2]}, "runs": 3})", "only where something is drawn");
  contains(R"({"vary": {"a": [1, 2]}, "sampling": "latin_hypercube"})", "only where something");
  contains(R"({"vary": {"a": {"from": 0, "to": 1}}, "sampling": "sobol"})", "one of random, latin");
  contains(R"({"vary": {"a": {"mean": 0, "deviation": 1}}, "runs": 3,
               "sampling": "latin_hypercube"})",
           "latin_hypercube takes");
  contains(R"({"vary": {"a": {"from": 0, "to": 1}}, "runs": 100000000})",
           "more than 10000000 runs");
  contains(R"({"vary": {"a": {"from": 0, "to": 1, "count": 5000}, "b": {"from": 0, "to": 1,
               "count": 5000}}})",
           "more than 10000000 runs");
  contains(R"({"vary": {"a": 1}, "measure": "q"})", "a list such as");
  contains(R"({"rows": "none.csv"})", "none.csv");
  folder.write("rows.csv", "a,b\n1\n");
  contains(R"({"rows": "rows.csv"})", "rows.csv:2: has 1 fields, and the header 2");
  folder.write("rows.csv", "a\nx\n");
  contains(R"({"rows": "rows.csv"})", "rows.csv:2: 'x' is no number");
  folder.write("rows.csv", "a\n");
  contains(R"({"rows": "rows.csv"})", "rows.csv: has no rows");
}
