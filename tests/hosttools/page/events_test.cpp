// What happened, found in a record by hand.
#include "page/events.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;

namespace {

// Rows of the columns tau.knee, limit.knee, contact.foot.x, .y, .z.
Record record_of(const std::vector<std::array<double, 5>>& rows) {
  Record record({{"tau.knee", "N m"},
                 {"limit.knee", "N m"},
                 {"contact.foot.x", "N"},
                 {"contact.foot.y", "N"},
                 {"contact.foot.z", "N"}});
  for (std::size_t i = 0; i < rows.size(); ++i) record.add(0.5 * static_cast<double>(i), rows[i]);
  return record;
}

const EffortLimit kKnee[] = {{0, 20, "knee"}};

void check(const std::vector<Event>& expected, const std::vector<Event>& found) {
  LONGS_EQUAL(expected.size(), found.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    DOUBLES_EQUAL(expected[i].time, found[i].time, 0);
    STRCMP_EQUAL(expected[i].kind.c_str(), found[i].kind.c_str());
    STRCMP_EQUAL(expected[i].text.c_str(), found[i].text.c_str());
  }
}

}  // namespace

TEST_GROUP(Events){};

TEST(Events, BeginWhereSomethingBegins) {
  check({{0.5, "limit", "knee reaches a limit"},
         {0.5, "contact", "foot touches"},
         {1.0, "torque", "knee: torque cut to its effort"},
         {1.5, "lift", "foot lifts off"}},
        find_events(record_of({{1, 0, 0, 0, 0},
                               {19.9, -3, 0, 0, 7},
                               {-20, -3, 0, 1, 0},
                               {-20, 0, 0, 0, 0},
                               {20.0000001, 0, 0, 0, 0}}),
                    kKnee));
}

TEST(Events, OfTheFirstRowCount) {
  check({{0, "contact", "foot touches"}}, find_events(record_of({{0, 0, 0, 0, 9}}), {}));
}

TEST(Events, BeyondAnEffortNothingWasCut) {
  check({}, find_events(record_of({{25, 0, 0, 0, 0}}), kKnee));
}

TEST(Events, AFaultIsToldOnce) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto events =
      find_events(record_of({{0, 0, 0, 0, 0}, {nan, 0, 0, 0, 0}, {nan, 0, 0, 0, 0}}), {});
  check({{0.5, "fault", "tau.knee is not a finite number from here on"}}, events);
}

TEST(Events, EffortsAreThoseOfSingleJointsWithALimit) {
  Tree tree;
  tree.bodies.resize(3);
  tree.joint_names = {"knee", "free", "ball"};
  tree.bodies[0].limits.effort = 20;
  tree.bodies[2].limits.effort = 5;
  tree.bodies[2].joint = lockstep::JointType::kBall;
  const std::vector<RecordColumn> columns = {
      {"q.knee", "rad"}, {"tau.knee", "N m"}, {"tau.free", "N m"}};
  const auto limits = effort_limits(tree, columns);
  LONGS_EQUAL(1, limits.size());
  LONGS_EQUAL(1, limits[0].column);
  DOUBLES_EQUAL(20, limits[0].effort, 0);
}
