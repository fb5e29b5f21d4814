// The most stack a function can take, from the compiler's call graph (gcc -fcallgraph-info=su).
#pragma once

#include <cstddef>
#include <string>

namespace lockstep::host {

// What a function of the C library may take: memset, the hungriest, pushes 12 bytes.
inline constexpr std::size_t kLibraryStack = 32;

// Bytes below the caller's stack pointer, over the deepest path. Throws Error where there is no
// bound: recursion, calls through pointers, frames that grow at run time.
std::size_t stack_bound(const std::string& call_graph, const std::string& function);

}  // namespace lockstep::host
