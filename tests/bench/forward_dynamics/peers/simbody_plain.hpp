// Simbody behind an interface that C++17 understands: its headers are not C++20.
#pragma once

#include <memory>
#include <vector>

namespace lockstep::bench {

struct SimbodyBody {
  int parent;  // -1: the world
  enum Joint { kRevolute, kPrismatic, kBall, kFloating } joint;
  const double *R_PJ, *p_PJ;
  double mass;
  const double *com, *inertia;  // about the body's origin: xx xy xz yy yz zz
};

class SimbodyPlain {
 public:
  virtual ~SimbodyPlain() = default;
  virtual void set(const double* q, const double* v, const double* tau) = 0;
  virtual void run(int times) = 0;
  virtual std::vector<double> vdot() const = 0;
};

std::unique_ptr<SimbodyPlain> make_simbody_plain(const std::vector<SimbodyBody>& bodies,
                                                 double gravity);

}  // namespace lockstep::bench
