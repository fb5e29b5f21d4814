#include <memory>

#include "emit/line_writer.hpp"
#include "emit/straight_line.hpp"
#include "lockstep/auxiliary/closure.hpp"
#include "lockstep/maximal/catalogue.hpp"
#include "model/loop_rows.hpp"
#include "model/tree_model.hpp"

namespace lockstep::host {

namespace {

using auxiliary::Row;
using auxiliary::Side;
using auxiliary::Term;

using TracedModel = TreeModel<Traced, kStraightLineLoopBodies, false>;
using TracedTree = auxiliary::FactoredTree<TracedModel, Traced>;
using TracedResponse = auxiliary::Response<TracedModel, Traced>;

struct OwnRow {
  std::vector<Term<Traced>> terms;
  Traced bias;

  operator Row<Traced>() const { return {terms, bias, false}; }
};

// What loops of a robot may be, in the catalogue's order; its other constraints need roots.
using LoopTypes = maximal::TypeList<
    maximal::Between<maximal::Ball<Traced>>, maximal::Between<maximal::Revolute<Traced>>,
    maximal::Between<maximal::Prismatic<Traced>>, maximal::Between<maximal::Cylindrical<Traced>>,
    maximal::Between<maximal::Universal<Traced>>, maximal::Between<maximal::Planar<Traced>>,
    maximal::Between<maximal::Fixed<Traced>>, maximal::Between<maximal::PointOnLine<Traced>>,
    maximal::Between<maximal::PointOnPlane<Traced>>, maximal::Between<maximal::FlatSlider<Traced>>,
    maximal::Between<maximal::FlatFixed<Traced>>, maximal::Between<maximal::Distance<Traced>>>;

std::vector<OwnRow> own_rows(const Tree& tree, const TracedTree& factored) {
  std::vector<OwnRow> rows;
  for (const maximal::ConstraintRecord& loop : tree.loops) {
    maximal::visit_type(LoopTypes{}, loop.type, [&]<class Loop>() {
      const auto add = [&](const auto& row) {
        const auto terms = row.terms();
        rows.push_back({{terms.begin(), terms.end()}, row.bias()});
        return Status::kOk;
      };
      (void)auxiliary::close_loop(maximal::from_numbers<Loop>(loop.numbers), loop.a,
                                  factored.motion(loop.a), loop.b, factored.motion(loop.b),
                                  Traced(0), add);
    });
  }
  for (const Coupling& coupling : tree.couplings) {
    OwnRow& row = rows.emplace_back();
    for (int i = coupling.first; i < coupling.first + coupling.count; ++i) {
      const CouplingTerm& term = tree.terms[static_cast<std::size_t>(i)];
      const JointType joint = tree.bodies[static_cast<std::size_t>(term.body)].joint;
      row.terms.push_back(
          auxiliary::joint_term<Traced>(joint, term.body, 0, Traced(term.coefficient)));
    }
  }
  return rows;
}

// Rows first .. first + count - 1, on the same bodies: one sweep can do for all of them.
struct RowGroup {
  std::size_t first = 0, count = 1;
};

bool same_bodies(const OwnRow& a, const OwnRow& b) {
  return std::ranges::equal(a.terms, b.terms, [](const Term<Traced>& x, const Term<Traced>& y) {
    return x.body == y.body && x.joint == y.joint && x.side == y.side;
  });
}

std::vector<RowGroup> groups_of(const std::vector<OwnRow>& rows, bool in_lanes) {
  std::vector<RowGroup> groups;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool goes_on = in_lanes && i > 0 && groups.back().count < kLimbLanes &&
                         same_bodies(rows[groups.back().first], rows[i]);
    if (goes_on) {
      ++groups.back().count;
    } else {
      groups.push_back({i});
    }
  }
  return groups;
}

// Side by side; the first one again where a lane would be empty.
OwnRow join_rows(const std::vector<OwnRow>& rows, const RowGroup& group) {
  OwnRow wide = rows[group.first];
  if (group.count == 1) return wide;
  for (std::size_t t = 0; t < wide.terms.size(); ++t) {
    const auto value = [&](int k) -> const Spatial<Traced>& {
      const auto lane = static_cast<std::size_t>(k);
      return rows[group.first + (lane < group.count ? lane : 0)].terms[t].value;
    };
    wide.terms[t].value = {join_vec3<Traced>([&](int k) { return value(k).linear; }),
                           join_vec3<Traced>([&](int k) { return value(k).angular; })};
  }
  return wide;
}

TracedResponse lane_of(const TracedModel& model, const TracedResponse& wide, int k) {
  const auto lane = [&](const Traced& value) { return LimbLanes<Traced>::lane(value, k); };
  TracedResponse own = wide;
  for (int i = 0; i < wide.count; ++i) {
    const BodyData<Traced>& body =
        model.bodies()[static_cast<std::size_t>(wide.bodies[static_cast<std::size_t>(i)])];
    for (int v = body.v; v < body.v + dof_count(body.joint); ++v) {
      own.u[static_cast<std::size_t>(v)] = lane(wide.u[static_cast<std::size_t>(v)]);
    }
  }
  own.free_motion = lane(wide.free_motion), own.scale = lane(wide.scale);
  return own;
}

struct Recorded {
  std::vector<Traced> A, b, scale;             // before the pause, A's lower triangle by rows
  std::vector<Traced> vdot, reaction, lambda;  // after it
  int pause = 0;                               // the first expression after it
};

Recorded record(const Tree& tree, bool in_lanes, Recording& recording) {
  const TracedModel model(tree);
  const auto factored = std::make_unique<TracedTree>();
  Graph& graph = recording.graph;
  const auto q = inputs(graph, "ask.q", model.counts().q);
  const auto v = inputs(graph, "ask.v", model.counts().v);
  const auto tau = inputs(graph, "ask.tau", model.counts().v);
  const auto gravity = inputs(graph, "ask.gravity", 3);
  const Traced gyration2 = Traced::from(graph.input("gyration2"));
  factored->factor(model, {q.data(), v.data(), tau.data(), gravity.data(), nullptr}, gyration2);

  Recorded result;
  const std::vector<OwnRow> rows = own_rows(tree, *factored);
  std::vector<TracedResponse> responses;
  for (const RowGroup& group : groups_of(rows, in_lanes)) {
    const auto wide = std::make_unique<TracedResponse>();
    factored->respond<kStraightLineLoopBodies>(model, join_rows(rows, group), Side::kMotion, *wide);
    for (std::size_t k = 0; k < group.count; ++k) {
      responses.push_back(lane_of(model, *wide, static_cast<int>(k)));
      result.b.push_back(responses.back().free_motion + rows[group.first + k].bias);
      result.scale.push_back(responses.back().scale);
    }
    std::vector<Traced> answers;  // of the group's rows to each before, and to its own
    for (const TracedResponse& row : responses) {
      answers.push_back(factored->shared(model, row, *wide));
    }
    for (std::size_t k = 0; k < group.count; ++k) {
      for (std::size_t j = 0; j <= group.first + k; ++j) {
        result.A.push_back(LimbLanes<Traced>::lane(answers[j], static_cast<int>(k)));
      }
    }
  }
  const auto mu = inputs(graph, "mu", static_cast<int>(rows.size()));
  result.pause = mu.front().id();
  for (std::size_t i = 0; i < rows.size(); ++i) factored->push(model, rows[i], mu[i]);
  factored->resolve(model);
  const PassOutput<Traced> answer = factored->answer();
  result.vdot.assign(answer.vdot, answer.vdot + model.counts().v);
  result.reaction.assign(answer.reaction, answer.reaction + 6 * model.body_count());
  result.lambda.assign(answer.lambda, answer.lambda + model.counts().lambda);
  return result;
}

std::string braces(const std::string& name, std::size_t size) {
  return name + "[" + std::to_string(size) + "]";
}

}  // namespace

bool has_straight_line_loops(const Tree& tree) {
  const int rows = row_count(tree);
  return rows > 0 && rows <= kStraightLineLoopRows &&
         tree.bodies.size() <= kStraightLineLoopBodies && !has_soft_rows(tree);
}

StraightLine straight_line_loops(const Tree& tree, bool in_lanes) {
  Recording recording;
  const Graph& graph = recording.graph;
  const Recorded all = record(tree, in_lanes, recording);
  const std::vector<bool> needed =
      needed_for(recording, {&all.A, &all.b, &all.scale, &all.vdot, &all.reaction, &all.lambda});
  StraightLine line = open_line(graph, needed, "class T, class Solve",
                                in_lanes ? "straight_loops_in_lanes" : "straight_loops",
                                {"const lockstep::PassInput<T>& ask", "const T& gyration2",
                                 "const lockstep::PassOutput<T>& answer", "Solve&& solve"},
                                in_lanes);
  Writer writer(graph);
  Stores rows(graph, writer), answers(graph, writer);
  rows.add("A", all.A), rows.add("b", all.b), rows.add("scale", all.scale);
  answers.add("vdot", all.vdot), answers.add("reaction", all.reaction);
  answers.add("lambda", all.lambda);
  const auto write = [&](int begin, int end) {
    for (int id = begin; id < end; ++id) {
      if (!needed[static_cast<std::size_t>(id)]) continue;
      const std::string statement = writer.statement(id);
      if (!statement.empty()) line.text += statement + rows.take(id) + answers.take(id);
    }
  };

  const std::size_t size = all.b.size();
  line.text += "    T " + braces("A", all.A.size()) + ", " + braces("b", size) + ", " +
               braces("scale", size) + ", " + braces("mu", size) + ";\n";
  line.text += writer.angles(needed);
  write(0, all.pause);
  line.text += rows.take_rest();
  line.text += "    lockstep::PassCheck<T> verdict;\n";
  line.text += writer.verdict("positive", recording.positive, ">");
  line.text += "    if (!verdict.positive || !solve(A, b, scale, mu)) return verdict;\n";
  write(all.pause, static_cast<int>(needed.size()));
  line.text += answers.take_rest();
  line.text += writer.verdict("finite", recording.zero, "==");
  line.text += "    return verdict;\n  }\n";
  return line;
}

}  // namespace lockstep::host
