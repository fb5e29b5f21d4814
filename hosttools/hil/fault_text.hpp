// A target's record of a fault, in words.
#pragma once

#include <string>

#include "lockstep/link/messages.hpp"

namespace lockstep::host::hil {

// What happened, where, at which step, and how to find the line of code.
std::string fault_text(const link::FaultReply& fault);

// Why it began anew; empty where there is nothing to tell.
std::string reset_text(link::ResetReason reason);

}  // namespace lockstep::host::hil
