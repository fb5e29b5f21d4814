#include "model/summary.hpp"

namespace lockstep::host {

namespace {

std::string plural(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

Counts count(const Tree& tree) {
  Counts counts;
  for (const Body& body : tree.bodies) counts.add(body.joint);
  return counts;
}

std::string summary(const Tree& tree) {
  const Counts counts = count(tree);
  return plural(tree.bodies.size(), "body", "bodies") + ", " +
         plural(static_cast<std::size_t>(counts.v), "degree", "degrees") + " of freedom, " +
         plural(static_cast<std::size_t>(counts.lambda), "multiplier", "multipliers") +
         (tree.rotors.empty() ? ""
                              : ", " + plural(tree.rotors.size(), "rotor", "rotors") + " merged");
}

}  // namespace lockstep::host
