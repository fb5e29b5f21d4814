// A crank, a coupler and a rocker with a geared rotor, and on the coupler an arm whose tip is a
// ball above the floor: a loop, a coupling, ends, dry friction and a contact in one machine. All
// axes along z; gravity along -y.
#pragma once

#include <cmath>

#include "core/auxiliary/test_solvers.hpp"

namespace lockstep::test {

// Its sizes and pieces.
struct MachineParts {
  static constexpr double kCrank = 0.3, kCoupler = 1.0, kRocker = 0.8, kGround = 1.0;
  static constexpr double kArm = 0.5, kBall = 0.05, kRatio = 3;
  static constexpr int kDofs = 6, kTip = 5;  // the body with the ball

  static constexpr Body rod(double length, int parent, double at, double friction) {
    const double I = length * length / 3;
    return {.parent = parent,
            .p_PJ = {at, 0, 0},
            .mass = 1,
            .h = {length / 2, 0, 0},
            .inertia = {0.001, 0, 0, I, 0, I},
            .friction = friction};
  }
  static constexpr maximal::ConstraintRecord joined_tips() {
    maximal::ConstraintRecord record{static_cast<int>(maximal::ConstraintType::kRevolute), 1, 2};
    for (const std::size_t i : {0u, 4u, 8u, 12u, 16u, 20u}) record.numbers[i] = 1;  // unturned
    record.numbers[9] = kCoupler, record.numbers[21] = kRocker;                     // along x
    return record;
  }
};

struct BoundedMachine : MachineParts {
  static constexpr std::uint64_t kHash = 0;
  static constexpr std::array<Node, 0> kForward = {};
  static constexpr std::array<Body, kDofs> kBodies = [] {
    std::array<Body, kDofs> bodies = {
        rod(kCrank, kWorld, 0, 0.3),       rod(kCoupler, 0, kCrank, 0),
        rod(kRocker, kWorld, kGround, 0),  Body{.inertia = {0, 0, 0, 0, 0, 0.01}},
        rod(kArm, 1, 0.5 * kCoupler, 0.2), rod(kArm, 4, kArm, 0)};
    bodies[2].limits.lower = -0.4, bodies[2].limits.velocity = 20;
    bodies[5].limits.upper = 0.2;
    return bodies;
  }();
  static constexpr std::array<maximal::ConstraintRecord, 1> kLoops = {joined_tips()};
  static constexpr std::array<Coupling, 1> kCouplings = {{{.first = 0, .count = 2}}};
  static constexpr std::array<CouplingTerm, 2> kCouplingTerms = {
      {{.body = 0, .coefficient = -kRatio}, {.body = 3, .coefficient = 1}}};

  static host::Tree tree() {
    host::Tree tree;
    tree.bodies.assign(kBodies.begin(), kBodies.end());
    tree.loops.assign(kLoops.begin(), kLoops.end());
    tree.couplings.assign(kCouplings.begin(), kCouplings.end());
    tree.terms.assign(kCouplingTerms.begin(), kCouplingTerms.end());
    return tree;
  }

  // The closed pose at a crank's angle, from the intersection of two circles.
  static std::array<double, kDofs> pose(double crank, double arm, double forearm) {
    const double x = kCrank * std::cos(crank) - kGround, y = kCrank * std::sin(crank);
    const double reach = std::hypot(x, y);
    const double inner =
        (kRocker * kRocker + reach * reach - kCoupler * kCoupler) / (2 * kRocker * reach);
    const double rocker = std::atan2(y, x) - std::acos(inner);
    const double to_x = kGround + kRocker * std::cos(rocker) - kCrank * std::cos(crank);
    const double to_y = kRocker * std::sin(rocker) - kCrank * std::sin(crank);
    return {crank, std::atan2(to_y, to_x) - crank, rocker, kRatio * crank, arm, forearm};
  }

  template <class T>
  static constexpr contact::Collider<T> ball(const T& friction) {
    const T o(0), one(1);
    return {.body = kTip,
            .X_BS = {{{one, o, o}, {o, one, o}, {o, o, one}}, {static_cast<T>(kArm), o, o}},
            .shape = contact::sphere(static_cast<T>(kBall)),
            .material = {.friction = friction}};
  }
  template <class T>
  static constexpr contact::Plane<T> floor(const T& height, const T& friction) {
    return {.normal = {T(0), T(1), T(0)}, .offset = height, .material = {.friction = friction}};
  }
};

// Compiled as test_solvers.hpp says.
template <class T>
class MachineStepper : public BoundedStepper<BoundedMachine, T, kTestRoom> {
  using Base = BoundedStepper<BoundedMachine, T, kTestRoom>;

 public:
  using typename Base::Demands;
  using typename Base::Input;
  using typename Base::Settings;

  explicit MachineStepper(const Scene<T>& scene = {});
  [[nodiscard]] Status step(Input& state, const Settings& settings, const Demands& demands = {});
};

extern template class MachineStepper<double>;
extern template class MachineStepper<float>;

}  // namespace lockstep::test
