// Robots and peers' answers: the conformance data beside the project, which tests use where it
// exists and say so where it does not, and tests/reference. What both check stands here once.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "eval/closed_engine.hpp"
#include "eval/states.hpp"
#include "lockstep/model.hpp"
#include "oracle/dense.hpp"

namespace lockstep::test {

struct ConformanceState {
  host::DenseInput in;
  host::DenseOutput reference;
};

// One robot with one base. Bodies and states are in the file's joint order.
struct ConformanceCase {
  std::string name;  // "panda.floating"
  std::string base;  // "fixed" or "floating"
  std::string urdf;
  std::string states_file;
};

// Empty, with a line on the output, where the data is not there.
std::vector<ConformanceCase> conformance_cases();

nlohmann::json read_json(const std::string& path);

// The robot from the numbers that the peer printed: no URDF is read.
std::vector<Body> bodies_of(const nlohmann::json& file);
// Condition of the joint-space mass matrix at a state of the file.
double condition_of(const nlohmann::json& state);

std::vector<ConformanceState> states_of(const nlohmann::json& file, std::span<const Body> bodies);

// As peers compute: without damping. Loops, couplings and <mimic> are left out, or act.
host::Tree load_open(const ConformanceCase& robot);
host::Tree load_closed(const ConformanceCase& robot);

// How far accelerations and reactions may be from the file's, of a state with this condition.
struct AnswerBound {
  double vdot, reaction;
};
using BoundOf = std::function<AnswerBound(const host::Tree&, const host::State&, double condition,
                                          host::EvalMethod)>;

// Every state of a tree by null space and by direct elimination; fails with file, state and method.
void check_tree(const ConformanceCase& robot, host::EvalScalar scalar, const BoundOf& bound_of);

// Rotors as bodies, and merged; every link a body, where each has an inertia of its own.
std::vector<host::ClosedEngine> all_ways(const host::Tree& tree, host::EvalScalar scalar);

// What a file of a closed robot holds: accelerations, or what constraints add to tau as well.
enum class ClosedAnswers { kAccelerations, kForcesToo };

// Every state of a closed robot, all ways in double, and reactions of one way against another's.
void check_closed(const host::Tree& tree, const std::string& states_file, ClosedAnswers answers,
                  double bound);

}  // namespace lockstep::test
