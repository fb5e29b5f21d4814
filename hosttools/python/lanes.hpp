// Forward dynamics of four states at once, one in each lane: the bits of each alone.
#pragma once

#include <array>
#include <memory>

#include "lockstep/status.hpp"
#include "model/tree.hpp"

namespace lockstep::host::python {

inline constexpr int kLanes = 4;
// Eigen's limit for one object without the heap, shared by the lanes.
inline constexpr int kLaneBodies = 512;

// A state's numbers, one after the other; `external` may be null.
struct LaneAsk {
  const double *q, *v, *tau, *external;
};
// Where the answer goes; `reaction` may be null.
struct LaneAnswer {
  double *vdot, *reaction;
};

class LaneSolver {
 public:
  explicit LaneSolver(const Tree& tree);  // of kLaneBodies at most
  ~LaneSolver();

  // A status a lane; on any but kOk its answer is not written.
  std::array<Status, kLanes> solve(const std::array<LaneAsk, kLanes>& ask,
                                   const std::array<double, 3>& gravity,
                                   const std::array<LaneAnswer, kLanes>& answer);

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

}  // namespace lockstep::host::python
