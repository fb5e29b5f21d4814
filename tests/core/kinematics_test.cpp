#include "lockstep/kinematics.hpp"
#include "lockstep/table_model.hpp"

#include <CppUTest/TestHarness.h>

#include <Eigen/Geometry>
#include <cmath>
#include <concepts>
#include <limits>
#include <vector>

#include "oracle/energy.hpp"
#include "support/allocation_guard.hpp"
#include "support/motion.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

// Two links of one metre in a vertical plane, a tool half a metre beyond: as the host tool emits
// it.
struct TwoLinks {
  static constexpr std::uint64_t kHash = 0;
  static constexpr std::array<Node, 0> kForward = {};
  static constexpr std::array<Body, 2> kBodies = {
      {{.R_PJ = {1, 0, 0, 0, 0, -1, 0, 1, 0}, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}},
       {.parent = 0, .p_PJ = {1, 0, 0}, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}}}};
  static constexpr std::array<NamedFrame, 3> kFrames = {
      {{.body = kWorld}, {.body = 1}, {.body = 1, .p_BF = {1.5, 0, 0}}}};
  static constexpr std::array<std::string_view, 3> kFrameNames = {"base", "forearm", "tool"};
};

using Table = TableModel<double, 12>;

NamedFrame random_frame(int body, test::Random& random) {
  NamedFrame frame;
  frame.body = body;
  const Eigen::Matrix3d R = random.rotation().toRotationMatrix();
  const Eigen::Vector3d p = random.vector(0.5);
  for (int i = 0; i < 9; ++i) frame.R_BF[static_cast<std::size_t>(i)] = R(i / 3, i % 3);
  frame.p_BF = {p[0], p[1], p[2]};
  return frame;
}

struct Expected {
  Eigen::Matrix3d R_WL;
  Eigen::Vector3d p_WL;
  host::Vector6d twist;  // in the world
};

// Where the oracle sees the frame.
Expected expected(std::span<const Body> bodies, const host::DenseInput& state,
                  const NamedFrame& frame) {
  using RowMajor3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const auto placed = host::place_in_world(bodies, state.q, state.v);
  const host::WorldBody& body = placed[static_cast<std::size_t>(frame.body)];
  Expected result;
  result.R_WL = body.R_WB * Eigen::Map<const RowMajor3d>(frame.R_BF.data());
  result.p_WL = body.origin + body.R_WB * Eigen::Vector3d(frame.p_BF.data());
  result.twist << host::velocity_at(body, result.p_WL), body.omega;
  return result;
}

}  // namespace

TEST_GROUP(Kinematics){};

TEST(Kinematics, PoseTwistAndJacobianAreThoseOfTheWorld) {
  for (const test::Shape shape : test::kShapes) {
    const auto bodies = test::random_tree({.shape = shape, .seed = 5});
    test::Random random(50);
    Table table;
    CHECK_TRUE(Status::kOk == table.assign(bodies));
    const Kinematics<Table> kinematics(table);
    for (int body = 0; body < table.body_count(); ++body) {
      const host::DenseInput state = test::random_state(bodies, random);
      const NamedFrame frame = random_frame(body, random);
      const Expected known = expected(bodies, state, frame);
      const LinkFrame<double> link(frame);

      Kinematics<Table>::Pose pose;
      CHECK_TRUE(Status::kOk == kinematics.pose(state.q, link, pose));
      CHECK_AT_MOST(1e-14, test::relative_error(pose.R_WL, known.R_WL), "rotation");
      CHECK_AT_MOST(1e-14, test::relative_error(pose.p_WL, known.p_WL), "place");

      host::Vector6d in_link;
      in_link << known.R_WL.transpose() * known.twist.head<3>(),
          known.R_WL.transpose() * known.twist.tail<3>();
      auto twist = kinematics.make_twist();
      auto J = kinematics.make_jacobian();
      for (const auto& [axes, V] :
           {std::pair(Axes::kOfWorld, known.twist), {Axes::kOfLink, in_link}}) {
        CHECK_TRUE(Status::kOk == kinematics.twist(state.q, state.v, link, axes, twist));
        CHECK_AT_MOST(1e-14, test::relative_error(twist, V), "twist");
        CHECK_TRUE(Status::kOk == kinematics.jacobian(state.q, link, axes, J));
        CHECK_AT_MOST(1e-14, test::relative_error(J * state.v, V), "J v");
      }
    }
  }
}

// each column on its own: the pose a moment later, along one degree of freedom
TEST(Kinematics, ColumnsOfTheJacobianAreDerivativesOfThePose) {
  const auto bodies = test::random_tree({.shape = test::Shape::kChain, .bodies = 6, .seed = 7});
  test::Random random(70);
  const host::DenseInput state = test::random_state(bodies, random);
  Table table;
  CHECK_TRUE(Status::kOk == table.assign(bodies));
  const Kinematics<Table> kinematics(table);
  for (const int body : {5, 2}) {
    const LinkFrame<double> link(random_frame(body, random));
    auto J = kinematics.make_jacobian();
    CHECK_TRUE(Status::kOk == kinematics.jacobian(state.q, link, Axes::kOfWorld, J));
    for (Eigen::Index i = 0; i < J.cols(); ++i) {
      const double h = 1e-6;
      const auto pose_at = [&](double time) {
        const Eigen::VectorXd rate = Eigen::VectorXd::Unit(J.cols(), i);
        const Eigen::VectorXd q = state.q + time * test::config_rate(bodies, state.q, rate);
        Kinematics<Table>::Pose pose;
        CHECK_TRUE(Status::kOk == kinematics.pose(test::normalized(bodies, q), link, pose));
        return pose;
      };
      const auto before = pose_at(-h), now = pose_at(0), after = pose_at(h);
      const Eigen::Matrix3d spin = (after.R_WL - before.R_WL) / (2 * h) * now.R_WL.transpose();
      host::Vector6d column;
      column << (after.p_WL - before.p_WL) / (2 * h), spin(2, 1), spin(0, 2), spin(1, 0);
      CHECK_AT_MOST(1e-8, (J.col(i) - column).norm(), "column");
    }
  }
}

TEST(Kinematics, LinksOfAnEmittedModelAreFoundByName) {
  const Kinematics<TwoLinks> arm;
  constexpr auto kTool = link_frame<TwoLinks>("tool");
  Kinematics<TwoLinks>::Configs q(0.3, 0.4);
  Kinematics<TwoLinks>::Pose pose;
  auto J = arm.make_jacobian();
  CHECK_TRUE(Status::kOk == arm.pose(q, kTool, pose));
  // the plane's axes are x and z of the world
  const double x = std::cos(0.3) + 1.5 * std::cos(0.7), z = std::sin(0.3) + 1.5 * std::sin(0.7);
  CHECK_AT_MOST(1e-15, (pose.p_WL - Eigen::Vector3d(x, 0, z)).norm(), "place");
  CHECK_AT_MOST(1e-15, (pose.R_WL.col(0) - Eigen::Vector3d(std::cos(0.7), 0, std::sin(0.7))).norm(),
                "axis");
  CHECK_TRUE(Status::kOk == arm.jacobian(q, kTool, Axes::kOfWorld, J));
  Eigen::Matrix<double, 6, 2> expected_J;
  expected_J << -z, -1.5 * std::sin(0.7), 0, 0, x, 1.5 * std::cos(0.7), 0, 0, -1, -1, 0, 0;
  CHECK_AT_MOST(1e-15, test::relative_error(J, expected_J), "jacobian");

  // what is fixed to the world stays there
  CHECK_TRUE(Status::kOk == arm.pose(q, link_frame<TwoLinks>("base"), pose));
  CHECK_TRUE(pose.R_WL.isIdentity(0) && pose.p_WL.isZero(0));
  CHECK_TRUE(Status::kOk == arm.jacobian(q, link_frame<TwoLinks>("base"), Axes::kOfLink, J));
  CHECK_TRUE(J.isZero(0));
}

TEST(Kinematics, FloatAgreesWithDouble) {
  const Kinematics<TwoLinks> arm;
  const Kinematics<TwoLinks, float> narrow;
  auto J = arm.make_jacobian();
  auto narrow_J = narrow.make_jacobian();
  CHECK_TRUE(Status::kOk ==
             arm.jacobian({0.3, 0.4}, link_frame<TwoLinks>("tool"), Axes::kOfWorld, J));
  CHECK_TRUE(Status::kOk == narrow.jacobian({0.3f, 0.4f}, link_frame<TwoLinks, float>("tool"),
                                            Axes::kOfWorld, narrow_J));
  CHECK_AT_MOST(3e-7, test::relative_error(narrow_J, J), "");
}

// found in double, in the scalar itself, or converted while compiling
TEST(Kinematics, ALinkServesEveryScalar) {
  const Kinematics<TwoLinks, float> narrow;
  constexpr auto kTool = link_frame<TwoLinks>("tool");
  constexpr LinkFrame<float> kNarrow = kTool;
  constexpr LinkFrame<Lanes<float, 4>> kWide = kTool;
  static_assert(kNarrow.body == 1 && kNarrow.X_BL.p.x == 1.5F);
  static_assert(std::copyable<LinkFrame<double>> && std::copyable<LinkFrame<float>>);
  CHECK_TRUE(kWide.body == 1 && kWide.X_BL.p.x[3] == 1.5F && kWide.X_BL.R.z.z[0] == 1);
  Kinematics<TwoLinks, float>::Pose pose, same;
  CHECK_TRUE(Status::kOk == narrow.pose({0.3F, 0.4F}, kTool, pose));
  CHECK_TRUE(Status::kOk == narrow.pose({0.3F, 0.4F}, link_frame<TwoLinks, float>("tool"), same));
  CHECK_TRUE(pose.p_WL == same.p_WL && pose.R_WL == same.R_WL);
}

template <class T>
void check_whole(double bound) {
  using TableOf = TableModel<T, 12>;
  for (const test::Shape shape : test::kShapes) {
    const auto bodies = test::random_tree({.shape = shape, .seed = 8});
    test::Random random(80);
    TableOf table;
    CHECK_TRUE(Status::kOk == table.assign(bodies));
    Kinematics<TableOf, T> kinematics(table);
    using Of = Kinematics<TableOf, T>;
    for (int round = 0; round < 4; ++round) {
      host::DenseInput state = test::random_state(bodies, random);
      state.gravity = random.vector(10);
      const host::Mechanics known = host::mechanics(bodies, state);
      double mass = 0;
      Eigen::Vector3d moment = Eigen::Vector3d::Zero();
      for (const host::WorldBody& body : host::place_in_world(bodies, state.q, state.v)) {
        mass += body.mass;
        moment += body.mass * body.com;
      }
      const Eigen::Vector3d c = moment / mass;
      const typename Of::Configs q = state.q.cast<T>();
      const typename Of::Dofs v = state.v.cast<T>();

      typename Of::Place centre;
      CHECK_TRUE(Status::kOk == kinematics.centre_of_mass(q, centre));
      CHECK_AT_MOST(bound, test::relative_error(centre, c), "centre");
      auto J = kinematics.make_centre_jacobian();
      CHECK_TRUE(Status::kOk == kinematics.centre_jacobian(q, J));
      CHECK_AT_MOST(bound, test::relative_error(J * v, known.momentum / mass), "J v");
      typename Of::Momentum momentum;
      CHECK_TRUE(Status::kOk == kinematics.momentum(q, v, momentum));
      CHECK_AT_MOST(bound, test::relative_error(momentum.linear, known.momentum), "linear");
      CHECK_AT_MOST(bound, test::relative_error(momentum.angular, known.angular_momentum),
                    "angular");
      const Eigen::Vector3d about_centre = known.angular_momentum - c.cross(known.momentum);
      CHECK_AT_MOST(bound, test::relative_error(momentum.about_centre, about_centre),
                    "about the centre");
      typename Of::Energy energy;
      const typename Of::Gravity gravity = state.gravity.cast<T>();
      CHECK_TRUE(Status::kOk == kinematics.energy(q, v, gravity, energy));
      CHECK_AT_MOST(bound * std::abs(known.kinetic),
                    std::abs(static_cast<double>(energy.kinetic) - known.kinetic), "kinetic");
      CHECK_AT_MOST(bound * mass * state.gravity.norm() * (1 + c.norm()),
                    std::abs(static_cast<double>(energy.potential) - known.potential), "potential");
    }
  }
}

TEST(Kinematics, CentreMomentumAndEnergyAreThoseOfTheWorld) {
  check_whole<double>(1e-13);
  check_whole<float>(5e-6);
}

// a kilometre away the moments about the world's origin are large, those about the centre are not
TEST(Kinematics, FarFromTheOriginTheMomentumAboutTheCentreKeepsItsDigits) {
  const std::array<Body, 2> bodies = {
      {{.joint = JointType::kFloating, .mass = 2, .h = {0.1, 0, 0}, .inertia = {1, 0, 0, 1, 0, 1}},
       {.parent = 0, .p_PJ = {1, 0, 0}, .mass = 1, .inertia = {0.5, 0, 0, 0.5, 0, 0.5}}}};
  using Narrow = TableModel<float, 2>;
  Narrow table;
  CHECK_TRUE(Status::kOk == table.assign(bodies));
  Kinematics<Narrow, float> kinematics(table);
  using Of = Kinematics<Narrow, float>;
  Of::Configs near(8), away(8);
  near << 0, 0, 0, 0, 0, 0, 1, 0.5F;
  away << 1024, -512, 256, 0, 0, 0, 1, 0.5F;
  Of::Dofs v(7);
  v << 1, 2, 3, 0.1F, 0.2F, 0.3F, 4;
  Of::Momentum here, there;
  CHECK_TRUE(Status::kOk == kinematics.momentum(near, v, here));
  CHECK_TRUE(Status::kOk == kinematics.momentum(away, v, there));
  CHECK_TRUE(here.about_centre == there.about_centre && here.linear == there.linear);
}

TEST(Kinematics, ColumnsOfTheCentreJacobianAreDerivativesOfTheCentre) {
  const auto bodies = test::random_tree({.bodies = 7, .seed = 9});
  test::Random random(90);
  const host::DenseInput state = test::random_state(bodies, random);
  Table table;
  CHECK_TRUE(Status::kOk == table.assign(bodies));
  Kinematics<Table> kinematics(table);
  auto J = kinematics.make_centre_jacobian();
  CHECK_TRUE(Status::kOk == kinematics.centre_jacobian(state.q, J));
  for (Eigen::Index i = 0; i < J.cols(); ++i) {
    const double h = 1e-6;
    const auto centre_at = [&](double time) {
      const Eigen::VectorXd rate = Eigen::VectorXd::Unit(J.cols(), i);
      const Eigen::VectorXd q = state.q + time * test::config_rate(bodies, state.q, rate);
      Kinematics<Table>::Place centre;
      CHECK_TRUE(Status::kOk == kinematics.centre_of_mass(test::normalized(bodies, q), centre));
      return Eigen::Vector3d(centre);
    };
    CHECK_AT_MOST(1e-8, (J.col(i) - (centre_at(h) - centre_at(-h)) / (2 * h)).norm(), "column");
  }
}

TEST(Kinematics, BadNumbersOfTheWholeAreRefusedAndChangeNothing) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](double mass, auto&& spoil) {
    const std::array<Body, 1> bodies = {{{.joint = JointType::kPrismatic, .mass = mass}}};
    Table table;
    CHECK_TRUE(Status::kOk == table.assign(bodies));
    Kinematics<Table> kinematics(table);
    Kinematics<Table>::Configs q = Eigen::VectorXd::Zero(1);
    Kinematics<Table>::Dofs v = Eigen::VectorXd::Zero(1);
    Kinematics<Table>::Gravity gravity(0, 0, -9.81);
    spoil(q, v, gravity);
    Kinematics<Table>::Energy energy = {7, 7};
    Kinematics<Table>::Momentum momentum;
    momentum.linear.setConstant(7);
    const Status status = kinematics.energy(q, v, gravity, energy);
    CHECK_TRUE(energy.kinetic == 7 && energy.potential == 7);
    if (gravity.allFinite() && status != Status::kOverflow) {
      CHECK_TRUE(status == kinematics.momentum(q, v, momentum));
      CHECK_TRUE((momentum.linear.array() == 7).all());
    }
    return status;
  };
  CHECK_TRUE(Status::kNotFinite == refused(1, [](auto& q, auto&, auto&) { q[0] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused(1, [](auto&, auto& v, auto&) { v[0] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused(1, [](auto&, auto&, auto& g) { g[0] = kNaN; }));
  CHECK_TRUE(Status::kWrongSize == refused(1, [](auto& q, auto&, auto&) { q.resize(2); }));
  CHECK_TRUE(Status::kWrongSize == refused(1, [](auto&, auto& v, auto&) { v.resize(2); }));
  CHECK_TRUE(Status::kOverflow == refused(1, [](auto&, auto& v, auto&) { v[0] = 1e200; }));
  CHECK_TRUE(Status::kBadInertia == refused(0, [](auto&, auto&, auto&) {}));
}

TEST(Kinematics, BadNumbersAreRefusedAndChangeNothing) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const std::array<Body, 2> bodies = {{{.joint = JointType::kBall, .mass = 1},
                                       {.parent = 0, .joint = JointType::kPrismatic, .mass = 1}}};
  Table table;
  CHECK_TRUE(Status::kOk == table.assign(bodies));
  const Kinematics<Table> kinematics(table);
  const auto refused = [&](auto&& spoil) {
    Kinematics<Table>::Configs q = Eigen::VectorXd::Unit(5, 3);
    Kinematics<Table>::Dofs v = Eigen::VectorXd::Zero(4);
    LinkFrame<double> link(NamedFrame{.body = 1});
    spoil(q, v, link);
    Kinematics<Table>::Pose pose;
    pose.R_WL.setConstant(7), pose.p_WL.setConstant(7);
    Kinematics<Table>::Twist twist = Kinematics<Table>::Twist::Constant(7);
    auto J = kinematics.make_jacobian();
    J.setConstant(7);
    const Status status = kinematics.twist(q, v, link, Axes::kOfLink, twist);
    if (v.isZero(0) && v.size() == 4) {
      CHECK_TRUE(status == kinematics.pose(q, link, pose));
      CHECK_TRUE(status == kinematics.jacobian(q, link, Axes::kOfWorld, J));
    }
    CHECK_TRUE((pose.R_WL.array() == 7).all() && (pose.p_WL.array() == 7).all());
    CHECK_TRUE((twist.array() == 7).all() && (J.array() == 7).all());
    return status;
  };
  using Link = LinkFrame<double>;
  CHECK_TRUE(Status::kNotFinite == refused([](auto& q, auto&, Link&) { q[4] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto&, auto& v, Link&) { v[0] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto&, auto&, Link& l) { l.X_BL.p.x = kNaN; }));
  CHECK_TRUE(Status::kNotUnitQuaternion == refused([](auto& q, auto&, Link&) { q[0] = 1; }));
  CHECK_TRUE(Status::kBadFrame == refused([](auto&, auto&, Link& l) { l.body = 2; }));
  CHECK_TRUE(Status::kBadFrame == refused([](auto&, auto&, Link& l) { l.body = -2; }));
  CHECK_TRUE(Status::kWrongSize == refused([](auto& q, auto&, Link&) { q.conservativeResize(4); }));
  CHECK_TRUE(Status::kWrongSize == refused([](auto&, auto& v, Link&) { v.conservativeResize(3); }));
  CHECK_TRUE(Status::kOverflow == refused([](auto& q, auto&, Link& l) {
               q << std::sqrt(0.5), 0, 0, std::sqrt(0.5), 1.5e308;
               l.X_BL.p = {0, 0, 1.5e308};
             }));
  Kinematics<Table>::Configs q = Eigen::VectorXd::Unit(5, 3);
  auto few = kinematics.make_jacobian();
  few = few.leftCols(3).eval();
  CHECK_TRUE(Status::kWrongSize ==
             kinematics.jacobian(q, Link(NamedFrame{.body = 1}), Axes::kOfWorld, few));
}

TEST(Kinematics, NeverAllocates) {
  Kinematics<TwoLinks> arm;
  LONGS_EQUAL(0, test::allocations_in([&] {
                Kinematics<TwoLinks>::Pose pose;
                auto J = arm.make_jacobian();
                constexpr auto kTool = link_frame<TwoLinks>("tool");
                CHECK_TRUE(Status::kOk == arm.pose({0, 0}, kTool, pose));
                CHECK_TRUE(Status::kOk == arm.jacobian({0, 0}, kTool, Axes::kOfLink, J));
                Kinematics<TwoLinks>::Momentum momentum;
                auto centre_J = arm.make_centre_jacobian();
                CHECK_TRUE(Status::kOk == arm.momentum({0, 0}, {1, 1}, momentum));
                CHECK_TRUE(Status::kOk == arm.centre_jacobian({0, 0}, centre_J));
              }));
}
