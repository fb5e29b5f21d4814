// Records, read back from what they were written to.
#include "record/read.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>

#include "support/scratch_folder.hpp"
#include "text/error.hpp"

using namespace lockstep::host;

TEST_GROUP(ReadRecord) {
  lockstep::test::ScratchFolder folder;

  std::string complaint(const std::string& text) {
    try {
      (void)read_record(folder.write("run.csv", text));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST(ReadRecord, IsWhatWasWritten) {
  const double infinity = std::numeric_limits<double>::infinity();
  Record record({{"q.a, \"b\"", "rad"}, {"contacts", ""}, {"q.c [m]", "m"}});
  const double rows[][3] = {
      {0.1, -0.0, 1e-300}, {1.0 / 3, infinity, -infinity}, {std::nan(""), 0, 1}};
  for (int i = 0; i < 3; ++i) record.add(0.001 * i, rows[i]);
  const Record read = read_record(folder.write("run.csv", record.csv()));
  LONGS_EQUAL(3, read.columns().size());
  for (std::size_t i = 0; i < 3; ++i) {
    STRCMP_EQUAL(record.columns()[i].name.c_str(), read.columns()[i].name.c_str());
    STRCMP_EQUAL(record.columns()[i].unit.c_str(), read.columns()[i].unit.c_str());
  }
  STRCMP_EQUAL(record.csv().c_str(), read.csv().c_str());
}

TEST(ReadRecord, EndsOfLinesOfOtherSystemsAndEmptyRows) {
  const Record record = read_record(folder.write("run.csv", "time [s],a\r\n0,1\r\n\r\n1,2"));
  LONGS_EQUAL(2, record.steps());
  DOUBLES_EQUAL(2, record.at(1, 0), 0);
  DOUBLES_EQUAL(1, record.time(1), 0);
}

TEST(ReadRecord, WhatIsNoneIsToldWithItsLine) {
  STRCMP_CONTAINS("run.csv:1: does not begin with a column 'time'", complaint("").c_str());
  STRCMP_CONTAINS("run.csv:1: does not begin", complaint("a,time\n").c_str());
  STRCMP_CONTAINS("run.csv:3: has 1 fields, and the header 2",
                  complaint("time,a\n0,1\n1\n").c_str());
  STRCMP_CONTAINS("run.csv:2: 'x' is no number", complaint("time,a\n0,x\n").c_str());
  STRCMP_CONTAINS("run.csv:3: the time falls", complaint("time,a\n1,0\n0,0\n").c_str());
  STRCMP_CONTAINS("run.csv:2: the time falls", complaint("time,a\nnan,0\n").c_str());
  CHECK_THROWS(Error, (void)read_record(folder.path("gone.csv")));
}
