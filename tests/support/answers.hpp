// Answers to one state by each method, for the scenario tests.
#pragma once

#include <vector>

#include "eval/engine.hpp"

namespace lockstep::test {

inline host::Tree tree_of(std::span<const Body> bodies) {
  host::Tree tree;
  tree.name = "test";
  tree.bodies.assign(bodies.begin(), bodies.end());
  return tree;
}

inline host::DenseOutput answer(std::span<const Body> bodies, const host::DenseInput& in,
                                host::EvalMethod method,
                                host::EvalScalar scalar = host::EvalScalar::kDouble) {
  return host::make_engine(tree_of(bodies), scalar, method)(in);
}

struct NamedMethod {
  const char* name;
  host::EvalMethod method;
};
inline constexpr NamedMethod kCoreMethods[] = {{"nullspace", host::EvalMethod::kNullSpace},
                                               {"direct", host::EvalMethod::kDirect}};
inline constexpr NamedMethod kAllMethods[] = {{"nullspace", host::EvalMethod::kNullSpace},
                                              {"direct", host::EvalMethod::kDirect},
                                              {"dense", host::EvalMethod::kDense}};

}  // namespace lockstep::test
