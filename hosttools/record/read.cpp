#include "record/read.hpp"

#include <cmath>
#include <limits>

#include "record/csv.hpp"
#include "system/read_file.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

constexpr std::size_t kMaxBytes = 1024 * kMebibyte;

// `q.elbow [rad]`; a name may itself end in brackets, the last ones are the unit.
RecordColumn to_column(const std::string& header) {
  const std::size_t unit = header.ends_with(']') ? header.rfind(" [") : std::string::npos;
  if (unit == std::string::npos) return {header, ""};
  return {header.substr(0, unit), header.substr(unit + 2, header.size() - unit - 3)};
}

std::optional<double> to_value(const std::string& text) {
  if (text == "nan" || text == "-nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return parse_number(text);
}

// Takes the first line off the text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

Record read_record(const std::string& path) {
  const std::string bytes =
      read_file(path, kMaxBytes, "give a file of --csv, of a longer run one with --every");
  std::string_view text = bytes;
  const auto header = csv_fields(take_line(text));
  if (!header || header->empty() || to_column(header->front()).name != time_column().name) {
    throw Error(path + ":1: does not begin with a column 'time'; give a file of --csv");
  }
  std::vector<RecordColumn> columns;
  for (std::size_t i = 1; i < header->size(); ++i) columns.push_back(to_column((*header)[i]));
  Record record(columns);
  double time = -std::numeric_limits<double>::infinity();
  std::vector<double> row;
  for (int number = 2; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    if (line.empty()) continue;
    const std::string where = path + ":" + std::to_string(number);
    const auto fields = csv_fields(line);
    if (!fields || fields->size() != header->size()) {
      throw Error(where + ": has " + std::to_string(fields ? fields->size() : 0) +
                  " fields, and the header " + std::to_string(header->size()) +
                  "; is the file complete?");
    }
    row.clear();
    for (const std::string& field : *fields) {
      const auto value = to_value(field);
      if (!value) throw Error(where + ": " + quote(field) + " is no number; give one");
      row.push_back(*value);
    }
    if (!(std::isfinite(row[0]) && row[0] >= time)) {
      throw Error(where + ": the time falls; sort the rows by time");
    }
    time = row[0];
    record.add(time, std::span(row).subspan(1));
  }
  return record;
}

}  // namespace lockstep::host
