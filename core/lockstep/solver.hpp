// Forward dynamics: (q, v, tau, external wrenches) -> (vdot, reactions), in linear time.
// Generalized coordinates in, maximal coordinates inside, generalized accelerations out
// (Baraff, section 2.2). One class, one input, one output, one verb; everything is preallocated.
// Cost: three passes over the bodies, the same instructions for every input.
#pragma once

#include <array>
#include <cstddef>

#include "lockstep/border.hpp"
#include "lockstep/nullspace.hpp"
#include "lockstep/problem.hpp"

namespace lockstep {

// Model: a struct that `lockstep compile` emitted, or a TableModel<T, capacity>.
template <class Model, class T = double>
class Solver : public Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Input;
  using typename Problem<View, T>::Output;
  using typename Problem<View, T>::Wrenches;
  using Problem<View, T>::Problem;

  // Returns a status; on any but kOk the output is as it was.
  Status forward_dynamics(const Input& in, Output& out) { return run(in, nullptr, out); }

  // The same with a wrench on every body: force and moment at its link's origin, in link axes.
  Status forward_dynamics(const Input& in, const Wrenches& external, Output& out) {
    return run(in, &external, out);
  }

 private:
  Status run(const Input& in, const Wrenches* external, Output& out) {
    const View& model = this->model();
    if (const Status status = check_border(model, in, external, out); status != Status::kOk) {
      return status;
    }

    model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      BodyState<T>& state = at(i);
      advance<kJoint>(body, in.q.data() + body.q, in.v.data() + body.v, parent_of(body), state);
      if (external != nullptr) {
        state.f = state.f - this->link_to_body(body, external->data() + 6 * i);
      }
      for (int k = 0; k < dof_count(kJoint); ++k) {
        tau_[index(body.v + k)] = in.tau[body.v + k] - body.damping * in.v[body.v + k];
      }
    });

    bool regular = true;
    model.forward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      regular &= eliminate<kJoint>(&tau_[index(body.v)], parent_of(body), at(i));
    });

    const Vec3<T> gravity = {in.gravity[0], in.gravity[1], in.gravity[2]};
    model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      resolve<kJoint>(gravity, &tau_[index(body.v)], parent_of(body), at(i), &vdot_[index(body.v)]);
    });

    if (!regular) return Status::kSingular;
    bool finite = true;
    model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      for (int k = 0; k < dof_count(kJoint); ++k) finite &= is_finite(vdot_[index(body.v + k)]);
      unroll<6>([&](auto axis) { finite &= is_finite(at(i).f.template at<axis()>()); });
    });
    if (!finite) return Status::kOverflow;

    model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      for (int k = 0; k < dof_count(kJoint); ++k) {
        out.vdot[body.v + k] = vdot_[index(body.v + k)];
      }
      this->template write_reaction<kJoint>(i, body, at(i).f, out);
    });
    return Status::kOk;
  }

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
  BodyState<T>& at(int i) { return bodies_[index(i)]; }
  BodyState<T>* parent_of(const BodyData<T>& body) {
    return body.parent == kWorld ? nullptr : &at(body.parent);
  }

  std::array<BodyState<T>, static_cast<std::size_t>(View::kMaxBodies)> bodies_;
  std::array<T, static_cast<std::size_t>(View::kMaxDofs)> tau_;
  std::array<T, static_cast<std::size_t>(View::kMaxDofs)> vdot_;
};

}  // namespace lockstep
