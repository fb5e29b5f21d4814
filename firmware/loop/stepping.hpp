// How the state of a plant moves on by a step: a tree by JointStepper, one with the loops and
// couplings of its model by ClosedStepper, one with bounds (bounds.hpp) by BoundedStepper. Room for
// rows and contacts is that of the model, and no more. kHolds: drives may hold such a plant, if the
// model is one that has them (Driven); a tree does without their code. Of a model with devices each
// takes the gains and frictions of drivetrains.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <type_traits>

#include "lockstep/auxiliary/bounded_stepper.hpp"
#include "lockstep/auxiliary/closed_stepper.hpp"
#include "lockstep/contact/model_colliders.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "loop/bounds.hpp"
#include "loop/robot.hpp"
#include "loop/settings.hpp"

namespace lockstep::firmware {

// Whose joints have drivetrains, or which has sensors: Model::Devices<T> (equipped_plant.hpp).
template <class Model>
concept EquippedModel = requires {
  typename Model::template Devices<float>;
};

template <class Model, class T>
class TreeStepping {
 public:
  using Stepper = JointStepper<Model, T>;
  using View = typename Stepper::View;
  static constexpr bool kHolds = false, kAnyIntegrator = true;

  explicit TreeStepping(const Robot<Model, T>& robot) : stepper_(robot.template make<Stepper>()) {}
  auto make_input() const { return stepper_.make_input(); }
  Status step(typename Stepper::Input& state, const Settings<View, T>& settings) {
    return stepper_.step(state, settings.dt, settings.integrator);
  }
  Status step(typename Stepper::Input& state, const Settings<View, T>& settings,
              const DriveGains<T>& drives) requires(View::kIsDriven) {
    return stepper_.step(state, settings.dt, settings.integrator, drives);
  }

 protected:
  Stepper stepper_;
};

// Of a compiled robot, its errors pulled back by Baumgarte's terms.
template <class Model, class T>
class ClosedStepping {
 public:
  using Stepper = ClosedStepper<Model, T, ModelRows<Model, T>::kCount>;
  using View = typename Stepper::View;
  static constexpr bool kHolds = View::kIsDriven, kAnyIntegrator = true;

  explicit ClosedStepping(const Robot<Model, T>&) {}
  auto make_input() const { return stepper_.make_input(); }
  Status step(typename Stepper::Input& state, const Settings<View, T>& settings) {
    return stepper_.step(state, {.dt = settings.dt, .integrator = settings.integrator});
  }
  Status step(typename Stepper::Input& state, const Settings<View, T>& settings,
              const DriveGains<T>& drives) requires(kHolds) {
    return stepper_.step(state, {.dt = settings.dt, .integrator = settings.integrator}, drives);
  }

 protected:
  Stepper stepper_;
};

// Of a compiled robot with kBounds.
template <class Model, class T>
inline constexpr auto kActingBounds = [] {
  std::array<JointLimits<T>, Model::kBodies.size()> joints{};
  for (std::size_t i = 0; i < joints.size(); ++i) {
    joints[i] = joint_bounds<T>(Model::kBodies[i], Model::kBounds);
  }
  return joints;
}();

// For every row that a step can have.
template <class Model, class T>
constexpr Room room_of() {
  int rows = ModelRows<Model, T>::kCount;
  for (std::size_t i = 0; i < Model::kBodies.size(); ++i) {
    if (dof_count(Model::kBodies[i].joint) == 1) rows += most_rows(kActingBounds<Model, T>[i]);
  }
  const int contacts =
      std::min(Model::kBounds.contacts, contact::ModelColliders<Model, T>::kMostContacts);
  return {.rows = rows + contact::kRowsOfContact * contacts,
          .contacts = contacts,
          .blocks = contacts > 0 ? off_diagonal_blocks<Model>() : 0};
}

template <class Model, class T>
class BoundedStepping {
  static constexpr Bounds kBounds = Model::kBounds;
  static constexpr Room kRoom = room_of<Model, T>();
  using Colliders = contact::ModelColliders<Model, T>;

  static constexpr auto kHeights = [] {
    std::array<T, kBounds.field.heights.size()> heights{};
    for (std::size_t i = 0; i < heights.size(); ++i) {
      heights[i] = static_cast<T>(kBounds.field.heights[i]);
    }
    return heights;
  }();

  static constexpr auto ground() {
    constexpr contact::Material<T> kMaterial = {static_cast<T>(kBounds.ground_friction),
                                                static_cast<T>(kBounds.ground_restitution)};
    if constexpr (!kHeights.empty()) {
      constexpr Field kField = kBounds.field;
      return contact::HeightField<T>{.x = static_cast<T>(kField.x),
                                     .y = static_cast<T>(kField.y),
                                     .spacing = static_cast<T>(kField.spacing),
                                     .columns = kField.columns,
                                     .rows = kField.rows,
                                     .heights = kHeights,
                                     .material = kMaterial};
    } else if constexpr (kBounds.ground) {
      return contact::Plane<T>{.offset = static_cast<T>(kBounds.height), .material = kMaterial};
    } else {
      return contact::NoGround<T>{};
    }
  }
  using Ground = decltype(ground());

  static Scene<T, Ground> scene() {
    if constexpr (kRoom.contacts == 0) {
      return {};
    } else {
      return {Colliders::colliders(), Colliders::pairs(), ground()};
    }
  }

 public:
  using Stepper = BoundedStepper<Model, T, kRoom, ModelRows<Model, T>, Ground>;
  using View = typename Stepper::View;
  // velocities jump where something is met
  static constexpr bool kHolds = View::kIsDriven, kAnyIntegrator = false;

  explicit BoundedStepping(const Robot<Model, T>&) : stepper_(View(), {}, joints_, scene()) {}
  auto make_input() const { return stepper_.make_input(); }
  Status step(typename Stepper::Input& state, const Settings<View, T>& settings,
              const DriveGains<T>& drives = {}) {
    return stepper_.step(
        state, {.dt = settings.dt, .solver = kBounds.solver, .newton = newton_options<T>(kBounds)},
        {.gains = drives});
  }
  void forget() { stepper_.forget(); }

  // The dry friction of a joint that rubs, in the steps to come.
  void rub(int body, const T& friction) requires(EquippedModel<Model>) {
    constexpr T kLeast = std::numeric_limits<T>::min();  // it still rubs
    T& own = joints_[at(body)].friction;
    if (own > T(0)) own = friction > kLeast ? friction : kLeast;
  }

 private:
  using Joints = std::remove_const_t<decltype(kActingBounds<Model, T>)>;
  struct Shared {  // of all that never change
    constexpr operator std::span<const typename Joints::value_type>() const {
      return kActingBounds<Model, T>;
    }
  };
  static constexpr auto first_joints() {
    if constexpr (EquippedModel<Model>) {
      return kActingBounds<Model, T>;
    } else {
      return Shared();
    }
  }
  [[no_unique_address]] decltype(first_joints()) joints_ = first_joints();

 protected:
  Stepper stepper_;
};

// Stepping: one of the above, of a model with devices.
template <class Stepping, class T>
class EquippedStepping : public Stepping {
 public:
  using Stepping::Stepping;
  using Input = typename Stepping::Stepper::Input;

  // Of the steps to come, where none are handed in: gains of drivetrains, kept by the caller.
  void assist(const DriveGains<T>& gains) { gains_ = gains; }
  void rub([[maybe_unused]] int body, [[maybe_unused]] const T& friction) {
    if constexpr (requires(Stepping own) { own.rub(body, friction); }) {
      Stepping::rub(body, friction);
    }
  }
  Status step(Input& state, const Settings<typename Stepping::View, T>& settings,
              const DriveGains<T>& given = {}) {
    stepped_ = true;
    return Stepping::step(state, settings, given.kp != nullptr ? given : gains_);
  }
  void forget() {
    stepped_ = false;
    if constexpr (requires(Stepping own) { own.forget(); }) Stepping::forget();
  }
  // What a joint passed to its body in the last step; zero before the first from a state.
  Spatial<T> wrench(int body) const {
    if (!stepped_) return {};
    const T* own = this->stepper_.output().reaction.data() + 6 * body;
    return {{own[0], own[1], own[2]}, {own[3], own[4], own[5]}};
  }

 private:
  DriveGains<T> gains_ = {};
  bool stepped_ = false;
};

template <class Model>
concept BoundedModel = requires {
  Model::kBounds;
};

template <class Model, class T>
struct ChooseStepping {
  using Type = TreeStepping<Model, T>;
};
template <EmittedModel Model, class T>
requires(ModelRows<Model, T>::kCount > 0 && !BoundedModel<Model>) struct ChooseStepping<Model, T> {
  using Type = ClosedStepping<Model, T>;
};
template <EmittedModel Model, class T>
requires BoundedModel<Model>
struct ChooseStepping<Model, T> {
  using Type = BoundedStepping<Model, T>;
};
template <class Model, class T, class Chosen = typename ChooseStepping<Model, T>::Type>
using SteppingOf = std::conditional_t<EquippedModel<Model>, EquippedStepping<Chosen, T>, Chosen>;

}  // namespace lockstep::firmware
