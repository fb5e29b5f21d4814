// The methods of Bender 2007, figure 4, on one tree.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace lockstep::bench {

// One method's run from the start.
struct Run {
  double ms = std::numeric_limits<double>::infinity();  // a step, on average
  double error = 0;                                     // the largest of any joint, in metres
  double solves = 0;                                    // a step, on average; 0: it does not count
  bool good = false;                                    // no step failed
  std::vector<double> x = {};                           // where it ends
};

struct Contender {
  std::string name;
  std::function<Run()> run;
  Run best = {};
};

struct Race {
  int joints = 0;
  std::vector<Contender> contenders;

  const Run& of(const std::string& name) const;
};

inline constexpr int kSteps = 90;  // of 1/30 s

inline constexpr const char* kLinear = "impulses, linear, 1e-6";
inline constexpr const char* kLagrange = "Lagrange, linear, RK4";
inline constexpr const char* kDenseLagrange = "Lagrange, dense, RK4";
std::string iterative_name(double tolerance);
std::string dense_name(double tolerance);
inline constexpr double kTolerances[] = {1e-3, 1e-4, 1e-6};

inline constexpr int kSizes[] = {31, 63, 127, 255};

Race make_race(int joints);

}  // namespace lockstep::bench
