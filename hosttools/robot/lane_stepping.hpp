// Steps of four robots of one shape at once, one in each lane: the bits of each alone. For trees
// that nothing drives, bounds or closes; by Euler or Runge-Kutta.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "lockstep/integrate/integrator.hpp"
#include "lockstep/status.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

inline constexpr int kStepLanes = 4;

class LaneStepping {
 public:
  // Whether they may share the lanes: small trees that differ in masses and dampers alone.
  static bool fits(const Tree& a, const Tree& b);

  // One to four; where there are fewer, the last is there again.
  explicit LaneStepping(std::span<const Tree* const> trees);
  ~LaneStepping();

  void set(int lane, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
           const std::array<double, 3>& gravity);
  // A status a lane; on any but kOk its state is as it was.
  std::array<Status, kStepLanes> step(double dt, Integrator integrator);

  Eigen::VectorXd q(int lane) const;
  Eigen::VectorXd v(int lane) const;
  std::uint64_t hash(int lane) const;  // over every q and v since the start

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

}  // namespace lockstep::host
