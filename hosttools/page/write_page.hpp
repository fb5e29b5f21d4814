// The page of a run, written: what the commands that make one have in common.
#pragma once

#include <string>
#include <vector>

#include "mechanism/mechanism.hpp"
#include "model/load.hpp"
#include "page/run_page.hpp"
#include "robot/ground.hpp"
#include "robot/trees.hpp"

namespace lockstep::host {

// What a command knows of its run.
struct RunFacts {
  std::string path;  // of the page
  std::string page;  // built_page(), asked for before the run
  std::string subtitle;
  CardLines lines;
  CardLines options = {};          // what acted, whether it was asked for or usual
  std::vector<Event> events = {};  // beyond those that the record shows
};

// Both throw Error.
void write_page(const RunFacts& facts, const LoadOptions& load, const RobotTrees& robot,
                const Bounds& bounds, const Record& record);
void write_page(const RunFacts& facts, const LoadOptions& load, const Mechanism& mechanism,
                const Record& record);

}  // namespace lockstep::host
