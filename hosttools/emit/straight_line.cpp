#include "emit/straight_line.hpp"

#include <vector>

#include "emit/line_writer.hpp"
#include "model/limbs.hpp"

namespace lockstep::host {

namespace {

// Results in the order in which the passes hand them out.
struct Results {
  std::vector<Traced> vdot, reaction, lambda;
};

Results record(const Tree& tree, const std::vector<Limbs>& limbs, Graph& graph) {
  const LimbLists<Traced> lists(tree, limbs);
  const Counts& counts = lists.counts;
  const auto q = inputs(graph, "ask.q", counts.q), v = inputs(graph, "ask.v", counts.v);
  const auto tau = inputs(graph, "ask.tau", counts.v);
  const auto gravity = inputs(graph, "ask.gravity", 3);
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
