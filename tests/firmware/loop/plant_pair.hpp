// Quadrupeds with bounds, and the plants of compiled robots beside those of their tables.
#pragma once

#include <CppUTest/TestHarness.h>

#include <memory>

#include "loop/plant_device.hpp"
#include "quadruped.hpp"
#include "robot/plant.hpp"
#include "support/load_model.hpp"

namespace lockstep::test {

using firmware::Bounds;

struct Standing : quadruped {
  static constexpr Bounds kBounds = {
      .position = true, .friction = true, .contacts = 12, .ground = true, .height = 0.25};
  static constexpr std::uint64_t kHash = firmware::hash_with(quadruped::kHash, kBounds);
  static constexpr bool kIsDriven = true;
};
struct Crowded : quadruped {  // more feet than room
  static constexpr Bounds kBounds = {.contacts = 2, .ground = true};
};
// a step of 4 cm in the ground under the fore feet, met by sweeps
inline constexpr double kHeights[] = {0.1, 0.1, 0.14, 0.1, 0.1, 0.14, 0.1, 0.1, 0.14};
struct Rough : quadruped {
  static constexpr Bounds kBounds = {
      .friction = true,
      .solver = RowSolver::kGaussSeidel,
      .contacts = 8,
      .field = {.x = -1, .y = -1, .spacing = 1, .columns = 3, .rows = 3, .heights = kHeights},
      .ground_friction = 0.7};
  static constexpr bool kIsDriven = true;
};
struct Apart : quadruped {  // legs meet each other, and nothing else
  static constexpr Bounds kBounds = {.velocity = true, .contacts = 4};
};

// A compiled robot and its table, side by side.
template <class Model, class T>
class Pair {
 public:
  Pair(const host::Tree& tree, const host::Bounds& bounds) {
    fixed = std::make_unique<firmware::Plant<Model, T>>(compiled_);
    table_ = host::make_loop_robot<T>(tree);
    any = std::make_unique<host::HostPlant<T>>(*table_, tree, bounds);
    settings.resize(compiled_.view().counts().v);
    table_settings_.resize(compiled_.view().counts().v);
  }

  void set(const Eigen::VectorXd& q) {
    const auto rest = [&](auto& plant) {
      plant.incoming().q = q.cast<T>();
      plant.incoming().v.setZero(), plant.incoming().tau.setZero();
      CHECK_TRUE(Status::kOk == plant.set_state(0, 1));
    };
    rest(*fixed), rest(*any);
  }
  void advance(int steps) {
    table_settings_.drive = settings.drive;
    table_settings_.integrator = settings.integrator;
    table_settings_.kp = settings.kp, table_settings_.kd = settings.kd;
    table_settings_.limits.effort = settings.limits.effort;
    for (int i = 0; i < steps; ++i) {
      CHECK_TRUE(Status::kOk == fixed->advance(settings));
      CHECK_TRUE(Status::kOk == any->advance(table_settings_));
      CHECK_TRUE(fixed->hash() == any->hash());
    }
  }
  const auto& host() const { return std::as_const(*any).stepping(); }

  firmware::Settings<StaticModel<Model, T>, T> settings;
  std::unique_ptr<firmware::Plant<Model, T>> fixed;
  std::unique_ptr<host::HostPlant<T>> any;

 private:
  firmware::Robot<Model, T> compiled_;
  std::unique_ptr<host::LoopRobot<T>> table_;
  host::LoopSettings<T> table_settings_;
};

// The zero pose of the quadruped, its feet at this height.
inline Eigen::VectorXd stretched(double feet) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(19);
  q[2] = feet + 0.384;
  q[6] = 1;
  return q;
}

}  // namespace lockstep::test
