#include "robot/kept_forces.hpp"

#include <cmath>

#include "robot/bounds.hpp"

namespace lockstep::host {

namespace {

constexpr double kMostBodies = 1e6;

}  // namespace

// A row's force: what the row is, its number, the other body, the count, newtons.
void write_kept(const std::vector<KeptForce>& kept, Json& document) {
  for (const auto& [key, force] : kept) {
    document["forces"].push_back(
        {static_cast<int>(key.of), key.number, key.other, key.count, force});
  }
}

std::vector<KeptForce> read_kept(const JsonFields& fields) {
  std::vector<KeptForce> kept;
  const Json* rows = fields.find("forces");
  if (rows == nullptr) return kept;
  bool fits = rows->is_array() && rows->size() <= static_cast<std::size_t>(kHostRoom.rows);
  for (std::size_t i = 0; fits && i < rows->size(); ++i) {
    const Json& row = (*rows)[i];
    fits = row.is_array() && row.size() == 5 && row[4].is_number();
    for (std::size_t k = 0; fits && k < 4; ++k) {
      fits = row[k].is_number_integer() && std::abs(row[k].get<double>()) <= kMostBodies;
    }
    if (!fits) break;
    const RowKey key = {static_cast<RowOf>(row[0].get<int>()), row[1].get<int>(), row[2].get<int>(),
                        row[3].get<int>()};
    kept.push_back({key, row[4].get<double>()});
  }
  if (!fits) fields.refuse("forces", "what --save wrote");
  return kept;
}

}  // namespace lockstep::host
