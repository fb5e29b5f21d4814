// The rows of a mechanism that yield, as it moves: how far each is from its rest, how fast it
// moves, and what its spring and its inertia hold. Poses do not tell whole turns: the first state's
// angles are from -pi to pi, unless values of before are given, and from there on turns are
// counted.
#pragma once

#include <Eigen/Core>

#include "mechanism/mechanism.hpp"
#include "mechanism/state.hpp"

namespace lockstep::host {

class SoftMotion {
 public:
  // `before`: values() of a state that is taken up again, or nothing.
  explicit SoftMotion(const Mechanism& mechanism, const Eigen::VectorXd& before = {});

  bool any() const { return !rows_.empty(); }
  bool turns() const { return turns_; }  // whether it has to see every state
  // States in their order, each within half a turn of the one before.
  void look(double time, const Eigen::VectorXd& x, const Eigen::VectorXd& v);

  // Of each multiplier, as Loads::near has them; zero where rows hold. Empty where none yields.
  const Eigen::VectorXd& values() const { return values_; }
  double potential() const { return potential_; }  // J, in springs
  double kinetic() const { return kinetic_; }      // J, in armatures

 private:
  struct Row {
    Eigen::Index number = 0;
    std::size_t constraint = 0, terms = 1;  // of a coupling, several records
    int part = 0;                           // of the constraint's rows
    double turn = 0;                        // what poses do not tell apart; 0: all is told
    bool is_rate = false;                   // only velocities obey it
  };
  void look(const Row& row, double time);

  Mechanism moved_;
  Offsets offsets_;
  std::vector<Row> rows_;
  Eigen::VectorXd values_;
  bool started_ = false, turns_ = false;
  double potential_ = 0, kinetic_ = 0;
};

}  // namespace lockstep::host
