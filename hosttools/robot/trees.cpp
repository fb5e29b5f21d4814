#include "robot/trees.hpp"

#include "model/merge.hpp"

namespace lockstep::host {

RobotTrees load_robot(const LoadOptions& load) { return robot_of(load, read_description(load)); }

RobotTrees robot_of(const LoadOptions& load, const Description& description) {
  const Tree whole = reduce_description(load, description);
  return {whole, load.keep_rotors ? whole : merge_rotors(whole)};
}

}  // namespace lockstep::host
