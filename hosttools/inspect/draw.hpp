// A robot's tree as people draw it.
#pragma once

#include <string>

#include "model/tree.hpp"

namespace lockstep::host {

enum class Charset { kAscii, kUtf8 };

// What the user's terminal shows, from LC_ALL, LC_CTYPE and LANG.
Charset terminal_charset();

// A line for each body: its index and link, the joint that carries it, its mass.
std::string draw_tree(const Tree& tree, Charset charset);

const char* joint_name(JointType joint);

}  // namespace lockstep::host
