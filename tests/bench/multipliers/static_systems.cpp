#include "static_systems.hpp"

#include "lockstep_method.hpp"

namespace lockstep::bench {

namespace {

template <class World, Shape kShape, int kJoints>
Entrant make(const Motion& motion) {
  using Mechanism = maximal::StaticMechanism<ConstantRecords<World, kShape, kJoints>, double>;
  return lockstep_entrant("static", std::make_shared<LockstepMethod<Mechanism>>(
                                        std::make_unique<const Mechanism>(), motion));
}

}  // namespace

template <>
std::optional<Entrant> static_entrant<Plane>(Shape shape, int joints, const Motion& motion) {
  if (joints != 54) return {};
  return shape == Shape::kChain ? make<Plane, Shape::kChain, 54>(motion)
                                : make<Plane, Shape::kTree, 54>(motion);
}

template <>
std::optional<Entrant> static_entrant<Space>(Shape shape, int joints, const Motion& motion) {
  if (joints == 127 && shape == Shape::kTree) return make<Space, Shape::kTree, 127>(motion);
  if (joints != 32) return {};
  return shape == Shape::kChain ? make<Space, Shape::kChain, 32>(motion)
                                : make<Space, Shape::kTree, 32>(motion);
}

}  // namespace lockstep::bench
