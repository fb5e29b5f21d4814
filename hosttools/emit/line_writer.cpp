#include "emit/line_writer.hpp"

#include "emit/cpp_text.hpp"

namespace lockstep::host {

std::vector<Traced> inputs(Graph& graph, const std::string& name, int count) {
  std::vector<Traced> values;
  values.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    values.push_back(Traced::from(graph.input(name + "[" + std::to_string(i) + "]")));
  }
  return values;
}

std::vector<bool> needed_for(const Recording& recording,
                             std::initializer_list<const std::vector<Traced>*> results) {
  std::vector<int> roots = recording.positive;
  roots.insert(roots.end(), recording.zero.begin(), recording.zero.end());
  for (const auto* values : results) {
    for (const Traced& value : *values) roots.push_back(value.id());
  }
  return recording.graph.needed_by(roots);
}

StraightLine count_line(const Graph& graph, const std::vector<bool>& needed) {
  StraightLine line;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (!needed[i]) continue;
    switch (graph.expressions()[i].operation) {
      case Operation::kAdd:
      case Operation::kSubtract:
      case Operation::kNegate: ++line.additions; break;
      case Operation::kMultiply: ++line.multiplications; break;
      case Operation::kDivide: ++line.divisions; break;
      case Operation::kJoin: line.moves += 3; break;
      case Operation::kLane: ++line.moves; break;
      default: break;
    }
  }
  return line;
}

std::string open_function(const std::string& types, const std::string& result,
                          const std::string& name, const std::vector<std::string>& parameters,
                          bool wide) {
  const std::string start = "  static " + result + " " + name + "(";
  std::string text = "  template <" + types + ">\n" + start;
  for (const std::string& parameter : parameters) {
    if (&parameter != &parameters.front()) text += ",\n" + std::string(start.size(), ' ');
    text += parameter;
  }
  text += ") {\n";
  if (wide) text += "    using L = lockstep::LimbLanesOf<T>;\n";
  return text;
}

StraightLine open_line(const Graph& graph, const std::vector<bool>& needed,
                       const std::string& types, const std::string& name,
                       const std::vector<std::string>& parameters, bool wide) {
  StraightLine line = count_line(graph, needed);
  line.text = open_function(types, "lockstep::PassCheck<T>", name, parameters, wide);
  line.text +=
      "    T *const __restrict vdot = answer.vdot, *const __restrict reaction = answer.reaction,\n"
      "            *const __restrict lambda = answer.lambda;\n";
  return line;
}

std::string Writer::angles(const std::vector<bool>& needed) {
  std::vector<std::string> narrow;
  std::string wide;
  std::map<int, std::string> known;  // what follows "s" or "c" in the name, by angle
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const Expression& e = graph_.expressions()[i];
    const bool is_sine = e.operation == Operation::kSine;
    if (!needed[i] || (!is_sine && e.operation != Operation::kCosine)) continue;
    if (!known.contains(e.a)) {
      if (graph_.is_wide(e.a)) {
        const std::string place = std::to_string(known.size());
        known[e.a] = place;
        wide += statement(e.a);
        const std::string pair = std::string("s").append(place).append(", c").append(place);
        wide.append("    L ").append(pair).append(";\n");
        wide.append("    sincos(").append(name(e.a)).append(", ").append(pair).append(");\n");
      } else {
        known[e.a] = "[" + std::to_string(narrow.size()) + "]";
        narrow.push_back(name(e.a));
      }
    }
    names_[static_cast<int>(i)] = (is_sine ? "s" : "c") + known[e.a];
  }
  if (narrow.empty()) return wide;
  const std::string count = std::to_string(narrow.size());
  return "    const T angle[] = " + braced(narrow, 22) + ";\n    T s[" + count + "], c[" + count +
         "];\n    lockstep::sincos_each<" + count + ">(angle, s, c);\n" + wide;
}

std::string Writer::statement(int id) {
  const Expression& e = graph_.expressions()[static_cast<std::size_t>(id)];
  if (names_.contains(id)) return "";
  std::string value;
  switch (e.operation) {
    case Operation::kAdd: value = name(e.a) + " + " + name(e.b); break;
    case Operation::kSubtract: value = name(e.a) + " - " + name(e.b); break;
    case Operation::kMultiply: value = name(e.a) + " * " + name(e.b); break;
    case Operation::kDivide: value = name(e.a) + " / " + name(e.b); break;
    case Operation::kNegate: value = "-" + name(e.a); break;
    case Operation::kJoin: value = join(e); break;
    default: return "";
  }
  names_[id] = "x" + std::to_string(next_++);
  return (graph_.is_wide(id) ? "    const L " : "    const T ") + names_[id] + " = " + value +
         ";\n";
}

std::string Writer::name(int id) const {
  if (const auto known = names_.find(id); known != names_.end()) return known->second;
  const Expression& e = graph_.expressions()[static_cast<std::size_t>(id)];
  if (e.operation == Operation::kConstant) return "T(" + number(e.constant) + ")";
  if (e.operation == Operation::kInput) {
    return graph_.input_names()[static_cast<std::size_t>(e.a)];
  }
  return name(e.a) + "[" + std::to_string(e.b) + "]";  // a lane
}

std::string Writer::verdict(const char* field, const std::vector<int>& ids,
                            const std::string& relation) const {
  std::string text;
  for (const int id : ids) {
    const std::string compared = name(id) + " " + relation;
    text += std::string("    verdict.") + field + " &= " +
            (graph_.is_wide(id) ? "lockstep::all(" + compared + " L(0))" : compared + " T(0)") +
            ";\n";
  }
  return text;
}

std::string Writer::join(const Expression& e) const {
  std::vector<std::string> lanes;
  for (const int lane : e.joined) lanes.push_back(name(lane));
  return "lockstep::LimbLanes<T>::join(\n        " + braced(lanes, 8) + ")";
}

void Stores::add(const std::string& array, const std::vector<Traced>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    add_to(array + "[" + std::to_string(i) + "]", values[i].id());
  }
}

void Stores::add_to(const std::string& place, int id) {
  const Expression& e = graph_.expressions()[static_cast<std::size_t>(id)];
  stores_[e.operation == Operation::kLane ? e.a : id].push_back({place, id});
}

std::string Stores::take(int id) {
  std::string text;
  for (const auto& [place, value] : stores_[id]) {
    text += "    " + place + " = " + writer_.name(value) + ";\n";
  }
  stores_.erase(id);
  return text;
}

std::string Stores::take_rest() {
  std::string text;
  while (!stores_.empty()) text += take(stores_.begin()->first);
  return text;
}

}  // namespace lockstep::host
