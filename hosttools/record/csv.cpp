#include "record/csv.hpp"

namespace lockstep::host {

namespace {

// Takes a field in quotes off the line, both quotes included. False if it does not end.
bool take_quoted(std::string_view& line, std::string& field) {
  line.remove_prefix(1);
  while (!line.empty()) {
    const char c = line.front();
    line.remove_prefix(1);
    if (c == '"') {
      if (!line.starts_with('"')) return true;
      line.remove_prefix(1);
    }
    field += c;
  }
  return false;
}

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::optional<std::vector<std::string>> csv_fields(std::string_view line) {
  std::vector<std::string> fields;
  while (true) {
    std::string field;
    if (line.starts_with('"')) {
      if (!take_quoted(line, field)) return std::nullopt;
    } else {
      field = line.substr(0, line.find(','));
      line.remove_prefix(field.size());
    }
    fields.push_back(field);
    if (line.empty()) return fields;
    if (!line.starts_with(',')) return std::nullopt;
    line.remove_prefix(1);
  }
}

}  // namespace lockstep::host
