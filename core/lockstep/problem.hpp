// What every solver of one model shares: the types of its inputs and outputs, sized to the model,
// and the translation between link frames (the user's) and body frames (the solver's).
#pragma once

#include "lockstep/hide_macros.hpp"

#include <type_traits>

#include "lockstep/body_data.hpp"
#include "lockstep/eigen.hpp"
#include "lockstep/joint.hpp"
#include "lockstep/static_model.hpp"

namespace lockstep {

// Fixed-size for a static model; for a table sized at run time within a fixed capacity.
template <class T, int kMax, bool kIsStatic>
using Vector = Eigen::Matrix<T, kIsStatic ? kMax : Eigen::Dynamic, 1, Eigen::DontAlign, kMax, 1>;

// A wrench a body: columns of force and moment.
template <class T, int kMaxBodies, bool kIsStatic>
using WrenchColumns = Eigen::Matrix<T, 6, kIsStatic ? kMaxBodies : Eigen::Dynamic,
                                    Eigen::ColMajor | Eigen::DontAlign, 6, kMaxBodies>;

template <class View, class T>
class Problem {
 public:
  using Configs = Vector<T, View::kMaxConfigs, View::kIsStatic>;
  using Dofs = Vector<T, View::kMaxDofs, View::kIsStatic>;
  using Multipliers = Vector<T, View::kMaxMultipliers, View::kIsStatic>;
  using Wrenches = WrenchColumns<T, View::kMaxBodies, View::kIsStatic>;
  using Gravity = Eigen::Matrix<T, 3, 1, Eigen::DontAlign>;

  struct Input {
    Configs q;
    Dofs v, tau;
    Gravity gravity;  // m/s^2, in the world
  };
  struct Output {
    Dofs vdot;
    Wrenches reaction;   // what each joint passes to its child link, actuation included:
                         // force and moment at the link's origin, in link axes
    Multipliers lambda;  // the constrained components of the same wrench, in body axes
  };

  Problem() requires View::kIsStatic = default;
  explicit Problem(const View& model) : model_(model) {}

  // At rest in the zero pose, no torques, the earth's gravity.
  Input make_input() const {
    const Counts counts = model().counts();
    Input in{Configs::Zero(counts.q), Dofs::Zero(counts.v), Dofs::Zero(counts.v),
             Gravity(T(0), T(0), T(-9.81))};
    model().backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
      if constexpr (kJoint == JointType::kBall) in.q[body.q + 3] = T(1);
      if constexpr (kJoint == JointType::kFloating) in.q[body.q + 6] = T(1);
    });
    return in;
  }
  Wrenches make_wrenches() const { return Wrenches::Zero(6, model().body_count()); }
  Output make_output() const {
    return {Dofs::Zero(model().counts().v), make_wrenches(),
            Multipliers::Zero(model().counts().lambda)};
  }

 protected:
  const View& model() const { return model_; }

 private:
  // a static model is a type, a table lives with the caller
  [[no_unique_address]] std::conditional_t<View::kIsStatic, View, const View&> model_;
};

// Puts one state into a lane of several, or takes one answer out.
template <class LaneInput, class Input>
void set_lane(LaneInput& all, int lane, const Input& one) {
  const auto put = [&](auto& to, const auto& from) {
    for (Eigen::Index i = 0; i < to.size(); ++i) to[i].set(lane, from[i]);
  };
  put(all.q, one.q), put(all.v, one.v), put(all.tau, one.tau), put(all.gravity, one.gravity);
}
template <class LaneOutput, class Output>
void get_lane(const LaneOutput& all, int lane, Output& one) {
  const auto take = [&](const auto& from, auto& to) {
    for (Eigen::Index i = 0; i < to.size(); ++i) to.data()[i] = from.data()[i][lane];
  };
  take(all.vdot, one.vdot), take(all.reaction, one.reaction), take(all.lambda, one.lambda);
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
