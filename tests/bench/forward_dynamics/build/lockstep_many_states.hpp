// Many states by a static model: one number at a time, or as many states at once as T has lanes.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>

#include "candidate.hpp"
#include "lockstep/solver.hpp"

namespace lockstep::bench {

// A model without the line that puts limbs side by side: one number at a time means it.
template <class Model>
struct LimbsInTurn {
  static constexpr auto& kBodies = Model::kBodies;
  static constexpr auto& kForward = Model::kForward;
  static constexpr auto kHash = Model::kHash;

  template <class T>
  static PassCheck<T> straight_line(const PassInput<T>& ask, const PassOutput<T>& answer) {
    return Model::template straight_line<T>(ask, answer);
  }
};

template <class Model, class T>
class LockstepManyStates : public ManyStates {
 public:
  void set(std::span<const State> states) override {
    const std::size_t groups = states.size() / kLanes;
    in_.assign(groups, Solver<Model, T>().make_input());
    out_.assign(groups, Solver<Model, T>().make_output());
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto put = [&](const std::vector<double>& from, auto& to) {
        for (std::size_t k = 0; k < from.size(); ++k) {
          set_number(to[static_cast<Eigen::Index>(k)], static_cast<int>(i % kLanes), from[k]);
        }
      };
      auto& in = in_[i / kLanes];
      put(states[i].q, in.q), put(states[i].v, in.v), put(states[i].tau, in.tau);
      in.gravity = {T(0), T(0), T(kGravity)};
    }
  }

  void run(int begin, int end, int times) override {
    const auto first = static_cast<std::size_t>(begin) / kLanes;
    const auto last = static_cast<std::size_t>(end) / kLanes;
    Solver<Model, T> solver;
    for (int n = 0; n < times; ++n) {
      benchmark::ClobberMemory();  // the inputs may have changed: nothing moves out of the loop
      for (std::size_t i = first; i < last; ++i) {
        if (!good(solver.forward_dynamics(in_[i], out_[i]))) std::abort();
      }
    }
  }

  std::vector<double> answer(int state) const override {
    const auto& out = out_[static_cast<std::size_t>(state) / kLanes];
    std::vector<double> values;
    const auto take = [&](const auto& from) {
      for (Eigen::Index i = 0; i < from.size(); ++i) {
        values.push_back(number(from.data()[i], state % static_cast<int>(kLanes)));
      }
    };
    take(out.vdot), take(out.reaction), take(out.lambda);
    return values;
  }

 private:
  static constexpr std::size_t kLanes = static_cast<std::size_t>(kLanesOf<T>);

  static void set_number(T& to, int lane, double value) {
    if constexpr (kIsLanes<T>) {
      to.set(lane, static_cast<NumberOf<T>>(value));
    } else {
      to = static_cast<T>(value);
    }
  }
  static double number(const T& from, int lane) {
    if constexpr (kIsLanes<T>) {
      return static_cast<double>(from[lane]);
    } else {
      return static_cast<double>(from);
    }
  }
  static bool good(Status status) { return status == Status::kOk; }
  template <std::size_t kCount>
  static bool good(const std::array<Status, kCount>& statuses) {
    return std::all_of(statuses.begin(), statuses.end(),
                       [](Status status) { return status == Status::kOk; });
  }

  std::vector<typename Solver<Model, T>::Input> in_;
  std::vector<typename Solver<Model, T>::Output> out_;
};

template <class Model>
std::unique_ptr<ManyStates> make_many_states(Scalar scalar) {
  using InTurn = LimbsInTurn<Model>;
  switch (scalar) {
    case Scalar::kDouble: return std::make_unique<LockstepManyStates<InTurn, double>>();
    case Scalar::kDoubleLanes:
      return std::make_unique<LockstepManyStates<Model, Lanes<double, kDoubleLanes>>>();
    case Scalar::kFloat: return std::make_unique<LockstepManyStates<InTurn, float>>();
    case Scalar::kFloatLanes:
      return std::make_unique<LockstepManyStates<Model, Lanes<float, kFloatLanes>>>();
  }
  return nullptr;
}

}  // namespace lockstep::bench
