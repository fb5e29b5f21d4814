// Everything that can be said about a URDF before a model is made of it.
#pragma once

#include <string>
#include <vector>

#include "text/finding.hpp"
#include "urdf/draft.hpp"
#include "urdf/scan.hpp"

namespace lockstep::host {

struct Examination {
  Draft draft;                    // complete and sound if no finding is an error
  std::vector<Finding> findings;  // by line
};

Examination examine(const std::filesystem::path& file, const ScanLimits& limits);
Examination examine_text(std::string text, const ScanLimits& limits);

// From XML: reads names and numbers strictly and reports what it cannot read. None without a
// <robot>.
std::optional<Draft> parse_draft(const std::string& text, Findings& findings);

// One body's mass and moments; `label` names it. `negative` is what a mass or a moment below zero
// is: a link's may be made up for by those that are fixed to it.
void check_inertial(const std::string& label, const DraftInertial& inertial, Severity negative,
                    Findings& findings);

// Ascending, of xx xy xz yy yz zz.
Eigen::Vector3d principal_moments(const std::array<double, 6>& inertia);

// What is zero beside the largest moment and the mass, or at all, in kg m^2: a radius of 30 nm, or
// a milligram of 1 um.
constexpr double inertia_dust(double mass, double largest) {
  return 1e-9 * largest + 1e-15 * mass + 1e-18;
}

// Where something is: angles and lengths that a robot can have.
void check_place(const std::string& owner, const DraftPose& pose, Findings& findings);

// Of rows that yield.
void check_softness(int line, const std::string& label, const DraftSoftness& soft,
                    Findings& findings);

// The rule sets, a file each.
void check_structure(const Draft& draft, Findings& findings);
void check_inertias(const Draft& draft, Findings& findings);
void check_joints(const Draft& draft, Findings& findings);
void check_mimics(const Draft& draft, Findings& findings);
void check_loops(const Draft& draft, Findings& findings);
void check_collisions(const Draft& draft, Findings& findings);
void check_devices(const Draft& draft, Findings& findings);

}  // namespace lockstep::host
