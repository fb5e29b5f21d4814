// The core's bounded stepper over a table model of the host, and the tables that it looks into.
#pragma once

#include <vector>

#include "model/table.hpp"
#include "model/tree_colliders.hpp"
#include "model/tree_rows.hpp"
#include "robot/bounds.hpp"
#include "robot/ground.hpp"

namespace lockstep::host {

// Its verbs are not inline, so that they are compiled once: in runtime_float.cpp and
// runtime_double.cpp.
template <class T, class Ground = AnyGround<T>>
class HostBoundedStepper
    : public BoundedStepper<TableModel<T, kHostBodies>, T, kHostRoom, TreeRows<T>, Ground> {
  using Base = BoundedStepper<TableModel<T, kHostBodies>, T, kHostRoom, TreeRows<T>, Ground>;

 public:
  HostBoundedStepper(const TableModel<T, kHostBodies>& model, const TreeRows<T>& rows,
                     std::span<const JointLimits<T>> bounds, const Scene<T, Ground>& scene = {});
  using Scalar = T;
  using typename Base::Demands;
  using typename Base::Input;
  using typename Base::Settings;

  [[nodiscard]] Status step(Input& state, const Settings& settings, const Demands& demands = {});
};

template <class T, class Ground>
HostBoundedStepper<T, Ground>::HostBoundedStepper(const TableModel<T, kHostBodies>& model,
                                                  const TreeRows<T>& rows,
                                                  std::span<const JointLimits<T>> bounds,
                                                  const Scene<T, Ground>& scene)
    : Base(model, rows, bounds, scene) {}

template <class T, class Ground>
Status HostBoundedStepper<T, Ground>::step(Input& state, const Settings& settings,
                                           const Demands& demands) {
  return Base::step(state, settings, demands);
}

extern template class HostBoundedStepper<float>;
extern template class HostBoundedStepper<double>;

template <class T>
struct BoundedTables {
  BoundedTables(const Tree& tree, const Bounds& bounds) : shapes(tree) {
    for (const Body& body : tree.bodies) {
      joints.push_back(firmware::joint_bounds<T>(body, bounds));
    }
    for (const double height : bounds.field.heights) heights.push_back(static_cast<T>(height));
  }

  Scene<T, AnyGround<T>> scene(const Bounds& bounds) const {
    return {shapes.colliders(), shapes.pairs(), AnyGround<T>(bounds, heights)};
  }

  TreeColliders<T> shapes;
  std::vector<JointLimits<T>> joints;
  std::vector<T> heights;
};

template <class T>
BoundedSettings<T> bounded_settings(const T& dt, const Bounds& bounds) {
  return {.dt = dt,
          .most_contacts = bounds.contacts,
          .solver = bounds.solver,
          .newton = firmware::newton_options<T>(bounds)};
}

}  // namespace lockstep::host
