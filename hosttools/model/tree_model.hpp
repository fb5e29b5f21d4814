// Tree -> what a TableModel is to the passes, in any scalar: lanes, or a trace of what is computed.
// A table in double has taken the bodies before, so they are not checked again.
#pragma once

#include <span>
#include <vector>

#include "lockstep/joint.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

template <class T, int kCapacity, bool kSoft>
class TreeModel {
 public:
  static constexpr int kMaxBodies = kCapacity;
  static constexpr int kMaxConfigs = 7 * kCapacity, kMaxDofs = 6 * kCapacity;
  static constexpr int kMaxMultipliers = 6 * kCapacity;
  static constexpr bool kIsStatic = false;
  static constexpr bool kHasRotors = true, kHasSprings = true, kIsDriven = true, kIsSoft = kSoft;

  explicit TreeModel(const Tree& tree) {
    for (const Body& body : tree.bodies) {
      bodies_.push_back(to_body_data<T>(body, counts_));
      counts_.add(body.joint);
    }
  }

  int body_count() const { return static_cast<int>(bodies_.size()); }
  const Counts& counts() const { return counts_; }
  std::span<const BodyData<T>> bodies() const { return bodies_; }
  std::span<BodyData<T>> bodies() { return bodies_; }  // lanes may have numbers of their own

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

  std::vector<BodyData<T>> bodies_;
  Counts counts_;
};

}  // namespace lockstep::host
