// Bodies and constraints in maximal coordinates as a board would hold them.
#include "lockstep/constraint/distance.hpp"
#include "lockstep/constraint/gear.hpp"
#include "lockstep/constraint/joints.hpp"
#include "lockstep/constraint/prescribed.hpp"
#include "lockstep/constraint/rolling.hpp"
#include "lockstep/constraint/surface.hpp"
#include "lockstep/constraint/tangency.hpp"
#include "lockstep/maximal/contacts.hpp"
#include "lockstep/maximal/impulse_stepper.hpp"
#include "lockstep/maximal/lagrange_stepper.hpp"
#include "lockstep/maximal/particle.hpp"
#include "lockstep/maximal/planar_body.hpp"
#include "lockstep/maximal/rigid_body.hpp"
#include "lockstep/maximal/scaling_body.hpp"
#include "lockstep/maximal/stretching_body.hpp"

namespace lockstep::maximal {

// What is a function template and no class.
template <class C>
struct Evaluate {
  using T = typename C::Scalar;
  template <class B>
  using Velocity = Vector<T, B::kDimension>;

  static auto call(const Between<C>& between, const StretchingBody<T>& A,
                   const typename StretchingBody<T>::Pose& pose_A,
                   const Velocity<StretchingBody<T>>& v_A, const RigidBody<T>& B,
                   const typename RigidBody<T>::Pose& pose_B, const Velocity<RigidBody<T>>& v_B,
                   T time) {
    return between.evaluate(A, pose_A, v_A, B, pose_B, v_B, time);
  }
};

// A top on a ball joint and a particle on a rod.
struct TopAndRod {
  template <class T>
  using Types = StandardTypes<T>;
  static constexpr std::array<BodyRecord, 2> kBodies = {{
      {static_cast<int>(BodyType::kRigid), {1, 0.1, 0, 0, 0.1, 0, 0.2}},
      {static_cast<int>(BodyType::kParticle), {0.5}},
  }};
  static constexpr std::array<ConstraintRecord, 2> kConstraints = {{
      {static_cast<int>(ConstraintType::kBall), kWorld, 0, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
                                                            1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -0.3}},
      {static_cast<int>(ConstraintType::kDistance), 0, 1, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0.3, 1,
                                                           0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.5}},
  }};
};

// On a table only what a step calls: records in double become numbers where there is a double unit.
template <class T>
struct TableStep {
  using Table = TableMechanism<T, 4, 4>;
  static Status call(LagrangeStepper<Table>& stepper, State<Table>& state,
                     const typename Lagrange<Table>::Loads& loads,
                     const StepSettings<T>& settings) {
    return stepper.step(state, loads, settings);
  }
};

// Steps of what touches.
template <class T>
struct ContactStep {
  using Mechanism = StaticMechanism<TopAndRod, T>;
  using Touching = Contacts<Mechanism, 4, 1>;
  static Status call(LagrangeStepper<Mechanism>& stepper, State<Mechanism>& state,
                     const typename Lagrange<Mechanism>::Loads& loads,
                     const StepSettings<T>& settings, Touching& contacts) {
    return stepper.step(state, loads, settings, contacts);
  }
  static Status call(ImpulseStepper<Mechanism>& stepper, State<Mechanism>& state,
                     const typename Lagrange<Mechanism>::Loads& loads,
                     const ImpulseSettings<T>& settings, Touching& contacts) {
    return stepper.step(state, loads, settings, contacts);
  }
};

#define LOCKSTEP_INSTANTIATE(T)                                         \
  template struct Particle<T>;                                          \
  template struct PlanarBody<T>;                                        \
  template struct RigidBody<T>;                                         \
  template struct ScalingBody<T>;                                       \
  template struct StretchingBody<T>;                                    \
  template class LagrangeStepper<StaticMechanism<TopAndRod, T>>;        \
  template class ImpulseStepper<StaticMechanism<TopAndRod, T>>;         \
  template struct TableStep<T>;                                         \
  template struct ContactStep<T>;                                       \
  template struct Evaluate<Distance<T>>;                                \
  template struct Evaluate<Strut<T>>;                                   \
  template struct Evaluate<EllipsoidTangency<T>>;                       \
  template struct Evaluate<Fixed<T>>;                                   \
  template struct Evaluate<Gear<T>>;                                    \
  template struct Evaluate<PointOnSurface<T>>;                          \
  template struct Evaluate<RollingBall<T>>;                             \
  template struct Evaluate<RollingDisc<T>>;                             \
  template struct Evaluate<Both<Revolute<T>, FollowAngle<T, Sine<T>>>>; \
  template struct Evaluate<Both<Prismatic<T>, Follow<PointOnPlane<T>, Ramp<T>>>>;

LOCKSTEP_INSTANTIATE(float)
#if LOCKSTEP_DOUBLE_FPU
LOCKSTEP_INSTANTIATE(double)
#endif

}  // namespace lockstep::maximal
