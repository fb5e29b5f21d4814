// A child process as the target: its standard input and output are the link.
#pragma once

#include <memory>
#include <vector>

#include "hil/transport.hpp"

namespace lockstep::host::hil {

// Starts words[0] with the rest as its arguments; `name` is what messages call it. It ends with
// the transport, or with this program however that ends. Throws Error when it cannot be run.
std::unique_ptr<Transport> start_process(const std::string& name,
                                         const std::vector<std::string>& words);

}  // namespace lockstep::host::hil
