// Mechanisms for the tests: records, and a state beside them.
#pragma once

#include <CppUTest/TestHarness.h>

#include <Eigen/Dense>
#include <memory>
#include <vector>

#include "core/maximal/bodies.hpp"
#include "core/maximal/test_steppers.hpp"
#include "support/tolerance.hpp"

namespace lockstep::test {

inline const Placement<double> kAtOrigin = placement(Eigen::Isometry3d::Identity());

inline Placement<double> at_point(double x, double y, double z) { return {kAtOrigin.R, {x, y, z}}; }

template <class B>
constexpr maximal::BodyType kTypeOf = maximal::BodyType::kParticle;
template <>
inline constexpr auto kTypeOf<PlanarBody> = maximal::BodyType::kPlanar;
template <>
inline constexpr auto kTypeOf<RigidBody> = maximal::BodyType::kRigid;
template <>
inline constexpr auto kTypeOf<ScalingBody> = maximal::BodyType::kScaling;
template <>
inline constexpr auto kTypeOf<StretchingBody> = maximal::BodyType::kStretching;

struct TestMechanism {
  std::vector<maximal::BodyRecord> bodies;
  std::vector<maximal::ConstraintRecord> constraints;
  std::vector<double> x, v;

  template <class B>
  int add(const B& body, const typename B::Pose& pose,
          const maximal::Vector<double, B::kDimension>& velocity = {}) {
    bodies.push_back(
        {static_cast<int>(kTypeOf<B>), maximal::to_numbers<maximal::kMaxBodyNumbers>(body)});
    const std::size_t first = x.size();
    x.resize(first + static_cast<std::size_t>(maximal::pose_count<B>()));
    maximal::store(pose, x.data() + first);
    v.insert(v.end(), velocity.begin(), velocity.end());
    return static_cast<int>(bodies.size()) - 1;
  }

  template <class C>
  void connect(maximal::ConstraintType type, int a, const Placement<double>& X_A, int b,
               const Placement<double>& X_B, const C& constraint) {
    const maximal::Between<C> between = {X_A, X_B, constraint};
    constraints.push_back({static_cast<int>(type), a, b,
                           maximal::to_numbers<maximal::kMaxConstraintNumbers>(between)});
  }
};

// M and J as wholes, and the rows' numbers.
struct DenseRows {
  Eigen::MatrixXd M, J;
  Eigen::VectorXd inertial, c, velocity_error, phi_t, value;
};

// A mechanism in a table with its stepper and state, on the heap.
template <class T = double>
class TestRun {
 public:
  using Table = TestTable<T>;
  using Stepper = TestStepper<Sparse<T>>;

  explicit TestRun(const TestMechanism& mechanism);

  const Table& table() const { return *table_; }
  Stepper& stepper() { return stepper_; }
  auto& solver() { return stepper_.solver(); }

  void step() { CHECK_TRUE(Status::kOk == stepper_.step(state, loads, settings)); }
  void run(double seconds, int steps) {
    settings.dt = static_cast<T>(seconds / steps);
    for (int i = 0; i < steps; ++i) step();
  }

  template <class B>
  typename B::Pose pose(int body) const {
    return maximal::load<typename B::Pose>(state.x.data() + place(body).x);
  }
  maximal::BodyPlace place(int body) const;

  // Kinetic, and of gravity.
  double energy() const;
  // Linear, then angular about the world's origin; of bodies in space.
  Eigen::Matrix<double, 6, 1> momentum() const;
  // Of the bodies and constraints themselves, at the state; columns are where the records say.
  DenseRows dense_rows(const TestMechanism& mechanism) const;

  typename Stepper::State state;
  typename Stepper::Loads loads;
  StepSettings<T> settings;

 private:
  static std::unique_ptr<Table> assigned(const TestMechanism& mechanism);

  std::unique_ptr<Table> table_;
  Stepper stepper_;
};

extern template class TestRun<double>;
extern template class TestRun<float>;

}  // namespace lockstep::test
