// From the command line to a Tree: the options that every command on a robot shares.
#pragma once

#include <string>
#include <vector>

#include "model/reduce.hpp"
#include "urdf/read.hpp"

namespace CLI {
class App;
}

namespace lockstep::host {

struct LoadOptions {
  std::string file;
  ReadOptions read;
  ReduceOptions reduce;
  bool keep_rotors = false;  // as bodies
  bool quiet = false;        // no warnings, no notes
};

void add_load_options(CLI::App& command, LoadOptions& options);

// Where meshes are and what is made of them: a part of the above.
void add_mesh_options(CLI::App& command, MeshOptions& options);

// On standard error, unless quiet.
void print_warnings(const LoadOptions& options, const std::vector<Finding>& warnings);

// Reads, reduces, and merges rotors unless they are to be kept; warnings go to standard error.
// Throws Error.
Tree load_tree(const LoadOptions& options);

}  // namespace lockstep::host
