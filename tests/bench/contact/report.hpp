// What was measured, for readers and for programs.
#pragma once

#include "contact/contest.hpp"
#include "section.hpp"

namespace lockstep::bench {

Section report_contact(const std::vector<Contest>& contests);

}  // namespace lockstep::bench
