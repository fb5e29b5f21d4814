// Who steps a robot with contacts: Lockstep in one of its ways, or MuJoCo. States are in Lockstep's
// conventions and translated outside of the stopwatch. No Eigen here, as in candidate.hpp.
#pragma once

#include "candidate.hpp"
#include "model/tree.hpp"

namespace lockstep::bench {

inline constexpr double kStep = 1e-3;  // s
inline constexpr double kGroundFriction = 0.8;

class Contestant {
 public:
  virtual ~Contestant() = default;
  // From here on; no forces of earlier steps are remembered.
  virtual void set(const State& state) = 0;
  // Efforts from now on; what floats has no motors.
  virtual void drive(const std::vector<double>& tau) = 0;
  // This is timed. False: the state is lost.
  virtual bool step() = 0;
  virtual void read(State& state) const = 0;  // q and v
  // Of the last step: iterations of whatever solves the contacts, whether they were enough, and
  // by how much a contact's conditions fail, in m/s or rad/s. Zero where nobody tells.
  virtual int iterations() const { return 0; }
  virtual bool stopped_short() const = 0;
  virtual double violation() const { return 0; }
};

// How contacts, limits and friction of joints give way in MuJoCo.
struct Compliance {
  double time_constant = 0.02;      // s, of solref; critically damped
  double least = 0.9, most = 0.95;  // solimp's impedances
};
inline constexpr Compliance kUsual, kStiff = {2 * kStep, 0.9999, 0.9999};

// Throws std::exception where MuJoCo cannot hold the robot.
std::unique_ptr<Contestant> make_stepping_mujoco(const host::Tree& tree,
                                                 const Compliance& compliance);

}  // namespace lockstep::bench
