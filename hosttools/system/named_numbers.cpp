#include "system/named_numbers.hpp"

#include <unordered_map>

#include "text/error.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host {

std::size_t read_named(const JsonFields& fields, const char* key, const Named& named,
                       Eigen::VectorXd& values) {
  const Json* object = fields.find(key);
  if (object == nullptr) return 0;
  if (!object->is_object()) {
    fields.refuse(key, "an object with a " + named.kind + "'s name for each key");
  }
  std::unordered_map<std::string_view, std::pair<Eigen::Index, int>> places;
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < named.names.size(); ++i) {
    places[named.names[i]] = {at, named.sizes[i]};
    at += named.sizes[i];
  }
  for (const auto& [name, given] : object->items()) {
    const std::string where = fields.where(key) + ": " + named.kind + " " + quote(name);
    const auto found = places.find(name);
    if (found == places.end()) {
      throw Error(where + ": the " + named.owner + " has no such " + named.kind + " that moves; " +
                  (named.names.empty() ? "remove it" : "it has " + listed(named.names)));
    }
    const auto [first, size] = found->second;
    const Json& numbers = given.is_array() ? given : Json::array({given});
    bool fits = numbers.size() == static_cast<std::size_t>(size);
    for (std::size_t i = 0; fits && i < numbers.size(); ++i) {
      fits = numbers[i].is_number();
      if (fits) values[first + static_cast<Eigen::Index>(i)] = numbers[i].get<double>();
    }
    if (!fits) {
      throw Error(where + ": give " +
                  (size == 1 ? "a number" : std::to_string(size) + " numbers in [ ]"));
    }
  }
  return object->size();
}

void read_all_named(const JsonFields& fields, const char* key, const Named& named,
                    Eigen::VectorXd& values) {
  if (read_named(fields, key, named, values) == named.names.size()) return;
  throw Error(fields.where(key) + " lacks a " + named.kind + "; give a file that --save wrote");
}

void normalize(Eigen::Ref<Eigen::Vector4d> quaternion, const std::string& where) {
  const double length = quaternion.stableNorm();
  if (!(length > 0)) {
    throw Error(where + ": the quaternion has no length; give x y z w of length one");
  }
  quaternion /= length;
}

Json named_json(const Named& named, const Eigen::VectorXd& values) {
  Json object = Json::object();
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < named.names.size(); ++i) {
    Json numbers = Json::array();
    for (int k = 0; k < named.sizes[i]; ++k) numbers.push_back(values[at++]);
    object[named.names[i]] = named.sizes[i] == 1 ? numbers[0] : numbers;
  }
  return object;
}

}  // namespace lockstep::host
