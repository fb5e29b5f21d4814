#include "methods/parts.hpp"

#include "hosttools/methods/net.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Table = TestRun<>::Table;
using Parts = host::methods::Parts<Table, 12>;

}  // namespace

TEST_GROUP(Parts) {
  const Net net = hanging_net(4);
  TestRun<> run{net.mechanism};
  std::unique_ptr<Parts> parts = std::make_unique<Parts>();

  Status assign(const std::vector<int>& part_of, const std::vector<int>& colour_of) {
    return parts->assign(run.table(), {part_of, colour_of});
  }
};

TEST(Parts, RowsAndColumnsOfANetAreTwoColours) {
  CHECK_TRUE(Status::kOk == assign(net.part_of, net.colour_of));
  LONGS_EQUAL(8, parts->size());
  LONGS_EQUAL(2, parts->colours());
  LONGS_EQUAL(4, parts->of_colour(1).first);
  LONGS_EQUAL(8, parts->of_colour(1).end);
  // an edge row has two particles between corners; any other row has four
  LONGS_EQUAL(2, (*parts)[0].bodies.size());
  LONGS_EQUAL(4, (*parts)[1].bodies.size());
  LONGS_EQUAL(3, (*parts)[1].constraints.size());
  LONGS_EQUAL(7, (*parts)[1].nodes.size());
}

TEST(Parts, BodyHasANodeInEachPartThatHoldsIt) {
  CHECK_TRUE(Status::kOk == assign(net.part_of, net.colour_of));
  std::vector<int> nodes(net.mechanism.bodies.size());
  for (int i = 0; i < parts->size(); ++i) {
    for (const host::methods::PartBody& held : (*parts)[i].bodies) {
      ++nodes[static_cast<std::size_t>(held.body)];
    }
  }
  for (const int count : nodes) LONGS_EQUAL(2, count);
}

TEST(Parts, LoopInAPartIsRefused) {
  const std::vector<int> part_of(net.part_of.size(), 0);
  CHECK_TRUE(Status::kBadConstraint == assign(part_of, {0}));
  LONGS_EQUAL(0, parts->size());
}

TEST(Parts, SharedBodyInAColourIsRefused) {
  CHECK_TRUE(Status::kBadConstraint == assign(net.part_of, std::vector<int>(8, 0)));
}

TEST(Parts, TablesThatDoNotFitAreRefused) {
  std::vector<int> part_of = net.part_of, falling = net.colour_of;
  falling.back() = 0;
  CHECK_TRUE(Status::kBadConstraint == assign(net.part_of, falling));
  CHECK_TRUE(Status::kTooManyRows == assign(net.part_of, std::vector<int>(13, 0)));
  part_of.back() = 8;
  CHECK_TRUE(Status::kBadConstraint == assign(part_of, net.colour_of));
  part_of.pop_back();
  CHECK_TRUE(Status::kWrongSize == assign(part_of, net.colour_of));
}
