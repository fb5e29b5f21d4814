// The application that answers questions: q, v, tau in, accelerations and reactions out, with the
// loops and couplings of a robot that is compiled in.
#pragma once

#include "lockstep/auxiliary/closed_solver.hpp"
#include "lockstep/solver.hpp"
#include "loop/robot.hpp"
#include "loop/settings.hpp"

namespace lockstep::firmware {

// A ClosedSolver as a Solver: of the rows' forces it tells what reactions tell.
template <class Closed>
class ClosedSolving : public Closed {
 public:
  using Closed::Closed;

  Status forward_dynamics(const typename Closed::Input& in, typename Closed::Output& out) {
    return Closed::forward_dynamics(in, out, forces_);
  }

 private:
  typename Closed::Forces forces_;
};

template <class Model, class T>
struct ChooseSolving {
  using Type = Solver<Model, T>;
};
template <EmittedModel Model, class T>
requires(ModelRows<Model, T>::kCount > 0) struct ChooseSolving<Model, T> {
  using Type = ClosedSolving<ClosedSolver<Model, T>>;
};

// Solving: a Solver or like one.
template <class Model, class T, class Solving = typename ChooseSolving<Model, T>::Type>
class Dynamics {
 public:
  using View = typename Robot<Model, T>::View;
  using Input = typename Problem<View, T>::Input;
  using Output = typename Problem<View, T>::Output;

  // `more` is what the solver wants beside the robot.
  template <class... More>
  explicit Dynamics(const Robot<Model, T>& robot, const More&... more)
      : solver_(robot.template make<Solving>(more...)),
        incoming_(solver_.make_input()),
        answer_(solver_.make_output()) {}

  Input& incoming() { return incoming_; }  // where messages may be unpacked
  const Output& answer() const { return answer_; }

  Status solve(const Settings<View, T>& settings) {
    incoming_.gravity = settings.gravity;
    return solver_.forward_dynamics(incoming_, answer_);
  }

 private:
  Solving solver_;
  Input incoming_;
  Output answer_;
};

}  // namespace lockstep::firmware
