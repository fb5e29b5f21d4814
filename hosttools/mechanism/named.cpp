#include "mechanism/named.hpp"

namespace lockstep::host {

namespace {

template <class Record>
Named named(const char* kind, const std::vector<std::string>& names,
            const std::vector<Record>& records, std::size_t (*size)(const Record&)) {
  Named result = {.owner = "mechanism", .kind = kind, .names = names, .sizes = {}};
  for (const Record& record : records) result.sizes.push_back(static_cast<int>(size(record)));
  return result;
}

}  // namespace

Named named_poses(const Mechanism& mechanism) {
  return named("body", mechanism.body_names, mechanism.bodies, pose_size);
}

Named named_velocities(const Mechanism& mechanism) {
  return named("body", mechanism.body_names, mechanism.bodies, velocity_size);
}

Named named_rows(const Mechanism& mechanism) {
  Named rows = {.owner = "mechanism", .kind = "constraint", .names = {}, .sizes = {}};
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
    if (mechanism.constraints[i].joins) continue;
    rows.names.push_back(mechanism.constraint_names[i]);
    rows.sizes.push_back(static_cast<int>(row_count(mechanism.constraints[i])));
  }
  return rows;
}

}  // namespace lockstep::host
