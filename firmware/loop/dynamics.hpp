// The application that answers questions: q, v, tau in, accelerations and reactions out.
#pragma once

#include "lockstep/solver.hpp"
#include "loop/robot.hpp"
#include "loop/settings.hpp"

namespace lockstep::firmware {

template <class Model, class T>
class Dynamics {
 public:
  using View = typename Robot<Model, T>::View;
  using Input = typename Problem<View, T>::Input;
  using Output = typename Problem<View, T>::Output;

  explicit Dynamics(const Robot<Model, T>& robot)
      : solver_(robot.template make<Solver<Model, T>>()),
        incoming_(solver_.make_input()),
        answer_(solver_.make_output()) {}

  Input& incoming() { return incoming_; }  // where messages may be unpacked
  const Output& answer() const { return answer_; }

  Status solve(const Settings<View, T>& settings) {
    incoming_.gravity = settings.gravity;
    return solver_.forward_dynamics(incoming_, answer_);
  }

 private:
  Solver<Model, T> solver_;
  Input incoming_;
  Output answer_;
};

}  // namespace lockstep::firmware
