#include "mechanism/elimination.hpp"

#include <map>

#include "mechanism/table.hpp"

namespace lockstep::host {

Elimination elimination(const Mechanism& mechanism) {
  const auto table = to_table<double>(mechanism);
  Elimination result;
  result.auxiliary_rows = static_cast<std::size_t>(table->counts().auxiliary);
  std::map<int, std::string> names;  // by where a node's unknowns begin
  std::size_t body = 0, constraint = 0;
  table->bodies([&](const auto&, const maximal::BodyPlace& place) {
    names[place.node.x] = mechanism.body_names[body++];
  });
  table->constraints([&](const maximal::ConstraintPlace& place, const auto&) {
    const std::string& own = mechanism.constraint_names[constraint++];
    result.auxiliary.push_back(place.auxiliary);
    if (place.auxiliary) return;
    std::string& name = names[place.node.x];
    name += (name.empty() ? "" : " + ") + own;
  });
  for (const NodeShape& node : table->forward()) result.forward.push_back(names.at(node.x));
  return result;
}

}  // namespace lockstep::host
