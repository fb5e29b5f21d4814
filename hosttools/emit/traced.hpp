// A scalar that records what is done to it in a Graph. Put into the core's kernels, it turns a run
// of them into the list of their operations for one robot.
#pragma once

#include <vector>

#include "emit/graph.hpp"
#include "lockstep/limbs.hpp"

namespace lockstep::host {

// While one lives, Traced numbers of this thread are recorded in it.
struct Recording {
  Recording() { current = this; }
  ~Recording() { current = nullptr; }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  Graph graph;
  std::vector<int> positive;  // what the program demanded to be greater than zero
  std::vector<int> zero;      // what it demanded to be zero
  static inline thread_local Recording* current = nullptr;
};

class Traced {
 public:
  Traced() : Traced(0.0) {}
  explicit(false) Traced(double value) : id_(graph().constant(value)) {}
  static Traced from(int id) {
    Traced result;
    result.id_ = id;
    return result;
  }
  int id() const { return id_; }

  friend Traced operator+(Traced a, Traced b) { return from(graph().add(a.id_, b.id_)); }
  friend Traced operator-(Traced a, Traced b) { return from(graph().subtract(a.id_, b.id_)); }
  friend Traced operator*(Traced a, Traced b) { return from(graph().multiply(a.id_, b.id_)); }
  friend Traced operator/(Traced a, Traced b) { return from(graph().divide(a.id_, b.id_)); }
  friend Traced operator-(Traced a) { return from(graph().negate(a.id_)); }
  // the kernels compare with zero alone, and do nothing with the answer but report it
  friend bool operator>(Traced a, Traced) {
    Recording::current->positive.push_back(a.id_);
    return true;
  }
  friend bool operator==(Traced a, Traced) {
    Recording::current->zero.push_back(a.id_);
    return true;
  }
  friend bool is_exact_zero(Traced a) {
    const Expression& own = graph().expressions()[static_cast<std::size_t>(a.id_)];
    return own.operation == Operation::kConstant && own.constant == 0;
  }
  friend void sincos(Traced angle, Traced& sine, Traced& cosine) {
    sine = from(graph().sine(angle.id_));
    cosine = from(graph().cosine(angle.id_));
  }
  friend struct lockstep::LimbLanes<Traced>;

 private:
  static Graph& graph() { return Recording::current->graph; }
  int id_;
};

}  // namespace lockstep::host

// Numbers of several limbs are recorded as wide expressions.
template <>
struct lockstep::LimbLanes<lockstep::host::Traced> {
  using Type = host::Traced;
  static Type join(const std::array<Type, kLimbLanes>& values) {
    std::vector<int> ids;
    ids.reserve(values.size());
    for (const Type& value : values) ids.push_back(value.id());
    return Type::from(Type::graph().join(ids));
  }
  static Type lane(const Type& values, int k) {
    return Type::from(Type::graph().lane(values.id(), k));
  }
};
