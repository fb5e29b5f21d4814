// How a mechanism steps in maximal coordinates.
#pragma once

#include <array>
#include <optional>

#include "lockstep/integrate/settings.hpp"

namespace lockstep::host {

// How rows are solved: along the tree; one constraint at a time; all in one matrix; acyclic parts
// in turn. Forces by the first and the third only.
enum class Method { kLinear, kIterative, kDense, kParts };

struct MaximalSettings {
  double dt = 0.001;
  Integrator integrator = Integrator::kSemiImplicitEuler;
  Stabilization stabilization = Stabilization::kBaumgarte;
  Method method = Method::kLinear;
  std::optional<double> tolerance;  // given: by impulses, rows within it; else by forces
  int threads = 1;                  // of parts
  std::array<double, 3> gravity = {0, 0, -9.81};
};

}  // namespace lockstep::host
