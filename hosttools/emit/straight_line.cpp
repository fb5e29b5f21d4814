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

// What an implicit step adds, where set_added_inertia gives anything but zero.
std::vector<Traced> added_inertia(const LimbLists<Traced>& lists, const Tree& tree, Graph& graph) {
  const auto given = inputs(graph, "ask.added", lists.counts.v);
  std::vector<Traced> added(given.size());
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    if (!is_soft(tree.bodies[i])) continue;
    const int leader = tree.bodies[i].tie.leader;
    const BodyData<Traced>& body =
        lists.bodies[leader == kNone ? i : static_cast<std::size_t>(leader)];
    for (int k = 0; k < dof_count(body.joint); ++k) added[at(body.v + k)] = given[at(body.v + k)];
  }
  return added;
}

Results record(const Tree& tree, const std::vector<Limbs>& limbs, LineFor use, Graph& graph) {
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
  PassInput<Traced> ask = {q.data(), v.data(), tau.data(), gravity.data(), nullptr};
  const PassOutput<Traced> answer = {results.vdot.data(), results.reaction.data(),
                                     results.lambda.data()};
  if (use == LineFor::kDynamics) {
    run_limb_passes<Traced>(lists.plan(), ask, states.data(), limb_states.data(), answer);
  } else {
    const std::vector<Traced> added = added_inertia(lists, tree, graph);
    ask.added = added.data();
    run_limb_passes<Traced, true, true>(lists.plan(), ask, states.data(), limb_states.data(),
                                        answer);
  }
  return results;
}

}  // namespace

StraightLine straight_line(const Tree& tree, const std::vector<Limbs>& limbs, LineFor use) {
  Recording recording;
  const Graph& graph = recording.graph;
  const Results results = record(tree, limbs, use, recording.graph);

  const std::vector<bool> needed =
      needed_for(recording, {&results.vdot, &results.reaction, &results.lambda});
  const bool wide = !limbs.empty();
  StraightLine line = open_line(
      graph, needed, "class T",
      use == LineFor::kStep ? (wide ? "straight_limbs_step" : "straight_step")
                            : (wide ? "straight_limbs" : "straight_line"),
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
