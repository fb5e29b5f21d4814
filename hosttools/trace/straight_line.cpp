#include "trace/straight_line.hpp"

#include <map>
#include <vector>

#include "model/cpp_text.hpp"
#include "model/limbs.hpp"
#include "trace/traced.hpp"

namespace lockstep::host {

namespace {

// Results in the order in which the passes hand them out.
struct Results {
  std::vector<Traced> vdot, reaction, lambda;
};

std::vector<Traced> inputs(Graph& graph, const std::string& name, int count) {
  std::vector<Traced> values;
  values.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    values.push_back(Traced::from(graph.input("ask." + name + "[" + std::to_string(i) + "]")));
  }
  return values;
}

Results record(const Tree& tree, const std::vector<Limbs>& limbs, Graph& graph) {
  const LimbLists<Traced> lists(tree, limbs);
  const Counts& counts = lists.counts;
  const auto q = inputs(graph, "q", counts.q), v = inputs(graph, "v", counts.v);
  const auto tau = inputs(graph, "tau", counts.v), gravity = inputs(graph, "gravity", 3);
  Results results;
  results.vdot.resize(v.size());
  results.reaction.resize(6 * tree.bodies.size());
  results.lambda.resize(static_cast<std::size_t>(counts.lambda));

  std::vector<BodyState<Traced>> states(lists.bodies.size());
  std::vector<LimbState<Traced>> limb_states(lists.limb_bodies.size() + lists.groups.size());
  run_limb_passes<Traced>(lists.plan(), {q.data(), v.data(), tau.data(), gravity.data(), nullptr},
                          states.data(), limb_states.data(),
                          {results.vdot.data(), results.reaction.data(), results.lambda.data()});
  return results;
}

class Writer {
 public:
  explicit Writer(const Graph& graph) : graph_(graph) {}

  // Sines and cosines come first and together, a register's worth of angles at a time.
  std::string angles(const std::vector<bool>& needed) {
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

  std::string statement(int id) {
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

  std::string name(int id) const {
    const Expression& e = graph_.expressions()[static_cast<std::size_t>(id)];
    if (e.operation == Operation::kConstant) return "T(" + number(e.constant) + ")";
    if (e.operation == Operation::kInput) {
      return graph_.input_names()[static_cast<std::size_t>(e.a)];
    }
    if (e.operation == Operation::kLane) return name(e.a) + "[" + std::to_string(e.b) + "]";
    return names_.at(id);
  }

  // A comparison with zero.
  std::string compared(int id, const std::string& relation) const {
    if (!graph_.is_wide(id)) return name(id) + " " + relation + " T(0)";
    return "lockstep::all(" + name(id) + " " + relation + " L(0))";
  }

 private:
  std::string join(const Expression& e) const {
    std::vector<std::string> lanes;
    for (const int lane : e.joined) lanes.push_back(name(lane));
    return "lockstep::Abreast<T>::join(\n        " + braced(lanes, 8) + ")";
  }

  const Graph& graph_;
  std::map<int, std::string> names_;
  int next_ = 0;
};

void count(const Graph& graph, const std::vector<bool>& needed, StraightLine& line) {
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
}

// The statements that store an answer, by the expression that computes it: stored as soon as it is
// there, it does not crowd the registers.
class Stores {
 public:
  Stores(const Graph& graph, const Writer& writer) : graph_(graph), writer_(writer) {}

  void add(const std::string& array, const std::vector<Traced>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Expression& e = graph_.expressions()[static_cast<std::size_t>(values[i].id())];
      const int source = e.operation == Operation::kLane ? e.a : values[i].id();
      stores_[source].push_back({array + "[" + std::to_string(i) + "]", values[i].id()});
    }
  }
  std::string take(int id) {
    std::string text;
    for (const auto& [place, value] : stores_[id]) {
      text += "    " + place + " = " + writer_.name(value) + ";\n";
    }
    stores_.erase(id);
    return text;
  }
  // Of constants, inputs, sines and cosines.
  std::string take_rest() {
    std::string text;
    while (!stores_.empty()) text += take(stores_.begin()->first);
    return text;
  }

 private:
  const Graph& graph_;
  const Writer& writer_;
  std::map<int, std::vector<std::pair<std::string, int>>> stores_;
};

}  // namespace

StraightLine straight_line(const Tree& tree, const std::vector<Limbs>& limbs) {
  Recording recording;
  const Graph& graph = recording.graph;
  const Results results = record(tree, limbs, recording.graph);

  std::vector<int> roots = recording.positive;
  roots.insert(roots.end(), recording.zero.begin(), recording.zero.end());
  for (const auto* values : {&results.vdot, &results.reaction, &results.lambda}) {
    for (const Traced& value : *values) roots.push_back(value.id());
  }
  const std::vector<bool> needed = graph.needed_by(roots);

  StraightLine line;
  count(graph, needed, line);
  Writer writer(graph);
  const std::string name = limbs.empty() ? "straight_line" : "straight_limbs";
  const std::string start = "  static lockstep::Verdict<T> " + name + "(";
  line.text = "  template <class T>\n" + start + "const lockstep::Question<T>& ask,\n" +
              std::string(start.size(), ' ') + "const lockstep::Answer<T>& answer) {\n";
  if (!limbs.empty()) line.text += "    using L = lockstep::AbreastOf<T>;\n";
  line.text +=
      "    T *const __restrict vdot = answer.vdot, *const __restrict reaction = answer.reaction,\n"
      "            *const __restrict lambda = answer.lambda;\n";
  line.text += writer.angles(needed);
  Stores stores(graph, writer);
  stores.add("vdot", results.vdot);
  stores.add("reaction", results.reaction);
  stores.add("lambda", results.lambda);
  for (int id = 0; id < static_cast<int>(needed.size()); ++id) {
    if (!needed[static_cast<std::size_t>(id)]) continue;
    const std::string statement = writer.statement(id);
    if (!statement.empty()) line.text += statement + stores.take(id);
  }
  line.text += stores.take_rest();
  line.text += "    lockstep::Verdict<T> verdict;\n";
  for (const int id : recording.positive) {
    line.text += "    verdict.positive &= " + writer.compared(id, ">") + ";\n";
  }
  for (const int id : recording.zero) {
    line.text += "    verdict.finite &= " + writer.compared(id, "==") + ";\n";
  }
  line.text += "    return verdict;\n  }\n";
  return line;
}

}  // namespace lockstep::host
