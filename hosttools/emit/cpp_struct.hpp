// Constant arrays of aggregates as an emitted struct declares them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "emit/cpp_text.hpp"

namespace lockstep::host {

// What every emitted header begins and ends with, macros of boards set aside in between.
inline constexpr const char* kHeaderOpening =
    "#pragma once\n\n#include \"lockstep/hide_macros.hpp\"\n\n"
    "#include <array>\n#include <cstdint>\n#include <string_view>\n\n";
inline constexpr const char* kHeaderClosing = "\n#include \"lockstep/restore_macros.hpp\"\n";

inline constexpr std::size_t kItemIndent = 6;

// {1, 2, 3}; what does not fit on a line, as a matrix, reads best row by row.
std::string write_numbers(std::span<const double> values, std::size_t indent);

// A body's number, or the world's name.
std::string write_holder(int body);

// The fields of an aggregate that differ from its defaults.
class Fields {
 public:
  void add(const std::string& name, const std::string& value) {
    items_.push_back("." + name + " = " + value);
  }
  void add(const std::string& name, double value, double standard) {
    if (value != standard) add(name, number(value));
  }
  template <std::size_t kSize>
  void add(const std::string& name, const std::array<double, kSize>& value,
           const std::array<double, kSize>& standard) {
    if (value != standard) add(name, write_numbers(value, kItemIndent + name.size() + 5));
  }
  std::string on_one_line() const { return braced_line(items_); }
  std::string a_line_each() const { return braced_rows(items_, kItemIndent, 1); }

 private:
  std::vector<std::string> items_;
};

// An array of aggregates, with a comment above each.
struct Item {
  std::string comment;
  std::string value;
};
std::string array(const std::string& type, const std::string& name, const std::vector<Item>& items);

std::string plain_array(const std::string& type, const std::string& name,
                        const std::vector<std::string>& items);

// An array of string views.
std::string names(const std::string& name, const std::vector<std::string>& texts);

}  // namespace lockstep::host
