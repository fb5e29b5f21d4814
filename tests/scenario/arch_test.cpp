// A semicircular arch of dry blocks on fixed abutments, each a wedge of two plates whose outer
// faces are its joints, against the statics of its line of thrust: it stands where some line stays
// within thickness and friction, and falls where none does.
#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "robot/bounded_tables.hpp"
#include "support/long_test.hpp"
#include "support/tolerance.hpp"

namespace lockstep::test {

namespace {

constexpr double kGravity = 9.81, kDensity = 2000, kWidth = 0.2, kRadius = 1;
constexpr int kBlocks = 10, kHalf = kBlocks / 2;

constexpr double kWedge = std::numbers::pi / kBlocks;

struct Arch {
  double thickness, friction;

  double inner() const { return kRadius - thickness / 2; }
  double outer() const { return kRadius + thickness / 2; }
  double mass() const { return kDensity * kWidth * kWedge * kRadius * thickness; }
  // of a block's centre from that of the arch
  double centre() const {
    const double third = std::pow(outer(), 3) - std::pow(inner(), 3);
    return third / (3 * kRadius * thickness) * std::sin(kWedge / 2) / (kWedge / 2);
  }
};

// Of the arch from its crown to a joint at `angle` from upright: what it weighs, and the moment of
// that about the arch's centre. A thrust H across the crown with the moment M there crosses the
// joint with N = V sin + H cos along its normal, at (A + M) / N from the arch's centre.
struct Part {
  double angle, V, A;
  double normal(double H) const { return V * std::sin(angle) + H * std::cos(angle); }
  double shear(double H) const { return V * std::cos(angle) - H * std::sin(angle); }
};
std::vector<Part> parts(const Arch& arch) {
  std::vector<Part> all = {{0, 0, 0}};
  const double weight = kGravity * arch.mass();
  for (int i = 0; i < kHalf; ++i) {
    const double lever = arch.centre() * std::sin((i + 0.5) * kWedge);
    all.push_back({(i + 1) * kWedge, all.back().V + weight, all.back().A + weight * lever});
  }
  return all;
}

// The thrusts with which some line stays within every joint and its cone; none: least > most.
struct Thrusts {
  double least = 1e9, most = -1e9;
  bool stands() const { return least <= most; }
};
Thrusts thrusts(const Arch& arch) {
  const auto all = parts(arch);
  Thrusts found;
  for (int i = 1; i < 20000; ++i) {
    const double H = all.back().V * i / 10000;
    double low = -1e9, high = 1e9;
    bool grips = true;
    for (const Part& part : all) {
      const double N = part.normal(H);
      low = std::max(low, arch.inner() * N - part.A);
      high = std::min(high, arch.outer() * N - part.A);
      grips = grips && std::abs(part.shear(H)) <= arch.friction * N;
    }
    if (low <= high && grips) found.least = std::min(found.least, H), found.most = H;
  }
  return found;
}
// The least value with which an arch stands.
template <class F>
double least_that_stands(double low, double high, F&& arch) {
  for (int i = 0; i < 30; ++i) {
    const double middle = (low + high) / 2;
    (thrusts(arch(middle)).stands() ? high : low) = middle;
  }
  return high;
}

contact::ColliderRecord plate(int body, double angle, double along, double thick, double radial,
                              double below, double friction) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {.body = body,
          .type = contact::ShapeType::kBox,
          .half = {thick / 2, kWidth / 2, radial / 2},
          .R_BS = {c, 0, s, 0, 1, 0, -s, 0, c},
          .p_BS = {c * along + s * kRadius, 0, -s * along + c * kRadius - below},
          .friction = friction};
}

template <class T>
class Blocks {
 public:
  explicit Blocks(const Arch& arch) {
    constexpr double kThick = 0.02;
    const double m = arch.mass(), h = arch.thickness, length = kWedge * kRadius;
    const auto I = [&](double a, double b) { return m / 12 * (a * a + b * b); };
    for (int i = 0; i < kBlocks; ++i) {
      tree_.bodies.push_back({.joint = JointType::kFloating,
                              .mass = m,
                              .inertia = {I(kWidth, h), 0, 0, I(length, h), 0, I(length, kWidth)}});
      for (const double side : {-1.0, 1.0}) {
        tree_.colliders.push_back(plate(i, side * kWedge / 2, -side * kThick / 2, kThick, h,
                                        arch.centre(), arch.friction));
      }
      tree_.collider_pairs.push_back({i == 0 ? 2 * kBlocks : 2 * i - 1, 2 * i});
    }
    tree_.collider_pairs.push_back({2 * kBlocks - 1, 2 * kBlocks + 1});
    for (const double side : {-1.0, 1.0}) {
      tree_.colliders.push_back(plate(kWorld, side * std::numbers::pi / 2, side * kThick / 2,
                                      kThick, 3 * h, 0, arch.friction));
    }
    model_ = host::to_table<T>(tree_);
    tables_ = std::make_unique<host::BoundedTables<T>>(tree_, host::Bounds{});
    stepper_ = std::make_unique<host::HostBoundedStepper<T>>(*model_, host::TreeRows<T>(tree_),
                                                             tables_->joints, tables_->scene({}));
    state_ = stepper_->make_input();
    for (int i = 0; i < kBlocks; ++i) {
      const double angle = (i + 0.5) * kWedge - std::numbers::pi / 2;
      const Eigen::Vector3d place = {std::sin(angle), 0, std::cos(angle)};
      state_.q.segment(7 * i, 3) = (arch.centre() * place).cast<T>();
      state_.q.segment(7 * i + 3, 4) << 0, T(std::sin(angle / 2)), 0, T(std::cos(angle / 2));
    }
    start_ = state_.q;
  }

  // How far a block goes at most.
  double run(double seconds) {
    for (int i = 0; i < std::lround(1000 * seconds); ++i) {
      const Status status = stepper_->step(state_, {.dt = T(1e-3)});
      CHECK(has_moved(status));
      short_stops += status == Status::kOk ? 0 : 1;
      LONGS_EQUAL(0, stepper_->result().pivots);
    }
    double most = 0;
    for (int i = 0; i < kBlocks; ++i) {
      most = std::max(most, double((state_.q - start_).segment(7 * i, 3).norm()));
    }
    return most;
  }

  // What presses block i from its left, or the right abutment, with its moment about the centre.
  struct Across {
    double H = 0, V = 0, moment = 0;
  };
  Across across(int i) const {
    const int left = i == 0 ? kWorld : i - 1, right = i == kBlocks ? kWorld : i;
    Across sum;
    for (const auto& [contact, normal, friction] : stepper_->result().contacts()) {
      const bool ordered = contact.a == right && contact.b == left;
      if (!ordered && !(contact.a == left && contact.b == right)) continue;
      const Vec3<T> f = (ordered ? T(1) : T(-1)) * (normal * contact.normal + friction);
      sum.H += double(f.x), sum.V += double(f.z);
      sum.moment += double(contact.point.z * f.x - contact.point.x * f.z);
    }
    return sum;
  }

  int short_stops = 0;

 private:
  host::Tree tree_;
  std::unique_ptr<TableModel<T, host::kHostBodies>> model_;
  std::unique_ptr<host::BoundedTables<T>> tables_;
  std::unique_ptr<host::HostBoundedStepper<T>> stepper_;
  typename host::HostBoundedStepper<T>::Input state_;
  Eigen::VectorX<T> start_;
};

constexpr double kRough = 0.9;
double least_thickness() {
  return least_that_stands(0.02, 0.5, [](double h) { return Arch{h, kRough}; });
}
double least_friction(double thickness) {
  return least_that_stands(0.01, 2, [&](double m) { return Arch{thickness, m}; });
}

// Every joint bears what is above it, along the line that the thrust at the crown has.
template <class T>
void check_stands(const Arch& arch, double seconds, double farthest, double share) {
  Blocks<T> blocks(arch);
  CHECK_AT_MOST(farthest, blocks.run(seconds), "m, a block that moved");
  LONGS_EQUAL(0, blocks.short_stops);
  const auto [H, V, M] = blocks.across(kHalf);
  const auto all = parts(arch);
  const double half = all.back().V;
  const Thrusts allowed = thrusts(arch);
  CHECK_AT_MOST((1 + share) * allowed.most, H, "N, thrust");
  CHECK_AT_MOST(H, (1 - share) * allowed.least, "N, least thrust");
  for (int side : {-1, 1}) {
    for (int k = 0; k <= kHalf; ++k) {
      const Part& part = all[at(k)];
      const auto joint = blocks.across(kHalf + side * k);
      DOUBLES_EQUAL(H, joint.H, share * H);
      DOUBLES_EQUAL(-side * part.V, joint.V, share * half);
      DOUBLES_EQUAL(part.A + M, joint.moment, share * (part.A + M));
    }
  }
}
void check_falls(const Arch& arch) {
  CHECK(!thrusts(arch).stands());
  CHECK_AT_MOST(Blocks<double>(arch).run(2), 0.5, "m, what should have fallen");
}

}  // namespace

TEST_GROUP(Arch){};

// Milankovitch, 1907: 0.1075 of the radius.
TEST(Arch, StaticsHasTheKnownThickness) { DOUBLES_EQUAL(0.1075, least_thickness(), 2e-4); }

LONG_TEST(Arch, StandsForAMinute) {
  check_stands<double>({1.1 * least_thickness(), kRough}, 60, 1e-5, 1e-3);
}
TEST(Arch, StandsInFloat) {
  check_stands<float>({1.1 * least_thickness(), kRough}, 10, 1e-4, 0.01);
}

TEST(Arch, FallsWhereItIsTooThin) {
  const double least = least_thickness();
  check_stands<double>({1.03 * least, kRough}, 3, 1e-5, 1e-3);
  check_falls({0.97 * least, kRough});
}

// Its blocks slide out where they grip too little.
TEST(Arch, FallsWhereItIsTooSmooth) {
  const double thick = 1.5 * least_thickness(), least = least_friction(thick);
  check_stands<double>({thick, 1.03 * least}, 3, 1e-5, 1e-3);
  check_falls({thick, 0.97 * least});
}

}  // namespace lockstep::test
