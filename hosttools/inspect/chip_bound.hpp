// What the host adds to a measurement: the answers that it gives itself, and instructions that no
// state can exceed, from what the image told.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "inspect/chip.hpp"

namespace lockstep::host {

using Figures = std::map<std::string, std::uint64_t>;

std::uint64_t figure(const Figures& figures, const std::string& name);  // throws Error

// Throws Error where the robot has nothing for this form to do.
void require_form(const Tree& tree, const std::string& form);

// For the model's rows, all bounds of its joints, and a few contacts.
struct StepRoom {
  int rows = 0, contacts = 0;
};
StepRoom step_room(const Tree& tree);

struct HostSide {
  std::uint64_t hash = 0;
  std::optional<std::uint64_t> worst = {};  // instructions
};
HostSide host_side(const Tree& tree, const ChipOptions& options, const std::string& form,
                   const Figures& figures);

}  // namespace lockstep::host
