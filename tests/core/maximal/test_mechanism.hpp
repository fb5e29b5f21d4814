// Mechanisms for the tests: records, and a state beside them.
#pragma once

#include <CppUTest/TestHarness.h>

#include <Eigen/Dense>
#include <memory>
#include <vector>

#include "core/maximal/bodies.hpp"
#include "lockstep/maximal/lagrange_stepper.hpp"
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

// A mechanism in a table with its stepper and state, in one piece of the heap.
template <class T = double>
class TestRun {
 public:
  using Table = maximal::TableMechanism<T, 48, 48>;
  using Stepper = maximal::LagrangeStepper<Table>;

  explicit TestRun(const TestMechanism& mechanism) {
    CHECK_TRUE(Status::kOk == table_->assign(mechanism.bodies, mechanism.constraints));
    stepper_ = std::make_unique<Stepper>(*table_);
    state = stepper_->solver().make_state();
    loads = stepper_->solver().make_loads();
    LONGS_EQUAL(mechanism.x.size(), state.x.size());
    LONGS_EQUAL(mechanism.v.size(), state.v.size());
    for (Eigen::Index i = 0; i < state.x.size(); ++i) {
      state.x[i] = static_cast<T>(mechanism.x[static_cast<std::size_t>(i)]);
    }
    for (Eigen::Index i = 0; i < state.v.size(); ++i) {
      state.v[i] = static_cast<T>(mechanism.v[static_cast<std::size_t>(i)]);
    }
    settings.integrator = Integrator::kRungeKutta4;
  }

  const Table& table() const { return *table_; }
  Stepper& stepper() { return *stepper_; }
  auto& solver() { return stepper_->solver(); }

  void step() { CHECK_TRUE(Status::kOk == stepper_->step(state, loads, settings)); }
  void run(double seconds, int steps) {
    settings.dt = static_cast<T>(seconds / steps);
    for (int i = 0; i < steps; ++i) step();
  }

  template <class B>
  typename B::Pose pose(int body) const {
    return maximal::load<typename B::Pose>(state.x.data() + place(body).x);
  }
  maximal::BodyPlace place(int body) const {
    maximal::BodyPlace found;
    int i = 0;
    table_->bodies([&](const auto&, const maximal::BodyPlace& place) {
      if (i++ == body) found = place;
    });
    return found;
  }

  // Kinetic, and of gravity.
  double energy() const;
  // Linear, then angular about the world's origin; of bodies in space.
  Eigen::Matrix<double, 6, 1> momentum() const;

  typename Stepper::State state;
  typename Stepper::Loads loads;
  maximal::StepSettings<T> settings;

 private:
  std::unique_ptr<Table> table_ = std::make_unique<Table>();
  std::unique_ptr<Stepper> stepper_;
};

template <class T>
double TestRun<T>::energy() const {
  double sum = 0;
  table_->bodies([&]<class B>(const B& body, const maximal::BodyPlace& place) {
    const auto own = maximal::load<typename B::Pose>(state.x.data() + place.x);
    const auto M = body.mass_matrix(own);
    for (int i = 0; i < B::kDimension; ++i) {
      for (int j = 0; j < B::kDimension; ++j) {
        sum += 0.5 * static_cast<double>(state.v[place.v + i] * M[maximal::at(i)][maximal::at(j)] *
                                         state.v[place.v + j]);
      }
    }
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    for (int i = 0; i < (
                            B::kDimension == 3 && maximal::pose_count<B>() == 3 &&
                                    requires(typename B::Pose pose) { pose.angle; }
                                ? 2
                                : 3);
         ++i) {
      centre[i] = static_cast<double>(state.x[place.x + i]);
    }
    sum -= static_cast<double>(body.mass) * centre.dot(loads.gravity.template cast<double>());
  });
  return sum;
}

template <class T>
Eigen::Matrix<double, 6, 1> TestRun<T>::momentum() const {
  Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
  table_->bodies([&]<class B>(const B& body, const maximal::BodyPlace& place) {
    const auto own = maximal::load<typename B::Pose>(state.x.data() + place.x);
    const auto M = body.mass_matrix(own);
    Eigen::Matrix<double, 6, 1> p = Eigen::Matrix<double, 6, 1>::Zero();
    for (int i = 0; i < std::min(6, B::kDimension); ++i) {
      for (int j = 0; j < B::kDimension; ++j) {
        p[i] += static_cast<double>(M[maximal::at(i)][maximal::at(j)] * state.v[place.v + j]);
      }
    }
    const Eigen::Vector3d centre = state.x.template segment<3>(place.x).template cast<double>();
    p.tail<3>() += centre.cross(p.head<3>());
    sum += p;
  });
  return sum;
}

}  // namespace lockstep::test
