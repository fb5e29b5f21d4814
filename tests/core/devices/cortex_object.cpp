// Drivetrains, sensors and observers as a board would hold them, in both forms of a model.
// toolchain/check-no-heap reads the symbols of what comes out.
#include "lockstep/devices/drivetrains.hpp"
#include "lockstep/devices/inertial.hpp"
#include "lockstep/observe/disturbance.hpp"
#include "lockstep/observe/predictor.hpp"
#include "lockstep/observe/ratings.hpp"
#include "lockstep/table_model.hpp"

namespace lockstep {

// Not in an anonymous namespace: what only this file can see, compilers leave out.
struct DrivenArm {
  static constexpr std::uint64_t kHash = 0;
  static constexpr std::array<Node, 0> kForward = {};
  static constexpr std::array<Body, 2> kBodies = {{
      {.mass = 1, .h = {0.1, 0, 0}, .inertia = {0.1, 0, 0, 0.2, 0, 0.2}, .armature = 0.1},
      {.parent = 0, .joint = JointType::kPrismatic, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}},
  }};
};

template <class T>
using DrivenTable = TableModel<T, 8>;

template <class T>
struct Sensors {
  static T call(const Encoder<T>& encoder, EncoderState<T>& state, const Imu<T>& imu,
                const ForceTorque<T>& sensor, const BodyData<T>& body, const NoiseKey& key) {
    read(encoder, state, T(1), T(2), T(0.001), key);
    const Inertial<T> felt = read(imu, Inertial<T>{}, key);
    const Spatial<T> wrench = read(sensor, Spatial<T>{}, key);
    const T column[6] = {felt.force.x, felt.rate.y, wrench.linear.z, wrench.angular.x, T(0), T(0)};
    return share_of(joint_load(body, column), JointLoad<T>{});
  }
};

#define LOCKSTEP_INSTANTIATE_DEVICES(Model, T)  \
  template class Drivetrains<Model, T>;         \
  template class InertialMotion<Model, T>;      \
  template class DisturbanceObserver<Model, T>; \
  template class Predictor<Model, 4, T>;

#define LOCKSTEP_INSTANTIATE(T)                   \
  LOCKSTEP_INSTANTIATE_DEVICES(DrivenArm, T)      \
  LOCKSTEP_INSTANTIATE_DEVICES(DrivenTable<T>, T) \
  template struct Sensors<T>;

LOCKSTEP_INSTANTIATE(float)
#if LOCKSTEP_DOUBLE_FPU
LOCKSTEP_INSTANTIATE(double)
#endif

}  // namespace lockstep
