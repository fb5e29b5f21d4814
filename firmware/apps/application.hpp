// The model and the scalar of the build, and how an application starts with them.
#pragma once

#include <type_traits>

#include "apps/place.hpp"
#include "lockstep/auxiliary/model_rows.hpp"
#include "loop/bounds.hpp"
#include "loop/serve.hpp"

#if LOCKSTEP_TABLE_BODIES
#include "lockstep/table_model.hpp"
#else
#include "robot.hpp"
#if __has_include("ground.hpp")
#include "ground.hpp"
#endif
#if LOCKSTEP_HAS_DEVICES
#include "robot_devices.hpp"
#endif
#endif

namespace lockstep::firmware {

using Scalar = LOCKSTEP_SCALAR;
#if LOCKSTEP_TABLE_BODIES
using Model = TableModel<Scalar, LOCKSTEP_TABLE_BODIES, false>;  // rotors do not travel
#else
#if defined LOCKSTEP_BOUNDS
struct BoundedRobot : robot {
  static constexpr Bounds kBounds = LOCKSTEP_BOUNDS;
  static constexpr std::uint64_t kHash = hash_with(robot::kHash, kBounds);
  static constexpr bool kIsDriven = true;
};
#else
using BoundedRobot =
    std::conditional_t<ModelRows<robot, Scalar>::kCount != 0, Driven<robot>, robot>;
#endif
#if LOCKSTEP_HAS_DEVICES
struct Model : BoundedRobot {
  template <class T>
  using Devices = robot_devices<T>;
  static constexpr std::uint64_t kHash =
      hash_with_devices(BoundedRobot::kHash, robot_devices<Scalar>::kHash);
  static constexpr bool kIsDriven = true;
};
#else
using Model = BoundedRobot;
#endif
#endif

template <template <class, class, class> class Device>
[[noreturn]] void run_application() {
  using ThisDevice = Device<Model, Scalar, ThisBoard>;
  static Place<ThisDevice> place;
  serve(*new (&place) ThisDevice);
}

}  // namespace lockstep::firmware
