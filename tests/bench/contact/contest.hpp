// One scene, stepped by everyone in turns from the same start and under the same law of hold, each
// on its own state; all are judged by the same measures of their states.
#pragma once

#include <memory>

#include "contact/contestant.hpp"
#include "contact/scene.hpp"

namespace lockstep::bench {

// What a runner did; its vectors have an entry for every step.
struct Track {
  bool good = false;                     // no step failed
  std::vector<double> us;                // processor time, the least of all runs
  std::vector<int> iterations;           // of whatever solves the contacts
  std::vector<double> depth;             // m, the greatest after the step
  std::vector<Eigen::Matrix3Xd> places;  // of the bodies' origins after the step
  int short_stops = 0;
  double violation = 0;  // m/s or rad/s, the largest
  double gained = 0;     // J, the largest rise of the energy less the motors' work
  double exchanged = 0;  // J, between the forms of energy

  double total_us() const;
  double deepest() const;
  double deepest_at_rest() const;  // in the last 0.5 s
  double drift() const;            // m, of the body that moves most in the last second
};

// m: the farthest that a body of the two is apart at the same time.
double apart(const Track& a, const Track& b);

struct Runner {
  std::string name;
  bool ours = false;
  std::unique_ptr<Contestant> contestant;
  Track track = {};
};

inline constexpr const char* kExact = "pivoting";
inline constexpr const char* kMuJoCo = "MuJoCo";
inline constexpr const char* kStiffMuJoCo = "MuJoCo, stiff";

struct Contest {
  const Scene* scene = nullptr;
  std::vector<Runner> runners = {};

  const Runner* find(const std::string& name) const;  // or nothing
};

Contest make_contest(const Scene& scene);

// From the start to the end; the first run is judged. Runs with no end are not repeated.
void run(const Scene& scene, Runner& runner);

}  // namespace lockstep::bench
