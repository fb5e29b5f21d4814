#include "emit/cpp_struct.hpp"

#include "lockstep/model.hpp"

namespace lockstep::host {

namespace {

std::string declaration(const std::string& type, std::size_t size, const std::string& name) {
  return "  static constexpr std::array<" + type + ", " + std::to_string(size) + "> " + name + " =";
}

}  // namespace

std::string write_numbers(std::span<const double> values, std::size_t indent) {
  std::vector<std::string> items;
  for (const double value : values) items.push_back(number(value));
  const std::string line = braced_line(items);
  return indent + line.size() < kColumns ? line : braced_rows(items, indent, 3);
}

std::string write_holder(int body) {
  return body == kWorld ? "lockstep::kWorld" : std::to_string(body);
}

std::string array(const std::string& type, const std::string& name,
                  const std::vector<Item>& items) {
  const std::string start = declaration(type, items.size(), name);
  if (items.empty()) return start + " {};\n";
  const std::string indent(kItemIndent, ' ');
  std::string text = start + " {{\n";
  for (const Item& item : items) {
    text += indent + "// " + item.comment + "\n" + indent + item.value + ",\n";
  }
  return text + "  }};\n";
}

std::string plain_array(const std::string& type, const std::string& name,
                        const std::vector<std::string>& items) {
  const std::string start = declaration(type, items.size(), name);
  const std::string line = " " + braced_line(items) + ";\n";
  if (start.size() + line.size() <= kColumns + 1) return start + line;
  return start + "\n" + std::string(kItemIndent, ' ') + braced(items, kItemIndent) + ";\n";
}

std::string names(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts) items.push_back(cpp_quoted(text));
  return plain_array("std::string_view", name, items);
}

}  // namespace lockstep::host
