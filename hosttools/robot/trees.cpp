#include "robot/trees.hpp"

#include "model/merge.hpp"

namespace lockstep::host {

RobotTrees load_robot(LoadOptions load) {
  const bool keep = load.keep_rotors;
  load.keep_rotors = true;
  const Tree whole = load_tree(load);
  return {whole, keep ? whole : merge_rotors(whole)};
}

}  // namespace lockstep::host
