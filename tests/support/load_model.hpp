// A robot of models/, by its name there.
#pragma once

#include <string>

#include "model/load.hpp"

namespace lockstep::test {

struct LoadModel {
  bool floating = false, keep_rotors = false;
};

inline host::Tree load_model(const std::string& name, const LoadModel& how = {}) {
  host::LoadOptions options;
  options.file = std::string(LOCKSTEP_MODELS_DIR) + "/" + name + ".urdf";
  options.quiet = true;
  options.keep_rotors = how.keep_rotors;
  if (how.floating) options.reduce.base = host::ReduceOptions::Base::kFloating;
  return host::load_tree(options);
}

}  // namespace lockstep::test
