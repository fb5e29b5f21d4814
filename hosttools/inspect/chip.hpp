// What a robot costs on a microcontroller, measured: the image of firmware/apps/measure is built
// for it and run in the emulator, which counts instructions exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/tree.hpp"

namespace lockstep::host {

struct ChipOptions {
  std::string target;               // a name of chip/chips.hpp
  std::string scalar = "float";     // or double
  std::string optimization = "O2";  // the compiler's level
  // of straight, loop, table: the tree; closed: with its loops and couplings; bounded, pivoted,
  // swept: a step with all rows, by each solver. None: all of the first four that apply
  std::vector<std::string> forms = {};
  int states = 10000;
  std::string folder = {};  // to build in, and to keep; empty: a temporary one
  bool quiet = false;       // no progress on standard error
};

struct FormCost {
  std::string form;
  std::uint32_t least = 0, most = 0;  // instructions of a call of forward_dynamics
  std::size_t flash = 0;              // bytes of code and constants
  std::size_t ram = 0;                // bytes: workspace, input, output; of a table the model too
  std::size_t stack = 0;              // bytes, a bound from the call graph
  std::size_t touched_stack = 0;      // bytes that a call was seen to write
  std::uint32_t refused = 0;          // states that were not answered with kOk
  std::uint64_t hash = 0;             // of all answers
  std::uint64_t host_hash = 0;        // of the answers that this host gives to the same states
  // Instructions that no state exceeds: of rows the worst case, of a tree alone what all take;
  // nothing where it is not known.
  std::optional<std::uint64_t> worst = {};

  bool within_worst() const { return !worst || most <= *worst; }
  double bound() const { return static_cast<double>(worst ? *worst : most); }
};

struct ChipCost {
  ChipOptions options;
  std::string compiler;  // version of the chip's
  std::vector<FormCost> forms;

  bool same_bits() const;
  bool within_worst() const;
};

// Throws Error.
ChipCost measure_on_chip(const Tree& tree, const ChipOptions& options);

}  // namespace lockstep::host
