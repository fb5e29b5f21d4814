// The systems of section 9 as StaticMechanisms: types, topology and numbers are constants.
#pragma once

#include <optional>

#include "entrant.hpp"
#include "systems.hpp"

namespace lockstep::bench {

// Nothing for a system that was not compiled.
template <class World>
std::optional<Entrant> static_entrant(Shape shape, int joints, const Motion& motion);

}  // namespace lockstep::bench
