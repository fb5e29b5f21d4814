// A section of the report: one question, answered for readers, for programs and as a picture.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "candidate.hpp"

namespace lockstep::bench {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<const Build*> builds;
  std::vector<std::string> robots;  // empty: all
  int sweeps = 20;                  // over everything, again and again
  int rounds = 50;                  // batches of every entrant in a sweep
};

struct Section {
  std::string name;       // of its files as well
  std::string text = {};  // Markdown
  Json json = {};
  std::string svg = {};
  bool good = true;  // all agree
};

// "latency: sweep 3 of 20" on standard error; in place on a terminal, rarely elsewhere.
void show_progress(const char* section, int sweep, int sweeps);

// A line of progress for a step that takes seconds.
void show_step(const std::string& step);

}  // namespace lockstep::bench
