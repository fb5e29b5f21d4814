// The tool as a whole: chooses the command. Apart from main.cpp, so that CLI11 is compiled once.
#pragma once

namespace lockstep::host {

// The exit code. `version` is what --version prints.
int run_program(int argc, char** argv, const char* version);

}  // namespace lockstep::host
