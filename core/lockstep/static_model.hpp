// A view of an emitted header: topology, joint types and numbers are compile-time constants.
// Like TableModel it walks the bodies with `backward` (parents first) and `forward` (children
// first), handing the joint type as a constant; here the walks are unrolled.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstddef>
#include <span>

#include "lockstep/border.hpp"
#include "lockstep/names.hpp"

namespace lockstep {

// A model whose joints have drives that are implicit (lockstep/implicit.hpp).
template <class Model>
struct Driven : Model {
  static constexpr bool kIsDriven = true;
};
template <class Model>
concept DrivenModel = requires {
  Model::kIsDriven;
};

template <EmittedModel Model, class T>
class StaticModel {
 public:
  using Emitted = Model;
  static constexpr int kMaxBodies = static_cast<int>(Model::kBodies.size());
  static constexpr Counts kCounts = [] {
    Counts counts;
    for (const Body& body : Model::kBodies) counts.add(body.joint);
    return counts;
  }();
  static constexpr int kMaxConfigs = kCounts.q, kMaxDofs = kCounts.v;
  static constexpr int kMaxMultipliers = kCounts.lambda;
  static constexpr bool kIsStatic = true;
  static constexpr bool kHasRotors = [] {
    bool any = false;
    for (const Body& body : Model::kBodies)
      any = any || body.armature != 0 || body.tie.leader != kNone;
    return any;
  }();
  static constexpr bool kHasSprings = [] {
    bool any = false;
    for (const Body& body : Model::kBodies) any = any || body.stiffness != 0;
    return any;
  }();
  static constexpr bool kIsDriven = DrivenModel<Model>;
  // Whether a step with implicit joints is another than one without.
  static constexpr bool kIsSoft = [] {
    bool any = kHasSprings || kIsDriven;
    for (const Body& body : Model::kBodies) any = any || is_soft(body);
    return any;
  }();

  static_assert(
      [] {
        bool good = true;
        for (const Body& body : Model::kBodies) {
          good = good && check_body(to_body_data<NumberOf<T>>(body, {})) == Status::kOk;
        }
        return good;
      }(),
      "a body's frame is no rotation, or its inertia has no physical meaning");

  static constexpr int body_count() { return kMaxBodies; }
  static constexpr Counts counts() { return kCounts; }
  static constexpr std::span<const BodyData<T>> bodies() { return kBodies; }
  // By its name in the URDF; nothing where there is no such joint.
  static constexpr std::optional<JointIndex> joint(std::string_view name) {
    return find_joint(Model::kJointNames, Model::kJoints, name);
  }

  template <class F>
  static void backward(F&& f) {
    unroll<kMaxBodies>(
        [&](auto i) { f.template operator()<kBodies[i()].joint>(i(), kBodies[i()]); });
  }
  template <class F>
  static void forward(F&& f) {
    unroll<kMaxBodies>([&](auto i) {
      constexpr std::size_t kIndex = kMaxBodies - 1 - i();
      f.template operator()<kBodies[kIndex].joint>(static_cast<int>(kIndex), kBodies[kIndex]);
    });
  }

 private:
  static constexpr std::array<BodyData<T>, Model::kBodies.size()> kBodies = [] {
    std::array<BodyData<T>, Model::kBodies.size()> bodies{};
    Counts counts;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i] = to_body_data<T>(Model::kBodies[i], counts);
      counts.add(Model::kBodies[i].joint);
    }
    return bodies;
  }();
};

// The view that belongs to a model: an emitted struct becomes a StaticModel, a table is its own.
template <class Model, class T>
struct ViewOf {
  using Type = Model;
};
template <EmittedModel Model, class T>
struct ViewOf<Model, T> {
  using Type = StaticModel<Model, T>;
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
