// Lockstep's ways to step a robot with contacts.
#pragma once

#include "contact/contestant.hpp"
#include "robot/ground.hpp"
#include "robot/maximal_stepping.hpp"

namespace lockstep::bench {

// In joint space by the host's table, as `lockstep sim` has it. The tree has to outlive it.
std::unique_ptr<Contestant> make_table(const host::Tree& tree, const host::Bounds& bounds,
                                       RowSolver solver);

// In joint space by the header that `lockstep compile` emits; nothing where there is none.
using StaticMaker = std::unique_ptr<Contestant> (*)(RowSolver);
StaticMaker static_maker(std::string_view robot);

// In maximal coordinates, for trees of free bodies alone.
std::unique_ptr<Contestant> make_maximal(const host::Tree& tree,
                                         const host::MaximalSettings& settings);

}  // namespace lockstep::bench
