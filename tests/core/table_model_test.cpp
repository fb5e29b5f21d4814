#include "lockstep/table_model.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <cmath>
#include <limits>
#include <string_view>

using namespace lockstep;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// one joint of each type, each body on the one before it
constexpr std::array<Body, 5> kBodies = [] {
  std::array<Body, 5> bodies = {};
  for (int i = 0; i < 5; ++i) {
    Body& body = bodies[static_cast<std::size_t>(i)];
    body = {.parent = i - 1,
            .joint = static_cast<JointType>(i),
            .p_PJ = {0.1 * i, 0, 1},
            .mass = 1,
            .h = {0, 0.1, 0.2},
            .inertia = {0.5, 0, 0, 0.4, 0, 0.6},
            .damping = 0.5};
  }
  return bodies;
}();

template <class Model>
int bodies_walked(const Model& model) {
  int count = 0;
  model.backward([&]<JointType>(int, const auto&) { ++count; });
  return count;
}

}  // namespace

TEST_GROUP(TableModel){};

TEST(TableModel, RefusesWhatHasNoMeaningAndStaysAsItWas) {
  TableModel<double, 5> table;
  CHECK_TRUE(Status::kOk == table.assign(kBodies));
  const auto refused = [&](auto&& spoil) {
    auto bodies = kBodies;
    spoil(bodies);
    const Status status = table.assign(bodies);
    LONGS_EQUAL(5, bodies_walked(table));
    return status;
  };
  CHECK_TRUE(Status::kBadParent == refused([](auto& b) { b[1].parent = 1; }));
  CHECK_TRUE(Status::kBadParent == refused([](auto& b) { b[1].parent = -2; }));
  CHECK_TRUE(Status::kBadJoint == refused([](auto& b) { b[2].joint = static_cast<JointType>(9); }));
  CHECK_TRUE(Status::kBadInertia == refused([](auto& b) { b[3].mass = -1; }));
  CHECK_TRUE(Status::kBadInertia == refused([](auto& b) { b[3].mass = kNaN; }));
  CHECK_TRUE(Status::kBadInertia == refused([](auto& b) { b[3].inertia[3] = -1; }));
  CHECK_TRUE(Status::kBadInertia == refused([](auto& b) { b[3].p_PJ[1] = kInfinity; }));
  CHECK_TRUE(Status::kBadInertia == refused([](auto& b) { b[4].damping = kNaN; }));

  const std::array<Body, 6> six = {};
  CHECK_TRUE(Status::kTooManyBodies == table.assign(six));
  LONGS_EQUAL(5, table.body_count());
}

template <class T>
struct Spoiled {
  TableModel<T, 5> table;

  // What assign says of the bodies with the second one spoilt, and add of that one alone.
  template <class F>
  Status operator()(F&& spoil) {
    auto bodies = kBodies;
    CHECK_TRUE(Status::kOk == table.assign(bodies));
    spoil(bodies[1]);
    const Status status = table.assign(bodies);
    bool same = true;  // what was there is there
    table.backward([&]<JointType>(int i, const BodyData<T>& body) {
      same = same && body.mass == T(kBodies[static_cast<std::size_t>(i)].mass) &&
             body.X_PJ.R.y.x == T(0) && body.R_LB.x.x == T(1);
    });
    CHECK_TRUE(same || status == Status::kOk);
    LONGS_EQUAL(5, table.body_count());

    TableModel<T, 5> grown;
    bodies[1].parent = kWorld;
    CHECK_TRUE(status == grown.add(to_body_data<T>(bodies[1], {})));
    LONGS_EQUAL(status == Status::kOk, grown.body_count());
    return status;
  }
};

template <class T>
void check_rotations() {
  Spoiled<T> spoiled;
  const auto both = [&](const std::array<double, 9>& R) {
    const Status joint = spoiled([&](Body& b) { b.R_PJ = R; });
    CHECK_TRUE(joint == spoiled([&](Body& b) { b.R_LB = R; }));
    return joint;
  };
  CHECK_TRUE(Status::kBadJoint == both({1, 0.01, 0, 0, 1, 0, 0, 0, 1}));  // sheared
  CHECK_TRUE(Status::kBadJoint == both({1.01, 0, 0, 0, 1, 0, 0, 0, 1}));  // stretched
  CHECK_TRUE(Status::kBadJoint == both({1, 0, 0, 0, 1, 0, 0, 0, -1}));    // mirrored
  CHECK_TRUE(Status::kBadJoint == both({0, 0, 0, 0, 0, 0, 0, 0, 0}));
  CHECK_TRUE(Status::kBadJoint == both({1e30, 0, 0, 0, 1, 0, 0, 0, 1}));
  CHECK_TRUE(Status::kOk == both({0, 0, 1, 1, 0, 0, 0, 1, 0}));
  // what was rounded to float is fine in double as well
  const auto rounded = [](double x) { return static_cast<double>(static_cast<float>(x)); };
  const double c = rounded(std::cos(0.7)), s = rounded(std::sin(0.7));
  CHECK_TRUE(Status::kOk == both({c, -s, 0, s, c, 0, 0, 0, 1}));
}

template <class T>
void check_inertias() {
  using Six = std::array<double, 6>;
  using Three = std::array<double, 3>;
  Spoiled<T> spoiled;
  const auto verdict = [&](double mass, const Three& h, const Six& I) {
    return spoiled([&](Body& b) { b.mass = mass, b.h = h, b.inertia = I; });
  };
  // a negative principal moment, though the diagonal is positive
  CHECK_TRUE(Status::kBadInertia == verdict(1, {}, {1, 1.1, 0, 1, 0, 1}));
  CHECK_TRUE(Status::kBadInertia == verdict(1, {}, {1, 0, 1.1, 1, 0, 1}));
  CHECK_TRUE(Status::kBadInertia == verdict(1, {}, {1, 0, 0, 1, 1.1, 1}));
  CHECK_TRUE(Status::kBadInertia == verdict(1, {}, {1, -0.6, -0.6, 1, -0.6, 1}));
  CHECK_TRUE(Status::kBadInertia == verdict(0, {}, {0, 1e-3, 0, 0, 0, 0}));
  // less than the centre of mass alone has about the origin
  CHECK_TRUE(Status::kBadInertia == verdict(1, {1, 0, 0}, {1, 0, 0, 0.9, 0, 1}));
  CHECK_TRUE(Status::kBadInertia == verdict(1, {1, 0, 0}, {0, 0, 0, 0, 0, 0}));
  CHECK_TRUE(Status::kBadInertia == verdict(0, {1e-3, 0, 0}, {1, 0, 0, 1, 0, 1}));
  for (int i = 0; i < 6; ++i) {
    Six I = {1, 0, 0, 1, 0, 1};
    I[static_cast<std::size_t>(i)] = kNaN;
    CHECK_TRUE(Status::kBadInertia == verdict(1, {}, I));
  }

  CHECK_TRUE(Status::kOk == verdict(0, {}, {}));  // massless
  CHECK_TRUE(Status::kOk == verdict(1, {}, {}));  // a point mass
  for (const double size : {1e-6, 1.0, 1e6}) {    // the same anywhere, a rod, a plate
    const double a = 0.1 * size, b = 0.7 * size, d = -0.3 * size;
    const Six point = {b * b + d * d, -a * b, -a * d, a * a + d * d, -b * d, a * a + b * b};
    CHECK_TRUE(Status::kOk == verdict(1, {a, b, d}, point));
    CHECK_TRUE(Status::kOk == verdict(0.01, {}, point));
    CHECK_TRUE(Status::kOk == verdict(3, {}, {size, 0, 0, 2 * size, 0, 3 * size}));
  }
  // Robots' files have these: rotors without mass, plane linkages that only turn about z, and
  // moments with the digits of their exporter. Motion comes out of them; `lockstep doctor` warns.
  CHECK_TRUE(Status::kOk == verdict(0, {}, {1e-4, 0, 0, 1e-4, 0, 1e-4}));
  CHECK_TRUE(Status::kOk == verdict(0.1, {}, {0, 0, 0, 0, 0, 4.5e-5}));
  CHECK_TRUE(Status::kOk == verdict(0.1, {}, {1e-3, 1.003e-3, 0, 1e-3, 0, 2e-3}));
}

// a constant, too, for the models that are compiled in
static_assert(check_body(to_body_data<float>(kBodies[1], {})) == Status::kOk);
static_assert(check_body(to_body_data<float>({.R_PJ = {1, 0.01, 0, 0, 1, 0, 0, 0, 1}}, {})) ==
              Status::kBadJoint);
static_assert(check_body(to_body_data<float>({.mass = 1, .h = {1, 0, 0}}, {})) ==
              Status::kBadInertia);

TEST(TableModel, FramesAreRotations) {
  check_rotations<double>();
  check_rotations<float>();
}

TEST(TableModel, NoMomentAboutTheCentreOfMassIsNegative) {
  check_inertias<double>();
  check_inertias<float>();
}

TEST(TableModel, RefusesWhatOverflowsItsScalar) {
  std::array<Body, 1> body = {kBodies[0]};
  body[0].mass = 1e300;
  TableModel<double, 1> in_double;
  CHECK_TRUE(Status::kOk == in_double.assign(body));
  TableModel<float, 1> in_float;
  CHECK_TRUE(Status::kBadInertia == in_float.assign(body));
}

TEST(TableModel, BodyByBodyIsTheSameAsAtOnce) {
  TableModel<float, 5> at_once, grown;
  CHECK_TRUE(Status::kOk == at_once.assign(kBodies));
  CHECK_TRUE(Status::kOk == grown.assign(std::span(kBodies).first(2)));
  grown.clear();
  LONGS_EQUAL(0, grown.body_count());
  LONGS_EQUAL(0, grown.counts().q);
  at_once.backward([&]<JointType>(int, const BodyData<float>& body) {
    BodyData<float> sent = body;
    sent.q = sent.v = sent.lambda = 99;  // the table's own business
    CHECK_TRUE(Status::kOk == grown.add(sent));
  });
  LONGS_EQUAL(5, grown.body_count());
  LONGS_EQUAL(1 + 1 + 4 + 3 + 7, grown.counts().q);
  LONGS_EQUAL(1 + 1 + 3 + 3 + 6, grown.counts().v);

  std::array<BodyData<float>, 5> expected;
  at_once.backward([&]<JointType>(int i, const BodyData<float>& body) {
    expected[static_cast<std::size_t>(i)] = body;
  });
  grown.backward([&]<JointType kJoint>(int i, const BodyData<float>& body) {
    const BodyData<float>& same = expected[static_cast<std::size_t>(i)];
    CHECK_TRUE(kJoint == same.joint);
    LONGS_EQUAL(same.parent, body.parent);
    LONGS_EQUAL(same.q, body.q);
    LONGS_EQUAL(same.v, body.v);
    LONGS_EQUAL(same.lambda, body.lambda);
  });
}

TEST(TableModel, AddRefusesAndStaysAsItWas) {
  TableModel<float, 2> table;
  BodyData<float> body = to_body_data<float>(kBodies[0], {});
  CHECK_TRUE(Status::kOk == table.add(body));
  const auto refused = [&](auto&& spoil) {
    BodyData<float> bad = body;
    spoil(bad);
    const Status status = table.add(bad);
    LONGS_EQUAL(1, table.body_count());
    LONGS_EQUAL(1, table.counts().q);
    return status;
  };
  CHECK_TRUE(Status::kBadParent == refused([](auto& b) { b.parent = 1; }));
  CHECK_TRUE(Status::kBadParent == refused([](auto& b) { b.parent = -2; }));
  CHECK_TRUE(Status::kBadJoint == refused([](auto& b) { b.joint = static_cast<JointType>(5); }));
  CHECK_TRUE(Status::kBadInertia == refused([](auto& b) { b.mass = -1; }));
  CHECK_TRUE(Status::kBadInertia == refused([](auto& b) { b.inertia.zz = -1; }));
  // every scalar is looked at
  int scalars = 0;
  for_each_scalar(body, [&](float& value) {
    const float kept = value;
    for (const double bad : {kNaN, kInfinity, -kInfinity}) {
      value = static_cast<float>(bad);
      CHECK_TRUE(Status::kBadInertia == table.add(body));
    }
    value = kept;
    ++scalars;
  });
  LONGS_EQUAL(kBodyScalars, scalars);
  LONGS_EQUAL(1, table.body_count());

  CHECK_TRUE(Status::kOk == table.add(body));
  CHECK_TRUE(Status::kTooManyBodies == table.add(body));
  LONGS_EQUAL(2, table.body_count());
}

TEST(TableModel, JointsAreFoundByTheirNames) {
  constexpr std::array<std::string_view, 5> kNames = {"hip", "slide", "ball", "plane", "base"};
  NamedTableModel<double, 5> table;
  CHECK_FALSE(table.joint("hip").has_value());
  CHECK_TRUE(Status::kWrongSize == table.assign(kBodies, std::span(kNames).first(4)));
  LONGS_EQUAL(0, table.body_count());
  CHECK_TRUE(Status::kOk == table.assign(kBodies, kNames));
  CHECK_TRUE((JointIndex{3, 1 + 1 + 4, 1 + 1 + 3} == table.joint("plane")));
  CHECK_FALSE(table.joint("elbow").has_value());
  // names without bodies are those of what was there before
  auto bad = kBodies;
  bad[1].parent = 7;
  CHECK_TRUE(Status::kBadParent == table.assign(bad, kNames));
  CHECK_TRUE(table.joint("base").has_value());
  table.keep(2);
  table.keep(4);  // which are not there
  LONGS_EQUAL(2, table.body_count());
  CHECK_TRUE(table.joint("slide").has_value());
  CHECK_FALSE(table.joint("base").has_value());
}

// Without room for rotors and springs their robots are refused, not simulated without them.
TEST(TableModel, TablesWithoutRotorsRefuseThem) {
  TableModel<double, 5, false> bare;
  TableModel<double, 5> table;
  CHECK_TRUE(Status::kOk == bare.assign(kBodies));
  const auto refuses = [&](auto&& spoil) {
    auto bodies = kBodies;
    spoil(bodies[0]);
    CHECK_TRUE(Status::kOk == table.assign(bodies));
    CHECK_TRUE(Status::kGeared == bare.assign(bodies));
    LONGS_EQUAL(5, bare.body_count());
  };
  refuses([](Body& body) { body.armature = 0.1; });
  refuses([](Body& body) { body.stiffness = 3; });
}
