// A tree in MuJoCo's own words: its XML, and states in its conventions.
#pragma once

#include <mujoco/mujoco.h>

#include <functional>
#include <initializer_list>
#include <string>

#include "candidate.hpp"

namespace lockstep::bench {

std::string numbers(std::initializer_list<double> values);

// "joint3"; the world has a name of its own.
std::string named(const char* kind, int body);

// What a body has beside its dynamics: attributes of its joint, and elements.
struct Extras {
  std::function<std::string(int body)> joint, elements;
};

// The trees with all that hangs on them; children in Backward order, so MuJoCo's order is ours.
std::string trees(std::span<const Body> bodies, const Extras& extras = {});

// Throws std::runtime_error.
mjModel* load(const std::string& text);

// A state into a simulation, and q and v back.
void put(std::span<const Body> bodies, const State& state, mjData& data);
void get(std::span<const Body> bodies, const mjData& data, State& state);

}  // namespace lockstep::bench
