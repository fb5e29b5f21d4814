// Forward dynamics with limbs of one shape side by side, a limb a lane, through the kernels that
// one body goes through. The rest of the tree, the trunk, is computed as ever. The order of every
// sum is that of the bodies one by one, so the bits are too.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstddef>
#include <span>

#include "lockstep/lanes.hpp"
#include "lockstep/passes.hpp"
#include "lockstep/static_model.hpp"

namespace lockstep {

// How numbers of the limbs come together and apart. A scalar of another kind brings its own.
template <class T>
struct LimbLanes {
  using Type = Lanes<T, kLimbLanes>;
  static constexpr Type join(const std::array<T, kLimbLanes>& values) { return Type(values); }
  static constexpr T lane(const Type& values, int k) { return values[k]; }
};
template <class T>
using LimbLanesOf = typename LimbLanes<T>::Type;

// Whether they go side by side in registers of their own; narrower ones gain nothing.
template <class T>
inline constexpr bool kLimbsInLanes = std::is_floating_point_v<T>&& kNativeLanes<T> >= kLimbLanes;

// Whether there is room for it.
template <class T>
inline constexpr bool kLimbsHaveRoom = std::is_floating_point_v<T>&& kWidestLanes<T> >= kLimbLanes;

// f(k) for each limb, side by side.
template <class T, class F>
constexpr LimbLanesOf<T> join(F&& f) {
  return LimbLanes<T>::join({f(0), f(1), f(2), f(3)});
}
template <class T, class F>
constexpr Vec3<LimbLanesOf<T>> join_vec3(F&& f) {
  return {join<T>([&](int k) { return f(k).x; }), join<T>([&](int k) { return f(k).y; }),
          join<T>([&](int k) { return f(k).z; })};
}
template <class T, class F>
constexpr Mat3<LimbLanesOf<T>> join_mat3(F&& f) {
  return {join_vec3<T>([&](int k) { return f(k).x; }), join_vec3<T>([&](int k) { return f(k).y; }),
          join_vec3<T>([&](int k) { return f(k).z; })};
}

// Where one limb begins: its first body, what carries it, its first numbers.
struct LimbPlace {
  int body = 0, parent = kWorld;
  int q = 0, v = 0, lambda = 0;
};
struct LimbGroup {
  std::array<LimbPlace, kLimbLanes> place = {};
  int first = 0, size = 0;  // in LimbPlan::limb_bodies
};
// A body of the trunk, or the first of a limb.
struct TrunkItem {
  int body = 0;
  int group = kNone, lane = 0;
};

// A model's bodies (all of them, one by one), its trunk parents first, its limbs.
template <class T>
struct LimbPlan {
  std::span<const BodyData<T>> bodies;
  std::span<const TrunkItem> trunk;
  std::span<const LimbGroup> groups;
  std::span<const BodyData<LimbLanesOf<T>>> limb_bodies;  // indices relative to the limb's first
};

// Body i of several limbs. Inside a limb the parent is an index into it, or kWorld for its first.
template <class T>
constexpr BodyData<LimbLanesOf<T>> join_bodies(std::span<const BodyData<T>> bodies,
                                               const LimbGroup& group, int i) {
  const auto at = [&](int k) -> const BodyData<T>& {
    return bodies[static_cast<std::size_t>(group.place[static_cast<std::size_t>(k)].body + i)];
  };
  const LimbPlace& place = group.place[0];
  const BodyData<T>& body = at(0);
  const auto scalar = [&](auto f) { return join<T>([&](int k) { return f(at(k)); }); };
  return {.parent = i == 0 ? kWorld : body.parent - place.body,
          .joint = body.joint,
          .geared = body.geared,
          .leader = kNone,  // limbs have no followers
          .q = body.q - place.q,
          .v = body.v - place.v,
          .lambda = body.lambda - place.lambda,
          .X_PJ = {join_mat3<T>([&](int k) { return at(k).X_PJ.R; }),
                   join_vec3<T>([&](int k) { return at(k).X_PJ.p; })},
          .R_LB = join_mat3<T>([&](int k) { return at(k).R_LB; }),
          .mass = scalar([](const auto& b) { return b.mass; }),
          .h = join_vec3<T>([&](int k) { return at(k).h; }),
          .inertia = {scalar([](const auto& b) { return b.inertia.xx; }),
                      scalar([](const auto& b) { return b.inertia.xy; }),
                      scalar([](const auto& b) { return b.inertia.xz; }),
                      scalar([](const auto& b) { return b.inertia.yy; }),
                      scalar([](const auto& b) { return b.inertia.yz; }),
                      scalar([](const auto& b) { return b.inertia.zz; })},
          .damping = scalar([](const auto& b) { return b.damping; }),
          .armature = scalar([](const auto& b) { return b.armature; }),
          .spin = join_vec3<T>([&](int k) { return at(k).spin; }),
          .ratio = {},
          .tied_inertia = scalar([](const auto& b) { return b.tied_inertia; }),
          .stiffness = scalar([](const auto& b) { return b.stiffness; }),
          .rest = scalar([](const auto& b) { return b.rest; })};
}

// Calls group(LimbGroup), limb_body(BodyData) and trunk(TrunkItem) with what a LimbPlan lists.
template <class T, class Group, class LimbBody, class Trunk>
constexpr void list_limbs(std::span<const BodyData<T>> bodies, std::span<const Limbs> limbs,
                          Group&& group, LimbBody&& limb_body, Trunk&& trunk) {
  int first = 0;
  for (const Limbs& these : limbs) {
    LimbGroup found{.first = first, .size = these.size};
    for (std::size_t k = 0; k < these.roots.size(); ++k) {
      const BodyData<T>& root = bodies[static_cast<std::size_t>(these.roots[k])];
      found.place[k] = {these.roots[k], root.parent, root.q, root.v, root.lambda};
    }
    group(found);
    for (int i = 0; i < these.size; ++i) limb_body(join_bodies(bodies, found, i));
    first += these.size;
  }
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
    TrunkItem item{.body = i};
    bool inside = false;  // a limb, past its first body
    for (int g = 0; g < static_cast<int>(limbs.size()); ++g) {
      const Limbs& these = limbs[static_cast<std::size_t>(g)];
      for (int k = kLimbLanes - 1; k >= 0; --k) {
        const int root = these.roots[static_cast<std::size_t>(k)];
        if (i == root) item.group = g, item.lane = k;
        inside = inside || (i > root && i < root + these.size);
      }
    }
    if (!inside) trunk(item);
  }
}

// An emitted model that names its limbs.
template <class Model>
concept LimbedModel = requires {
  Model::kLimbs.size();
};

// The plan of an emitted model, as constants.
template <LimbedModel Model, class T>
class StaticLimbs {
  using L = LimbLanesOf<T>;
  static constexpr std::span<const BodyData<T>> kBodies = StaticModel<Model, T>::bodies();
  static constexpr std::array<int, 2> kSizes = [] {  // of the trunk, of the limbs
    std::array<int, 2> sizes{};
    list_limbs<T>(
        kBodies, Model::kLimbs, [](const LimbGroup&) {}, [&](const BodyData<L>&) { ++sizes[1]; },
        [&](const TrunkItem&) { ++sizes[0]; });
    return sizes;
  }();
  struct Lists {
    std::array<TrunkItem, static_cast<std::size_t>(kSizes[0])> trunk = {};
    std::array<LimbGroup, Model::kLimbs.size()> groups = {};
    std::array<BodyData<L>, static_cast<std::size_t>(kSizes[1])> limb_bodies = {};
  };
  static constexpr Lists kLists = [] {
    Lists lists;
    std::size_t trunk = 0, groups = 0, bodies = 0;
    list_limbs<T>(
        kBodies, Model::kLimbs, [&](const LimbGroup& group) { lists.groups[groups++] = group; },
        [&](const BodyData<L>& body) { lists.limb_bodies[bodies++] = body; },
        [&](const TrunkItem& item) { lists.trunk[trunk++] = item; });
    return lists;
  }();

 public:
  static constexpr LimbPlan<T> plan() {
    return {kBodies, kLists.trunk, kLists.groups, kLists.limb_bodies};
  }
  static constexpr std::size_t kStates = static_cast<std::size_t>(kSizes[1]) + Model::kLimbs.size();
};

// The workspace of one body of the limbs. A group's comes after one for what carries it.
template <class L>
struct LimbState {
  BodyState<L> body;
  std::array<L, 6> joint;  // efforts, then accelerations
};

// The three steps of one body of the limbs.
template <class T, bool kRotors, bool kSoft>
struct LimbPasses {
  using L = LimbLanesOf<T>;
  const Passes<T, kRotors, kSoft>& trunk;
  const LimbGroup& group;
  LimbState<L>* states;
  Truth<L> positive = true;
  L sum{};

  constexpr BodyState<L>& stump() const { return states[0].body; }
  constexpr LimbState<L>& state(int i) const { return states[1 + i]; }
  constexpr BodyState<L>* parent_of(const BodyData<L>& body) const {
    return &states[1 + body.parent].body;  // kWorld is -1
  }
  constexpr const LimbPlace& place(int k) const { return group.place[static_cast<std::size_t>(k)]; }

  // The twists, or accelerations, of what carries the limbs; `world` where nothing does.
  constexpr void set_stump(const Spatial<T>& world) const {
    unroll<6>([&](auto axis) {
      stump().V[axis] = join<T>([&](int k) {
        const int parent = place(k).parent;
        return (parent == kWorld ? world : trunk.states[parent].V)[axis];
      });
    });
  }
  constexpr void clear_stump() const {
    stump().B = {};
    stump().f = {};
  }
  // Adds what a limb hands to the body that carries it.
  constexpr void graft(int k) const {
    const int parent = place(k).parent;
    if (parent == kWorld) return;
    BodyState<T>& state = trunk.states[parent];
    unroll<6>([&](auto i) {
      T& f = state.f[i];
      f = f + LimbLanes<T>::lane(stump().f[i], k);
      unroll<6 - i()>([&](auto offset) {
        constexpr int kJ = i() + offset();
        T& entry = state.B.template at<i(), kJ>();
        entry = entry + LimbLanes<T>::lane(stump().B.template at<i(), kJ>(), k);
      });
    });
  }

  template <int kCount>
  constexpr std::array<L, kCount> read(const T* from, int LimbPlace::*start, int offset) const {
    std::array<L, kCount> values;
    unroll<kCount>([&](auto n) {
      values[n()] = join<T>([&](int k) { return from[place(k).*start + offset + n()]; });
    });
    return values;
  }
  template <int kCount>
  constexpr void write(const L* values, T* to, int LimbPlace::*start, int offset) const {
    for (int k = 0; k < kLimbLanes; ++k) {
      unroll<kCount>(
          [&](auto n) { to[place(k).*start + offset + n()] = LimbLanes<T>::lane(values[n()], k); });
    }
  }

  template <JointType kJoint, class F>
  constexpr void with_load(const BodyData<L>& body, F&& f) const {
    std::array<L, dof_count(kJoint)> added{};
    if constexpr (kSoft) added = read<dof_count(kJoint)>(trunk.ask.added, &LimbPlace::v, body.v);
    lockstep::with_load<kJoint, kRotors, kSoft>(body, added.data(), f);
  }

  template <JointType kJoint>
  constexpr void advance_body(int i, const BodyData<L>& body) {
    constexpr int kDofs = dof_count(kJoint);
    const auto q = read<config_count(kJoint)>(trunk.ask.q, &LimbPlace::q, body.q);
    const auto v = read<kDofs>(trunk.ask.v, &LimbPlace::v, body.v);
    const auto tau = read<kDofs>(trunk.ask.tau, &LimbPlace::v, body.v);
    BodyState<L>& here = state(i).body;
    with_load<kJoint>(body, [&](auto loaded, const L*) {
      advance<kJoint, loaded()>(body, q.data(), v.data(), parent_of(body), here);
    });
    if (const T* external = trunk.ask.external; external != nullptr) {
      std::array<L, 6> wrench;
      unroll<6>([&](auto n) {
        wrench[n()] = join<T>([&](int k) { return external[6 * (place(k).body + i) + n()]; });
      });
      here.f = here.f - link_to_body(body, wrench.data());
    }
    unroll<kDofs>([&](auto k) { state(i).joint[k()] = tau[k()] - body.damping * v[k()]; });
    if constexpr (!kSoft) add_spring<kJoint>(body, q.data(), state(i).joint.data());
  }
  template <JointType kJoint>
  constexpr void eliminate_body(int i, const BodyData<L>& body) {
    with_load<kJoint>(body, [&](auto loaded, const L* A) {
      positive &= eliminate<kJoint, loaded()>(body, state(i).joint.data(), parent_of(body),
                                              state(i).body, A);
    });
  }
  template <JointType kJoint>
  constexpr void resolve_body(int i, const BodyData<L>& body) {
    accelerate_body<kJoint>(i, body);
    tell<kJoint>(i, body);
  }
  template <JointType kJoint>
  constexpr void accelerate_body(int i, const BodyData<L>& body) {
    with_load<kJoint>(body, [&](auto loaded, const L* A) {
      resolve<kJoint, loaded()>(body, Vec3<L>{}, parent_of(body), state(i).body,
                                state(i).joint.data(), A);
    });
  }
  template <JointType kJoint>
  constexpr void tell(int i, const BodyData<L>& body) {
    sum = sum + sum_of_answer<kJoint>(state(i).joint.data(), state(i).body.f);
    std::array<L, 6> reaction, lambda;
    write_reaction<kJoint>(body, state(i).body.f, reaction.data(), lambda.data());
    write<dof_count(kJoint)>(state(i).joint.data(), trunk.answer.vdot, &LimbPlace::v, body.v);
    write<multiplier_count(kJoint)>(lambda.data(), trunk.answer.lambda, &LimbPlace::lambda,
                                    body.lambda);
    for (int k = 0; k < kLimbLanes; ++k) {
      T* const to = trunk.answer.reaction + 6 * (place(k).body + i);
      unroll<6>([&](auto n) { to[n()] = LimbLanes<T>::lane(reaction[n()], k); });
    }
  }
};

// The steps of a body whose joint is known at run time.
template <class AnyPasses, class L>
constexpr void advance_any(AnyPasses& passes, int i, const BodyData<L>& body) {
  dispatch(body.joint, [&]<JointType kJoint>() { passes.template advance_body<kJoint>(i, body); });
}
template <class AnyPasses, class L>
constexpr void eliminate_any(AnyPasses& passes, int i, const BodyData<L>& body) {
  dispatch(body.joint,
           [&]<JointType kJoint>() { passes.template eliminate_body<kJoint>(i, body); });
}
template <class AnyPasses, class L>
constexpr void accelerate_any(AnyPasses& passes, int i, const BodyData<L>& body) {
  dispatch(body.joint,
           [&]<JointType kJoint>() { passes.template accelerate_body<kJoint>(i, body); });
}
template <class AnyPasses, class L>
constexpr void resolve_any(AnyPasses& passes, int i, const BodyData<L>& body) {
  dispatch(body.joint, [&]<JointType kJoint>() { passes.template resolve_body<kJoint>(i, body); });
}

// As run_passes; `limb_states` has room for all limb bodies and one more a group.
template <class T, bool kRotors = true, bool kSoft = false>
constexpr PassCheck<T> run_limb_passes(const LimbPlan<T>& plan, const PassInput<T>& ask,
                                       BodyState<T>* states, LimbState<LimbLanesOf<T>>* limb_states,
                                       const PassOutput<T>& answer) {
  using L = LimbLanesOf<T>;
  PassCheck<T> verdict;
  Passes<T, kRotors, kSoft> trunk{plan.bodies, ask, states, answer};
  const auto trunk_body = [&](const TrunkItem& item) -> const BodyData<T>& {
    return plan.bodies[static_cast<std::size_t>(item.body)];
  };
  const auto limb_body = [&](const LimbGroup& group, int i) -> const BodyData<L>& {
    return plan.limb_bodies[static_cast<std::size_t>(group.first + i)];
  };
  const auto limbs = [&](std::size_t g) {
    const LimbGroup& group = plan.groups[g];
    return LimbPasses<T, kRotors, kSoft>{trunk, group,
                                         limb_states + group.first + static_cast<int>(g)};
  };

  for (const TrunkItem& item : plan.trunk) {
    if (item.group == kNone) advance_any(trunk, item.body, trunk_body(item));
  }
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    const LimbGroup& group = plan.groups[g];
    LimbPasses<T, kRotors, kSoft> passes = limbs(g);
    passes.set_stump({});
    for (int i = 0; i < group.size; ++i) advance_any(passes, i, limb_body(group, i));
    passes.clear_stump();
    for (int i = group.size - 1; i >= 0; --i) eliminate_any(passes, i, limb_body(group, i));
    verdict.positive &= all(passes.positive);
  }
  for (std::size_t n = plan.trunk.size(); n-- > 0;) {
    const TrunkItem& item = plan.trunk[n];
    if (item.group == kNone)
      eliminate_any(trunk, item.body, trunk_body(item));
    else
      limbs(static_cast<std::size_t>(item.group)).graft(item.lane);
  }
  for (const TrunkItem& item : plan.trunk) {
    if (item.group == kNone) resolve_any(trunk, item.body, trunk_body(item));
  }
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    const LimbGroup& group = plan.groups[g];
    LimbPasses<T, kRotors, kSoft> passes = limbs(g);
    passes.set_stump({Vec3<T>{-ask.gravity[0], -ask.gravity[1], -ask.gravity[2]}, {}});
    for (int i = 0; i < group.size; ++i) resolve_any(passes, i, limb_body(group, i));
    verdict.finite &= all(passes.sum - passes.sum == L(0));
  }
  verdict.positive &= trunk.positive;
  verdict.finite &= trunk.sum - trunk.sum == T(0);
  return verdict;
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
