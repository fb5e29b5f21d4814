#include "trace/straight_line.hpp"

#include <map>
#include <memory>
#include <vector>

#include "lockstep/passes.hpp"
#include "model/cpp_text.hpp"
#include "model/table.hpp"
#include "trace/traced.hpp"

namespace lockstep::host {

namespace {

// Results in the order in which the passes hand them out.
struct Results {
  std::vector<Traced> vdot, reaction, lambda;
};

std::vector<Traced> inputs(Graph& graph, const std::string& name, int count) {
  std::vector<Traced> values;
  for (int i = 0; i < count; ++i) {
    values.push_back(Traced::from(graph.input("ask." + name + "[" + std::to_string(i) + "]")));
  }
  return values;
}

Results record(const Tree& tree, Graph& graph) {
  const auto model = to_table<Traced>(tree);
  const auto q = inputs(graph, "q", model->counts().q), v = inputs(graph, "v", model->counts().v);
  const auto tau = inputs(graph, "tau", model->counts().v), gravity = inputs(graph, "gravity", 3);
  Results results;
  results.vdot.resize(v.size());
  results.reaction.resize(6 * tree.bodies.size());
  results.lambda.resize(static_cast<std::size_t>(model->counts().lambda));
  std::vector<BodyState<Traced>> states(tree.bodies.size());
  run_passes(*model, Question<Traced>{q.data(), v.data(), tau.data(), gravity.data(), nullptr},
             states.data(),
             Answer<Traced>{results.vdot.data(), results.reaction.data(), results.lambda.data()});
  return results;
}

class Writer {
 public:
  explicit Writer(const Graph& graph) : graph_(graph) {}

  // Sines and cosines come first and together, in a loop that a compiler can vectorize.
  std::string angles(const std::vector<bool>& needed) {
    std::vector<std::string> places;
    for (std::size_t i = 0; i < needed.size(); ++i) {
      const Expression& e = graph_.expressions()[i];
      const bool is_sine = e.operation == Operation::kSine;
      if (!needed[i] || (!is_sine && e.operation != Operation::kCosine)) continue;
      const auto [place, is_new] = angles_.try_emplace(e.a, angles_.size());
      if (is_new) places.push_back(name(e.a));
      names_[static_cast<int>(i)] = (is_sine ? "s[" : "c[") + std::to_string(place->second) + "]";
    }
    if (places.empty()) return "";
    const std::string count = std::to_string(places.size());
    return "    using lockstep::sincos;\n    const T angle[] = " + braced(places, 22) +
           ";\n    T s[" + count + "], c[" + count + "];\n    for (int i = 0; i < " + count +
           "; ++i) sincos(angle[i], s[i], c[i]);\n";
  }

  std::string statement(int id) {
    const Expression& e = graph_.expressions()[static_cast<std::size_t>(id)];
    std::string value;
    switch (e.operation) {
      case Operation::kAdd: value = name(e.a) + " + " + name(e.b); break;
      case Operation::kSubtract: value = name(e.a) + " - " + name(e.b); break;
      case Operation::kMultiply: value = name(e.a) + " * " + name(e.b); break;
      case Operation::kDivide: value = name(e.a) + " / " + name(e.b); break;
      case Operation::kNegate: value = "-" + name(e.a); break;
      default: return "";
    }
    names_[id] = "x" + std::to_string(next_++);
    return "    const T " + names_[id] + " = " + value + ";\n";
  }

  std::string name(int id) const {
    const Expression& e = graph_.expressions()[static_cast<std::size_t>(id)];
    if (e.operation == Operation::kConstant) return "T(" + number(e.constant) + ")";
    if (e.operation == Operation::kInput) {
      return graph_.input_names()[static_cast<std::size_t>(e.a)];
    }
    return names_.at(id);
  }

 private:
  const Graph& graph_;
  std::map<int, std::string> names_;
  std::map<int, std::size_t> angles_;
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
      default: break;
    }
  }
}

std::string assignments(const Writer& writer, const std::string& array,
                        const std::vector<Traced>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += "    answer." + array + "[" + std::to_string(i) + "] = " + writer.name(values[i].id()) +
            ";\n";
  }
  return text;
}

}  // namespace

StraightLine straight_line(const Tree& tree) {
  Recording recording;
  const Graph& graph = recording.graph;
  const Results results = record(tree, recording.graph);

  std::vector<int> roots = recording.positive;
  for (const auto* values : {&results.vdot, &results.reaction, &results.lambda}) {
    for (const Traced& value : *values) roots.push_back(value.id());
  }
  const std::vector<bool> needed = graph.needed_by(roots);

  StraightLine line;
  count(graph, needed, line);
  Writer writer(graph);
  line.text =
      "  template <class T>\n"
      "  static bool straight_line(const lockstep::Question<T>& ask,\n"
      "                            const lockstep::Answer<T>& answer) {\n";
  line.text += writer.angles(needed);
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (needed[i]) line.text += writer.statement(static_cast<int>(i));
  }
  line.text += assignments(writer, "vdot", results.vdot);
  line.text += assignments(writer, "reaction", results.reaction);
  line.text += assignments(writer, "lambda", results.lambda);
  line.text += "    bool positive = true;\n";
  for (const int id : recording.positive) {
    line.text += "    positive &= " + writer.name(id) + " > T(0);\n";
  }
  line.text += "    return positive;\n  }\n";
  return line;
}

}  // namespace lockstep::host
