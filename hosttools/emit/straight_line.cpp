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

  const std::vector<bool> needed =
      needed_for(recording, {&results.vdot, &results.reaction, &results.lambda});
  const bool wide = !limbs.empty();
  StraightLine line = open_line(
      graph, needed, "class T", wide ? "straight_limbs" : "straight_line",
      {"const lockstep::PassInput<T>& ask", "const lockstep::PassOutput<T>& answer"}, wide);
  Writer writer(graph);
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
  line.text += "    lockstep::PassCheck<T> verdict;\n";
  line.text += writer.verdict("positive", recording.positive, ">");
  line.text += writer.verdict("finite", recording.zero, "==");
  line.text += "    return verdict;\n  }\n";
  return line;
}

}  // namespace lockstep::host
