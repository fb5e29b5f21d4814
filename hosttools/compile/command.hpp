// lockstep compile: a URDF becomes a C++ header that Solver takes as its model.
#pragma once

#include "model/load.hpp"

namespace lockstep::host {

struct CompileOptions {
  LoadOptions load;
  std::string output;       // empty: the struct's name and .hpp, in the current folder; "-": stdout
  std::string struct_name;  // empty: after the robot
  std::string passes = "auto";   // straight, loop, or auto: straight up to kStraightLineBodies
  bool c_api = false;            // functions for C too, beside the header
  std::string scalar = "float";  // of these
  std::string bundle;            // a folder for all that the header needs; empty: none
  std::string eigen;             // the folder that holds Eigen/Core; empty: the usual ones
};

// Throws Error before anything is written.
void compile(const CompileOptions& options);

}  // namespace lockstep::host
