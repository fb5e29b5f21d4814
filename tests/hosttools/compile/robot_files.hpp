// The URDF files that lie beside these tests.
#pragma once

#include <string>

#include "model/load.hpp"

namespace lockstep::test {

inline std::string file_here(const std::string& name) {
  return LOCKSTEP_MODELS_DIR "/../tests/hosttools/compile/" + name;
}
inline std::string odd_robot_file() { return file_here("odd_robot.urdf"); }
inline std::string linked_robot_file() { return file_here("linked_robot.urdf"); }
inline std::string touching_robot_file() { return file_here("touching_robot.urdf"); }
inline std::string rigid_robot_file() { return file_here("rigid_robot.urdf"); }

// Every coupling a row.
inline host::Tree load(const std::string& file, const host::ReduceOptions& reduce = {}) {
  host::LoadOptions options;
  options.file = file;
  options.reduce = reduce;
  options.keep_rotors = true;
  options.quiet = true;
  return host::load_tree(options);
}

}  // namespace lockstep::test
