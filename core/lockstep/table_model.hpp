// A model at run time, in storage of a fixed capacity: for host tools that read any robot, for
// boards that receive one over a link, for robots too large to unroll into flash.
// The same kernels run over it as over a StaticModel, and give the same bits.
#pragma once

#include <etl/vector.h>

#include <array>
#include <cstddef>
#include <span>

#include "lockstep/body_data.hpp"
#include "lockstep/joint.hpp"
#include "lockstep/status.hpp"

namespace lockstep {

template <class T, int kCapacity>
class TableModel {
 public:
  static constexpr int kMaxBodies = kCapacity;
  static constexpr int kMaxConfigs = 7 * kCapacity, kMaxDofs = 6 * kCapacity;
  static constexpr int kMaxMultipliers = 6 * kCapacity;
  static constexpr bool kIsStatic = false;

  // Takes over the bodies, or returns why not and stays as it was.
  Status assign(std::span<const Body> bodies) {
    if (bodies.size() > static_cast<std::size_t>(kCapacity)) return Status::kTooManyBodies;
    if (!parents_come_first(bodies)) return Status::kBadParent;
    for (const Body& body : bodies) {
      if (static_cast<int>(body.joint) >= kJointTypes) return Status::kBadJoint;
      if (!has_meaning(body)) return Status::kBadInertia;
    }
    bodies_.clear();
    counts_ = {};
    for (const Body& body : bodies) {
      bodies_.push_back(to_body_data<T>(body, counts_));
      counts_.add(body.joint);
    }
    return Status::kOk;
  }

  int body_count() const { return static_cast<int>(bodies_.size()); }
  Counts counts() const { return counts_; }

  template <class F>
  void backward(F&& f) const {
    for (int i = 0; i < body_count(); ++i) visit(i, f);
  }
  template <class F>
  void forward(F&& f) const {
    for (int i = body_count() - 1; i >= 0; --i) visit(i, f);
  }

 private:
  template <class F>
  void visit(int i, F& f) const {
    const BodyData<T>& body = bodies_[static_cast<std::size_t>(i)];
    dispatch(body.joint, [&]<JointType kJoint>() { f.template operator()<kJoint>(i, body); });
  }

  static bool has_meaning(const Body& body) {
    bool ok = body.mass >= 0;
    const auto check = [&](const auto& values) {
      for (const double value : values) ok = ok && value - value == 0;
    };
    check(body.R_PJ), check(body.p_PJ), check(body.R_LB), check(body.h), check(body.inertia);
    check(std::array{body.mass, body.damping});
    for (const int diagonal : {0, 3, 5})
      ok = ok && body.inertia[static_cast<std::size_t>(diagonal)] >= 0;
    return ok;
  }

  etl::vector<BodyData<T>, static_cast<std::size_t>(kCapacity)> bodies_;
  Counts counts_;
};

}  // namespace lockstep
