#include "model/summary.hpp"

#include "text/number.hpp"

namespace lockstep::host {

Counts count(const Tree& tree) {
  Counts counts;
  for (const Body& body : tree.bodies) counts.add(body.joint);
  return counts;
}

std::string summary(const Tree& tree) {
  const Counts counts = count(tree);
  return counted(tree.bodies.size(), "body", "bodies") + ", " +
         counted(static_cast<std::size_t>(counts.v), "degree", "degrees") + " of freedom, " +
         counted(static_cast<std::size_t>(counts.lambda), "multiplier", "multipliers") +
         (tree.rotors.empty() ? ""
                              : ", " + counted(tree.rotors.size(), "rotor", "rotors") + " merged");
}

}  // namespace lockstep::host
