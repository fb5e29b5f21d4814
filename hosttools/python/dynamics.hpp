// A robot for scripts: what core computes of it, in double, for one state or a batch of them.
// States and answers are of all joints, rotors too, in the order of docs/notation.md. Rows in, rows
// out; the shapes are the caller's matter. All throw Error; a batch then has no answer at all.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "lockstep/integrate/integrator.hpp"
#include "lockstep/kinematics.hpp"
#include "python/batch.hpp"
#include "robot/trees.hpp"

namespace lockstep::host::python {

using Gravity = std::array<double, 3>;

// Of every call: how many states, on how many threads (0: all cores).
struct Call {
  std::size_t count = 1;
  int threads = 0;
};

class Dynamics {
 public:
  explicit Dynamics(RobotTrees trees);
  ~Dynamics();

  const Tree& tree() const;  // with all joints
  const RobotTrees& trees() const;
  std::size_t configs() const;  // numbers in q
  std::size_t dofs() const;     // in v and tau
  std::size_t bodies() const;
  const NamedFrame& link(const std::string& name) const;

  // `external` and `reaction` may be null: six numbers a body, force and moment at its link's
  // origin, in link axes.
  void forward_dynamics(const Call& call, Rows q, Rows v, Rows tau, Rows external,
                        const Gravity& gravity, double* vdot, double* reaction);
  void inverse_dynamics(const Call& call, Rows q, Rows v, Rows vdot, Rows external,
                        const Gravity& gravity, double* tau);
  void gravity_torque(const Call& call, Rows q, const Gravity& gravity, double* tau);
  void mass_matrix(const Call& call, Rows q, double* M);  // symmetric

  // Four rows of four: R_WL and p_WL above 0 0 0 1.
  void pose(const Call& call, Rows q, const NamedFrame& link, double* T_WL);
  void twist(const Call& call, Rows q, Rows v, const NamedFrame& link, Axes axes, double* twist);
  void jacobian(const Call& call, Rows q, const NamedFrame& link, Axes axes,
                double* J);  // row by row
  void centre_of_mass(const Call& call, Rows q, double* centre);
  // Linear, angular about the world's origin, angular about the centre of mass: nine numbers.
  void momentum(const Call& call, Rows q, Rows v, double* momentum);
  void energy(const Call& call, Rows q, Rows v, const Gravity& gravity, double* kinetic,
              double* potential);

  void integrate(const Call& call, Rows q, Rows v, double dt, double* to);
  void difference(const Call& call, Rows from, Rows to, double* v);
  // Loops and couplings hold; no limit, dry friction or contact acts.
  void step(const Call& call, Rows q, Rows v, Rows tau, double dt, Integrator integrator,
            const Gravity& gravity, double* q_next, double* v_next);

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

}  // namespace lockstep::host::python
