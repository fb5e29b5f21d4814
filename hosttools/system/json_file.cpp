#include "system/json_file.hpp"

#include <algorithm>
#include <cmath>

#include "system/read_file.hpp"
#include "text/error.hpp"
#include "text/number.hpp"
#include "text/one_line.hpp"

namespace lockstep::host {

namespace {

// Nothing of ours is deeper than five; a limit keeps hostile nesting off the stack.
constexpr int kMaxDepth = 32;
// A value takes up to 60 bytes: few bytes of a file could fill the memory.
constexpr std::size_t kMaxValues = 4'000'000;

}  // namespace

Json read_json(const std::string& path, const std::string& what) {
  const std::string bytes = read_file(path, 64 * kMebibyte, "give " + what + " in JSON");
  std::size_t values = 0;
  using Event = Json::parse_event_t;
  const auto limit = [&](int depth, Event event, Json&) {
    if (depth > kMaxDepth) throw Error(path + ": nested too deeply to be " + what);
    if (event != Event::array_end && event != Event::object_end && ++values > kMaxValues) {
      throw Error(path + ": holds more than " + std::to_string(kMaxValues) + " values; split it");
    }
    return true;
  };
  try {
    return Json::parse(bytes, limit);
  } catch (const Json::exception& error) {
    // the library's own text: where, and what was found there
    const std::string text = error.what();
    const auto start = text.find("] ");
    throw Error(path + ": not valid JSON: " +
                as_one_line(start == std::string::npos ? text : text.substr(start + 2)));
  }
}

std::array<double, 3> three_numbers(const Json& value, const std::string& where) {
  bool fits = value.is_array() && value.size() == 3;
  for (std::size_t i = 0; fits && i < 3; ++i) fits = value[i].is_number();
  if (!fits) throw Error(where + ": give three numbers");
  return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
}

JsonFields::JsonFields(const Json& object, std::string where,
                       std::initializer_list<const char*> known)
    : object_(object), where_(std::move(where)) {
  if (!object.is_object()) throw Error(where_ + ": not an object; give { } with " + listed(known));
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(known, key) == known.end()) {
      throw Error(where_ + ": '" + key + "' is not known; known are " + listed(known));
    }
  }
}

const Json* JsonFields::find(const char* key) const {
  const auto found = object_.find(key);
  return found == object_.end() ? nullptr : &*found;
}

std::string JsonFields::where(const char* key) const { return where_ + ": '" + key + "'"; }

void JsonFields::refuse(const char* key, const std::string& remedy) const {
  constexpr std::size_t kShown = 80;
  std::string value = find(key)->dump(-1, ' ', false, Json::error_handler_t::replace);
  if (value.size() > kShown) value = value.substr(0, kShown) + "...";
  throw Error(where(key) + " is " + value + "; give " + remedy);
}

double JsonFields::number(const char* key, double absent) const {
  const Json* value = find(key);
  if (value == nullptr) return absent;
  if (!value->is_number()) refuse(key, "a number");
  return value->get<double>();
}

double JsonFields::positive(const char* key, double absent) const {
  const double value = number(key, absent);
  if (!(value > 0)) refuse(key, "a number above 0");
  return value;
}

double JsonFields::not_negative(const char* key, double absent) const {
  const double value = number(key, absent);
  if (!(value >= 0)) refuse(key, "0 or a number above");
  return value;
}

std::uint64_t JsonFields::whole(const char* key, std::uint64_t absent, std::uint64_t least) const {
  constexpr double kMost = 0x1p53;
  if (find(key) == nullptr) return absent;
  const double value = number(key, 0);
  if (!(value >= static_cast<double>(least) && value <= kMost) || std::floor(value) != value) {
    refuse(key, "a whole number from " + std::to_string(least));
  }
  return static_cast<std::uint64_t>(value);
}

std::size_t JsonFields::choice(const char* key, std::initializer_list<const char*> choices,
                               std::size_t absent) const {
  const Json* value = find(key);
  if (value == nullptr) return absent;
  const auto found = value->is_string()
                         ? std::ranges::find(choices, value->get_ref<const std::string&>())
                         : choices.end();
  if (found == choices.end()) refuse(key, "one of " + listed(choices));
  return static_cast<std::size_t>(found - choices.begin());
}

}  // namespace lockstep::host
