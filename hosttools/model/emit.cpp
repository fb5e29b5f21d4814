#include "model/emit.hpp"

#include <algorithm>
#include <charconv>
#include <span>
#include <string_view>

#include "model/content_hash.hpp"
#include "model/order.hpp"
#include "model/summary.hpp"

namespace lockstep::host {

namespace {

constexpr std::size_t kColumns = 100;

std::string integer(long long value, int base = 10) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value, base).ptr};
}

std::string number(double value) {
  char text[32];
  std::string result(text, std::to_chars(text, text + sizeof text, value).ptr);
  // without this a long whole number would be an integer literal that no integer type holds
  constexpr std::size_t kDigitsOfAnInt = 9;
  if (result.size() > kDigitsOfAnInt && result.find_first_of(".e") == std::string::npos) {
    result += ".0";
  }
  return result;
}

// Bytes outside printable ASCII become octal escapes, which end after three digits.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const unsigned byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') {
      result += '\\';
      result += c;
    } else if (byte >= 0x20 && byte < 0x7F) {
      result += c;
    } else {
      result += '\\';
      for (int shift = 6; shift >= 0; shift -= 3) {
        result += static_cast<char>('0' + (byte >> shift & 7u));
      }
    }
  }
  return result + '"';
}

// A comment must not hold a line end, nor a backslash that would swallow one.
std::string commented(std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(
      result, [](char c) { return c < 0x20 || c >= 0x7F || c == '\\'; }, '_');
  return result;
}

// {a, b, c}, filled into as many lines as it takes, or with `per_line` items a line.
std::string braced(const std::vector<std::string>& items, std::size_t indent,
                   std::size_t per_line = 0) {
  std::string result = "{";
  std::size_t column = indent + 1;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool wrap = per_line != 0 ? i % per_line == 0 : column + items[i].size() + 3 > kColumns;
    if (i != 0) result += wrap ? ",\n" + std::string(indent + 1, ' ') : ", ";
    if (i != 0) column = wrap ? indent + 1 : column + 2;
    result += items[i];
    column += items[i].size();
  }
  return result + "}";
}

std::string write(std::span<const double> values, std::size_t indent) {
  std::vector<std::string> items;
  for (const double value : values) items.push_back(number(value));
  const std::string line = braced(items, indent, items.size());
  // a rotation that does not fit on a line reads best row by row
  return indent + line.size() < kColumns ? line : braced(items, indent, 3);
}

// The fields of an aggregate that differ from its defaults.
class Fields {
 public:
  explicit Fields(std::size_t indent) : indent_(indent) {}

  void add(const std::string& name, const std::string& value) {
    items_.push_back("." + name + " = " + value);
  }
  void add(const std::string& name, double value, double standard) {
    if (value != standard) add(name, number(value));
  }
  template <std::size_t kSize>
  void add(const std::string& name, const std::array<double, kSize>& value,
           const std::array<double, kSize>& standard) {
    if (value != standard) add(name, write(value, indent_ + name.size() + 5));
  }
  std::string on_one_line() const { return braced(items_, indent_, items_.size()); }
  std::string a_line_each() const { return braced(items_, indent_, 1); }

 private:
  std::size_t indent_;
  std::vector<std::string> items_;
};

std::string write(const Limits& limits) {
  constexpr Limits kStandard;
  Fields fields(0);
  fields.add("lower", limits.lower, kStandard.lower);
  fields.add("upper", limits.upper, kStandard.upper);
  fields.add("velocity", limits.velocity, kStandard.velocity);
  fields.add("effort", limits.effort, kStandard.effort);
  return fields.on_one_line();
}

std::string write(const Mimic& mimic) {
  constexpr Mimic kStandard;
  Fields fields(0);
  fields.add("body", integer(mimic.body));
  fields.add("multiplier", mimic.multiplier, kStandard.multiplier);
  fields.add("offset", mimic.offset, kStandard.offset);
  return fields.on_one_line();
}

std::string write(JointType joint) {
  constexpr std::array<const char*, kJointTypes> kNames = {"kRevolute", "kPrismatic", "kBall",
                                                           "kPlanar", "kFloating"};
  return std::string("lockstep::JointType::") + kNames[static_cast<std::size_t>(joint)];
}

std::string write_parent(int body) { return body == kWorld ? "lockstep::kWorld" : integer(body); }

std::string write(const Body& body, std::size_t indent) {
  const Body standard;
  Fields fields(indent);
  fields.add("parent", write_parent(body.parent));
  fields.add("joint", write(body.joint));
  fields.add("R_PJ", body.R_PJ, standard.R_PJ);
  fields.add("p_PJ", body.p_PJ, standard.p_PJ);
  fields.add("R_LB", body.R_LB, standard.R_LB);
  fields.add("mass", number(body.mass));
  fields.add("h", body.h, standard.h);
  fields.add("inertia", body.inertia, standard.inertia);
  fields.add("damping", body.damping, standard.damping);
  fields.add("friction", body.friction, standard.friction);
  if (body.limits != standard.limits) fields.add("limits", write(body.limits));
  if (body.mimic != standard.mimic) fields.add("mimic", write(body.mimic));
  return fields.a_line_each();
}

std::string write(const Node& node) {
  Fields fields(0);
  fields.add("kind", node.kind == NodeKind::kBody ? "lockstep::NodeKind::kBody"
                                                  : "lockstep::NodeKind::kConstraint");
  fields.add("body", integer(node.body));
  fields.add("dimension", integer(node.dimension));
  fields.add("parent", node.parent == kNone ? "lockstep::kNone" : integer(node.parent));
  return fields.on_one_line();
}

std::string write(const Frame& frame, std::size_t indent) {
  const Frame standard;
  Fields fields(indent);
  fields.add("body", write_parent(frame.body));
  fields.add("R_BF", frame.R_BF, standard.R_BF);
  fields.add("p_BF", frame.p_BF, standard.p_BF);
  const std::string line = fields.on_one_line();
  return indent + line.size() < kColumns ? line : fields.a_line_each();
}

// One member of the struct: an array, with a comment above each item.
struct Item {
  std::string comment;
  std::string value;
};
constexpr std::size_t kItemIndent = 6;

std::string declaration(const std::string& type, std::size_t size, const std::string& name) {
  return "  static constexpr std::array<" + type + ", " + integer(static_cast<long long>(size)) +
         "> " + name + " = ";
}

std::string array(const std::string& type, const std::string& name,
                  const std::vector<Item>& items) {
  std::string result = declaration(type, items.size(), name);
  if (items.empty()) return result + "{};\n";
  const std::string indent(kItemIndent, ' ');
  result += "{{\n";
  for (const Item& item : items) {
    result += indent + "// " + item.comment + "\n" + indent + item.value + ",\n";
  }
  return result + "  }};\n";
}

std::string plain_array(const std::string& type, const std::string& name,
                        const std::vector<std::string>& items) {
  const std::string start = declaration(type, items.size(), name);
  const std::string line = braced(items, 0, items.size());
  if (start.size() + line.size() < kColumns) return start + line + ";\n";
  return start + "\n      " + braced(items, kItemIndent) + ";\n";
}

std::string names(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts) items.push_back(quoted(text));
  return plain_array("std::string_view", name, items);
}

std::string title(const Tree& tree, const EmitOptions& options) {
  return "// " + commented(tree.name) + " from " + commented(options.source) + ": " +
         summary(tree) + ".\n// Emitted by lockstep compile; do not edit.\n";
}

}  // namespace

std::string emit_header(const Tree& tree, const EmitOptions& options) {
  const std::string& type = options.struct_name;
  const std::vector<Node> forward = forward_order(tree);

  std::vector<Item> bodies, nodes, frames;
  std::vector<std::string> backward;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    bodies.push_back({integer(static_cast<long long>(i)) + ": " + commented(tree.link_names[i]) +
                          ", carried by " + commented(tree.joint_names[i]),
                      write(tree.bodies[i], kItemIndent)});
  }
  for (std::size_t i = 0; i < forward.size(); ++i) {
    const std::size_t body = static_cast<std::size_t>(forward[i].body);
    const auto& owner = forward[i].kind == NodeKind::kBody ? tree.link_names : tree.joint_names;
    nodes.push_back(
        {integer(static_cast<long long>(i)) + ": " + commented(owner[body]), write(forward[i])});
    backward.push_back(integer(static_cast<long long>(forward.size() - 1 - i)));
  }
  for (std::size_t i = 0; i < tree.frames.size(); ++i) {
    frames.push_back({commented(tree.frame_names[i]), write(tree.frames[i], kItemIndent)});
  }
  char hash[32];
  const auto end = std::to_chars(hash, hash + sizeof hash, content_hash(tree), 16).ptr;

  return title(tree, options) +
         "#pragma once\n\n#include <array>\n#include <cstdint>\n#include <string_view>\n\n"
         "#include \"lockstep/model.hpp\"\n\n"
         "struct " +
         type +
         " {\n"
         "  static constexpr std::string_view kName = " +
         quoted(tree.name) +
         ";\n"
         "  static constexpr std::uint64_t kHash = 0x" +
         std::string(hash, end) +
         "u;\n\n"
         "  // Parents first.\n" +
         array("lockstep::Body", "kBodies", bodies) +
         "\n  // The rows of H, children first; Backward is the reverse.\n" +
         array("lockstep::Node", "kForward", nodes) + plain_array("int", "kBackward", backward) +
         "\n" + names("kLinkNames", tree.link_names) + names("kJointNames", tree.joint_names) +
         "\n  // Every link of the file, fixed to the body that carries it.\n" +
         array("lockstep::Frame", "kFrames", frames) + names("kFrameNames", tree.frame_names) +
         "};\n\n"
         "static_assert(lockstep::parents_come_first(" +
         type +
         "::kBodies));\n"
         "static_assert(lockstep::children_come_first(" +
         type +
         "::kForward));\n"
         "static_assert(lockstep::is_reverse_of(" +
         type + "::kBackward, " + type + "::kForward));\n";
}

}  // namespace lockstep::host
