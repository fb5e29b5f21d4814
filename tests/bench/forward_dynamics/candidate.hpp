// What the benchmark times: an implementation of forward dynamics, ours or a peer's. States and
// accelerations are in Lockstep's conventions (lockstep/model.hpp); a candidate translates them
// outside of the stopwatch. No Eigen here: peers are built with flags of their own.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "lockstep/model.hpp"

namespace lockstep::bench {

inline constexpr double kGravity = -9.81;  // m/s^2, along the world's z

struct State {
  std::vector<double> q, v, tau;
};

class Candidate {
 public:
  virtual ~Candidate() = default;
  virtual void set(const State& state) = 0;
  // Computes the accelerations that many times, each time from q, v and tau anew. This is timed.
  virtual void run(int times) = 0;
  virtual std::vector<double> vdot() const = 0;
};

// Nothing where the peer cannot hold the robot: a tree where it knows only chains, say.
using Maker = std::unique_ptr<Candidate> (*)(std::span<const Body> bodies);

struct Peer {
  const char* name;
  Maker make;
};

// What many states are computed in: one number at a time, or several states side by side.
enum class Scalar { kDouble, kDoubleLanes, kFloat, kFloatLanes };
inline constexpr int kDoubleLanes = 4, kFloatLanes = 8;

// A list of states of one robot, in lanes already where the scalar has lanes.
class ManyStates {
 public:
  virtual ~ManyStates() = default;
  virtual void set(std::span<const State> states) = 0;
  // Computes the answers of a range that many times, each time anew. This is timed. Ranges begin
  // and end at multiples of kFloatLanes; threads may have one each, at the same time.
  virtual void run(int begin, int end, int times) = 0;
  // Accelerations, reactions and multipliers of one state.
  virtual std::vector<double> answer(int state) const = 0;
};

// Lockstep as one compiler built it, in a library of its own that exports `lockstep_build`.
struct Build {
  const char* compiler;  // "gcc"
  const char* version;
  const char* flags;
  // Of the header that `lockstep compile` emitted; nothing where this build lacks the robot.
  std::unique_ptr<Candidate> (*make_static)(std::string_view robot);
  Maker make_table;
  // Of the same header, limbs one after the other; nothing where this build lacks the robot.
  std::unique_ptr<ManyStates> (*make_many)(std::string_view robot, Scalar scalar);
};
inline constexpr const char* kBuildSymbol = "lockstep_build";

// Goals are shares of MuJoCo's time in the same run; 0: none.
struct Robot {
  const char* name;
  const char* urdf;
  const char* base;    // "fixed" or "floating"
  double static_goal;  // generated code; for ball joints a third of the best library
  double table_goal;   // the best library
};

// CMake writes these, it knows what is there.
std::span<const Peer> peers();
std::span<const Robot> robots();

}  // namespace lockstep::bench
