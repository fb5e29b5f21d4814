// JSON files that people write: what is wrong with one is told with the file, the key and the
// remedy.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

namespace lockstep::host {

using Json = nlohmann::ordered_json;

// `what` is the kind of file: "a file of states". Throws Error.
Json read_json(const std::string& path, const std::string& what);

std::array<double, 3> three_numbers(const Json& value, const std::string& where);

// An object whose keys are known and may all be left out. `where` opens every message.
class JsonFields {
 public:
  // Throws Error when it is no object or holds another key.
  JsonFields(const Json& object, std::string where, std::initializer_list<const char*> known);

  const Json* find(const char* key) const;

  // Each gives `absent` for a key that is not there, and throws Error for what does not fit.
  double number(const char* key, double absent) const;
  double positive(const char* key, double absent) const;
  double not_negative(const char* key, double absent) const;
  std::uint64_t whole(const char* key, std::uint64_t absent, std::uint64_t least) const;

  // The index among the choices.
  std::size_t choice(const char* key, std::initializer_list<const char*> choices,
                     std::size_t absent) const;

  [[noreturn]] void refuse(const char* key, const std::string& remedy) const;
  std::string where(const char* key) const;

 private:
  const Json& object_;
  std::string where_;
};

}  // namespace lockstep::host
