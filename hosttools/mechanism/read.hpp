// mechanism.xml -> Mechanism, with findings like those about a URDF.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "mechanism/mechanism.hpp"
#include "text/finding.hpp"
#include "urdf/scan.hpp"

namespace lockstep::host {

// Whether the outermost element of a regular file is <mechanism>.
bool is_mechanism(const std::filesystem::path& file, const ScanLimits& limits);

struct MechanismExamination {
  Mechanism mechanism;            // complete and sound if no finding is an error
  std::vector<Finding> findings;  // by line
};

MechanismExamination examine_mechanism(const std::filesystem::path& file, const ScanLimits& limits);
MechanismExamination examine_mechanism_text(std::string text, const ScanLimits& limits);

// Throws Error if a finding is an error. Warnings are appended to `warnings`, notes left out.
Mechanism read_mechanism(const std::filesystem::path& file, const ScanLimits& limits,
                         std::vector<Finding>& warnings);

}  // namespace lockstep::host
