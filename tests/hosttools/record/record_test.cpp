#include "record/record.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "support/random.hpp"
#include "text/error.hpp"

using namespace lockstep::host;

namespace {

const std::vector<RecordColumn> kArm = {
    {"q.elbow", "rad"}, {"q.base.qw", ""}, {"q.rail", "m"}, {"v.elbow", "rad/s"}};

const std::vector<RecordColumn> kOne = {{"a", "m"}};

std::size_t found(std::span<const RecordColumn> columns, std::string_view name) {
  return find_column(columns, name).value_or(99);
}

// Of three steps, the second column twice the first and so on.
std::vector<Chart> panels_of(const std::vector<std::size_t>& columns,
                             const std::vector<RecordColumn>& names = kArm) {
  Record record(names);
  for (int i = 0; i < 3; ++i) {
    const double row[] = {1.0 * i, 2.0 * i, 3.0 * i, 4.0 * i};
    record.add(0.5 * i, row);
  }
  return record.panels("motion", columns);
}

}  // namespace

TEST_GROUP(Record){};

TEST(Record, AHeaderNamesColumnsAndUnits) {
  Record record(kArm);
  const double row[] = {0.1, -2, -0.0, 1e-300};
  record.add(0.001, row);
  LONGS_EQUAL(1, record.steps());
  STRCMP_EQUAL(
      "time [s],q.elbow [rad],q.base.qw,q.rail [m],v.elbow [rad/s]\n"
      "0.001,0.1,-2,-0,1e-300\n",
      record.csv().c_str());
}

TEST(Record, NumbersReadBackToTheSameBits) {
  Record record(kOne);
  lockstep::test::Random random(3);
  std::vector<double> values;
  for (int i = 0; i < 500; ++i) {
    values.push_back(std::ldexp(random.uniform(-1, 1), random.below(200) - 100));
    record.add(i, std::span(&values.back(), 1));
  }
  std::istringstream lines(record.csv());
  std::string line;
  std::getline(lines, line);
  for (const double value : values) {
    std::getline(lines, line);
    CHECK_TRUE(std::strtod(line.substr(line.rfind(',') + 1).c_str(), nullptr) == value);
  }
}

TEST(Record, NamesThatHoldCommasOrQuotesAreOneField) {
  const Record record(std::vector<RecordColumn>{{"q.a,b", "m"}, {"v.say \"hi\"", ""}});
  STRCMP_EQUAL("time [s],\"q.a,b [m]\",\"v.say \"\"hi\"\"\"\n", record.csv().c_str());
}

TEST(Record, ColumnsAreFoundWithOrWithoutTheirUnit) {
  LONGS_EQUAL(2, found(kArm, "q.rail"));
  LONGS_EQUAL(2, found(kArm, "q.rail [m]"));
  LONGS_EQUAL(1, found(kArm, "q.base.qw"));
  for (const char* other : {"q.rail [mm]", "q.rail[m]", "q.base.qw []", "rail", "q.", ""}) {
    CHECK_FALSE(find_column(kArm, other).has_value());
  }
}

TEST(Record, ANameThatLooksLikeAUnitIsFoundByItsHeader) {
  const std::vector<RecordColumn> columns = {{"q.a [rad]", "rad"}, {"q.a", "rad"}};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    LONGS_EQUAL(i, found(columns, header_of(columns[i])));
  }
}

TEST(Record, ColumnsAreChosenByHowTheyStart) {
  const Record record(kArm);
  CHECK_TRUE(record.columns_that_start_with("q.") == (std::vector<std::size_t>{0, 1, 2}));
  CHECK_TRUE(record.columns_that_start_with("v.") == std::vector<std::size_t>{3});
  CHECK_TRUE(record.columns_that_start_with("tau.").empty());
}

TEST(Record, PanelsHoldACurveForEachColumnOfTheirUnit) {
  const std::vector<Chart> panels = panels_of({3, 0, 2, 0});
  LONGS_EQUAL(3, panels.size());
  for (const Chart& panel : panels) STRCMP_EQUAL("time [s]", panel.x.label.c_str());
  STRCMP_EQUAL("motion [rad/s]", panels[0].y.label.c_str());
  STRCMP_EQUAL("motion [rad]", panels[1].y.label.c_str());
  STRCMP_EQUAL("motion [m]", panels[2].y.label.c_str());
  LONGS_EQUAL(1, panels[0].curves.size());
  LONGS_EQUAL(2, panels[1].curves.size());
  STRCMP_EQUAL("v.elbow", panels[0].curves[0].name.c_str());
  STRCMP_EQUAL("q.elbow", panels[1].curves[0].name.c_str());
  CHECK_TRUE(panels[0].curves[0].x == (std::vector<double>{0, 0.5, 1}));
  CHECK_TRUE(panels[0].curves[0].y == (std::vector<double>{0, 4, 8}));
  CHECK_TRUE(panels[2].curves[0].y == (std::vector<double>{0, 3, 6}));
}

TEST(Record, QuaternionsAreApartFromOtherPureNumbers) {
  const std::vector<Chart> panels =
      panels_of({0, 1, 2, 3}, {{"q.a.qx", ""}, {"contacts", ""}, {"q.a.qw", ""}, {"q.qx", ""}});
  LONGS_EQUAL(2, panels.size());
  STRCMP_EQUAL("motion [unit quaternion]", panels[0].y.label.c_str());
  LONGS_EQUAL(3, panels[0].curves.size());
  STRCMP_EQUAL("motion [1]", panels[1].y.label.c_str());
}

TEST(Record, AReferenceBelongsToWhatFollowsIt) {
  const std::vector<Chart> panels =
      panels_of({0, 1, 2, 3}, {{"q.a", "m"}, {"q.b", "rad"}, {"q_ref.a", "m"}, {"q_ref.c", "rad"}});
  LONGS_EQUAL(0, panels[0].curves[1].reference_of.value_or(9));
  CHECK_FALSE(panels[0].curves[0].reference_of.has_value());
  CHECK_FALSE(panels[1].curves[1].reference_of.has_value());  // nothing here follows it
}

TEST(Record, RowsAreTakenOffFromATimeOn) {
  Record record(kOne);
  for (int i = 0; i < 5; ++i) record.add(i, std::array<double, 1>{1.0 * i});
  record.cut(3);
  STRCMP_EQUAL("time [s],a [m]\n0,0\n1,1\n2,2\n", record.csv().c_str());
}

TEST(Record, ALongRunIsThinnedAndKeepsItsPeaks) {
  Record record(kOne);
  for (int i = 0; i < 100000; ++i) {
    const double row[] = {i == 54321 ? 9.0 : i == 777 ? -9.0 : std::sin(1e-3 * i)};
    record.add(i, row);
  }
  const Curve curve = record.panels("a", std::array<std::size_t, 1>{0})[0].curves[0];
  CHECK_TRUE(curve.y.size() <= 2000 && curve.y.size() > 1000);
  LONGS_EQUAL(curve.y.size(), curve.x.size());
  bool high = false, low = false;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (i > 0) CHECK_TRUE(curve.x[i] > curve.x[i - 1]);
    high = high || (curve.x[i] == 54321 && curve.y[i] == 9);
    low = low || (curve.x[i] == 777 && curve.y[i] == -9);
  }
  CHECK_TRUE(high && low);
}

TEST(Record, ARowOfAnotherLengthIsRefused) {
  Record record(kArm);
  const double row[] = {1, 2, 3};
  CHECK_THROWS(Error, record.add(0, row));
  LONGS_EQUAL(0, record.steps());
}
