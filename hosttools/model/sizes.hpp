// Bytes that a robot takes on its target, for a scalar type: those of an emitted model.
#pragma once

#include <string>

#include "lockstep/nullspace.hpp"
#include "model/summary.hpp"

namespace lockstep::host {

struct Sizes {
  std::size_t model = 0;      // constants, in flash
  std::size_t workspace = 0;  // the Solver object
  std::size_t input = 0, output = 0;
};

template <class T>
Sizes sizes(const Tree& tree) {
  const Counts counts = count(tree);
  const std::size_t bodies = tree.bodies.size();
  const std::size_t q = static_cast<std::size_t>(counts.q), v = static_cast<std::size_t>(counts.v);
  const std::size_t lambda = static_cast<std::size_t>(counts.lambda);
  const std::size_t output = (v + 6 * bodies + lambda) * sizeof(T);
  return {
      .model = bodies * sizeof(BodyData<T>),
      .workspace = bodies * sizeof(BodyState<T>) + output,  // an answer is copied when it is good
      .input = (q + 2 * v + 3) * sizeof(T),
      .output = output};
}

inline std::string to_text(const Sizes& sizes) {
  return "model " + std::to_string(sizes.model) + ", workspace " + std::to_string(sizes.workspace) +
         ", input " + std::to_string(sizes.input) + ", output " + std::to_string(sizes.output);
}

}  // namespace lockstep::host
