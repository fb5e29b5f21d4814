#include <set>

#include "emit/line_writer.hpp"
#include "emit/straight_line.hpp"
#include "model/limbs.hpp"

namespace lockstep::host {

namespace {

// f(number, its name) for each number of a thing.
template <class V, class F>
void each(V& a, const std::string& name, F&& f) requires requires {
  a.x.x;
}
{ each(a.x, name + ".x", f), each(a.y, name + ".y", f), each(a.z, name + ".z", f); }
template <class F>
void each(Vec3<Traced>& a, const std::string& name, F&& f) {
  f(a.x, name + ".x"), f(a.y, name + ".y"), f(a.z, name + ".z");
}
template <class F>
void each(Sym3<Traced>& S, const std::string& name, F&& f) {
  f(S.xx, name + ".xx"), f(S.xy, name + ".xy"), f(S.xz, name + ".xz");
  f(S.yy, name + ".yy"), f(S.yz, name + ".yz"), f(S.zz, name + ".zz");
}
template <class F>
void each(Spatial<Traced>& F6, const std::string& name, F&& f) {
  each(F6.linear, name + ".linear", f), each(F6.angular, name + ".angular", f);
}
template <class F>
void each(Inertia6<Traced>& B, const std::string& name, F&& f) {
  each(B.A, name + ".A", f), each(B.G, name + ".G", f), each(B.C, name + ".C", f);
}
template <class F>
void each(Placement<Traced>& X, const std::string& name, F&& f) {
  each(X.R, name + ".R", f), each(X.p, name + ".p", f);
}

std::string item(const std::string& array, int i) { return array + "[" + std::to_string(i) + "]"; }

// One lane of a thing, and one thing side by side from lanes, number by number.
template <class V>
V lane_of(V wide, int k) {
  each(wide, "", [&](Traced& x, const std::string&) { x = LimbLanes<Traced>::lane(x, k); });
  return wide;
}
template <class V, class F>
V join_each(F&& f) {
  std::array<V, kLimbLanes> lanes;
  for (int k = 0; k < kLimbLanes; ++k) lanes[at(k)] = f(k);
  std::array<std::vector<Traced>, kLimbLanes> numbers;
  for (int k = 0; k < kLimbLanes; ++k) {
    each(lanes[at(k)], "", [&](Traced& x, const std::string&) { numbers[at(k)].push_back(x); });
  }
  std::size_t n = 0;
  each(lanes[0], "", [&](Traced& x, const std::string&) {
    x = join<Traced>([&](int k) { return numbers[at(k)][n]; });
    ++n;
  });
  return lanes[0];
}

struct Stored {
  std::string place;
  int id;
};

// The passes of one Newton step, with loads coming between the first and the second.
class NewtonRecord {
 public:
  NewtonRecord(const Tree& tree, const std::vector<Limbs>& limbs, Graph& graph)
      : graph_(graph),
        lists_(tree, limbs),
        plan_(lists_.plan()),
        touched_(tree.bodies.size()),
        states_(tree.bodies.size()),
        starts_(tree.bodies.size()),
        limb_states_(lists_.limb_bodies.size() + lists_.groups.size()),
        X_WB_(tree.bodies.size()),
        joint_(at(lists_.counts.v)),
        added_(joint_.size()) {
    for (const auto& collider : tree.colliders) {  // a touched follower goes by loops
      const int body = collider.body;
      if (body != kWorld && tree.bodies[at(body)].tie.leader == kNone) touched_[at(body)] = true;
    }
    const auto q = inputs(graph, "ask.q", lists_.counts.q);
    const auto v = inputs(graph, "ask.v", lists_.counts.v);
    const auto tau = inputs(graph, "ask.tau", lists_.counts.v);
    const auto gravity = inputs(graph, "ask.gravity", 3);
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      const BodyData<Traced>& body = lists_.bodies[i];
      const int dofs = dof_count(body.joint);
      if (body.leader != kNone || (dofs > 1 && tree.bodies[i].damping == 0)) continue;
      for (int k = body.v; k < body.v + dofs; ++k) added_[at(k)] = load("added[", k);
    }
    const PassInput<Traced> ask = {q.data(),       v.data(), tau.data(),
                                   gravity.data(), nullptr,  added_.data()};
    const PassOutput<Traced> answer = {joint_.data(), nullptr, nullptr};
    Passes<Traced, true, true> trunk{plan_.bodies, ask, states_.data(), answer};
    place(trunk);
    take_loads();
    eliminate(trunk);
    accelerate(trunk);
  }

  const std::set<int>& loads() const { return loads_; }
  const std::vector<Stored>& placed() const { return placed_; }
  const std::vector<Stored>& solved() const { return solved_; }

 private:
  using Trunk = Passes<Traced, true, true>;
  using LimbsOf = LimbPasses<Traced, true, true>;

  Traced load(const std::string& array, int i) { return load(array + std::to_string(i) + "]"); }
  Traced load(const std::string& name) {
    const int id = graph_.input(name);
    loads_.insert(id);
    return Traced::from(id);
  }

  template <class F>
  void for_trunk(F&& f) {
    for (const TrunkItem& item : plan_.trunk) {
      if (item.group == kNone) f(item.body, plan_.bodies[at(item.body)]);
    }
  }
  LimbsOf limbs(const Trunk& trunk, std::size_t g) {
    const LimbGroup& group = plan_.groups[g];
    return {trunk, group, limb_states_.data() + group.first + static_cast<int>(g)};
  }
  const BodyData<Traced>& limb_body(const LimbGroup& group, int i) const {
    return plan_.limb_bodies[at(group.first + i)];
  }
  // f(group, its states, body of the limb), from the first body on or to it.
  template <class F>
  void for_limb_bodies(F&& f) {
    for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
      const LimbGroup& group = plan_.groups[g];
      for (int i = 0; i < group.size; ++i) {
        f(group, limb_states_[at(group.first + static_cast<int>(g) + 1 + i)], i);
      }
    }
  }

  Placement<Traced> pose(int body) const {
    const Traced o(0.0), one(1.0);
    if (body == kWorld) return {{{one, o, o}, {o, one, o}, {o, o, one}}, {}};
    return X_WB_[at(body)];
  }
  static Placement<Traced> placed_by(const BodyData<Traced>& body, const BodyState<Traced>& state) {
    Placement<Traced> X;
    dispatch(body.joint,
             [&]<JointType kJoint>() { X = placement_of<kJoint>(body.X_PJ, state.pose); });
    return X;
  }

  void place(Trunk& trunk) {
    for_trunk([&](int i, const BodyData<Traced>& body) {
      advance_any(trunk, i, body);
      X_WB_[at(i)] = pose(body.parent) * placed_by(body, states_[at(i)]);
      starts_[at(i)] = {states_[at(i)].V, states_[at(i)].f};
    });
    for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
      const LimbGroup& group = plan_.groups[g];
      LimbsOf passes = limbs(trunk, g);
      passes.set_stump({});
      std::vector<Placement<Traced>> X;  // of the stump, of the limbs' bodies
      X.push_back(
          join_each<Placement<Traced>>([&](int k) { return pose(passes.place(k).parent); }));
      for (int i = 0; i < group.size; ++i) {
        const BodyData<Traced>& body = limb_body(group, i);
        advance_any(passes, i, body);
        const LimbState<Traced>& state = passes.state(i);
        X.push_back(X[at(1 + body.parent)] * placed_by(body, state.body));
        for (int k = 0; k < kLimbLanes; ++k) {
          const LimbPlace& from = passes.place(k);
          X_WB_[at(from.body + i)] = lane_of(X.back(), k);
          starts_[at(from.body + i)] = {lane_of(state.body.V, k), lane_of(state.body.f, k)};
          for (int n = 0; n < dof_count(body.joint); ++n) {
            joint_[at(from.v + body.v + n)] = LimbLanes<Traced>::lane(state.joint[at(n)], k);
          }
        }
      }
    }
    for (std::size_t i = 0; i < X_WB_.size(); ++i) {
      const int body = static_cast<int>(i);
      store(placed_, X_WB_[i], item("X_WB", body));
      if (!touched_[i]) continue;
      store(placed_, starts_[i].V, item("starts", body) + ".V");
      store(placed_, starts_[i].f, item("starts", body) + ".f");
    }
    for (std::size_t i = 0; i < joint_.size(); ++i) {
      placed_.push_back({item("effort", static_cast<int>(i)), joint_[i].id()});
    }
  }

  // From here on efforts are given, and of touched bodies block and wrench.
  void take_loads() {
    for (std::size_t i = 0; i < joint_.size(); ++i) {
      joint_[i] = load("effort[", static_cast<int>(i));
    }
    std::vector<BodyState<Traced>> given(touched_.size());
    for (std::size_t i = 0; i < touched_.size(); ++i) {
      if (!touched_[i]) continue;
      const std::string name = item("states", static_cast<int>(i));
      const auto take = [&](Traced& x, const std::string& field) { x = load(field); };
      each(given[i].f, name + ".f", take), each(given[i].B, name + ".B", take);
    }
    for_trunk([&](int i, const BodyData<Traced>&) {
      if (!touched_[at(i)]) return;
      states_[at(i)].f = given[at(i)].f, states_[at(i)].B = given[at(i)].B;
    });
    for_limb_bodies([&](const LimbGroup& group, LimbState<Traced>& state, int i) {
      const BodyData<Traced>& body = limb_body(group, i);
      const auto at_lane = [&](int k) { return at(group.place[at(k)].body + i); };
      state.body.f = join_each<Spatial<Traced>>([&](int k) {
        return touched_[at_lane(k)] ? given[at_lane(k)].f : lane_of(state.body.f, k);
      });
      state.body.B = join_each<Inertia6<Traced>>([&](int k) {
        return touched_[at_lane(k)] ? given[at_lane(k)].B : lane_of(state.body.B, k);
      });
      for (int n = 0; n < dof_count(body.joint); ++n) {
        state.joint[at(n)] =
            join<Traced>([&](int k) { return joint_[at(group.place[at(k)].v + body.v + n)]; });
      }
    });
  }

  // As run_limb_passes does.
  void eliminate(Trunk& trunk) {
    for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
      LimbsOf passes = limbs(trunk, g);
      passes.clear_stump();
      for (int i = plan_.groups[g].size - 1; i >= 0; --i) {
        eliminate_any(passes, i, limb_body(plan_.groups[g], i));
      }
    }
    for (std::size_t n = plan_.trunk.size(); n-- > 0;) {
      const TrunkItem& item = plan_.trunk[n];
      if (item.group == kNone)
        eliminate_any(trunk, item.body, plan_.bodies[at(item.body)]);
      else
        limbs(trunk, at(item.group)).graft(item.lane);
    }
  }

  void accelerate(Trunk& trunk) {
    for_trunk([&](int i, const BodyData<Traced>& body) {
      accelerate_any(trunk, i, body);
      tell(i, states_[at(i)]);
    });
    const Traced* const g = trunk.ask.gravity;
    for (std::size_t n = 0; n < plan_.groups.size(); ++n) {
      const LimbGroup& group = plan_.groups[n];
      LimbsOf passes = limbs(trunk, n);
      passes.set_stump({Vec3<Traced>{-g[0], -g[1], -g[2]}, {}});
      for (int i = 0; i < group.size; ++i) {
        const BodyData<Traced>& body = limb_body(group, i);
        accelerate_any(passes, i, body);
        const LimbState<Traced>& state = passes.state(i);
        for (int k = 0; k < kLimbLanes; ++k) {
          const LimbPlace& from = passes.place(k);
          BodyState<Traced>& own = states_[at(from.body + i)];
          own.V = lane_of(state.body.V, k), own.f = lane_of(state.body.f, k);
          if (k == 0 || from.body != passes.place(0).body) tell(from.body + i, own);
          for (int d = 0; d < dof_count(body.joint); ++d) {
            joint_[at(from.v + body.v + d)] = LimbLanes<Traced>::lane(state.joint[at(d)], k);
          }
        }
      }
    }
    for (std::size_t i = 0; i < joint_.size(); ++i) {
      solved_.push_back({item("vdot", static_cast<int>(i)), joint_[i].id()});
    }
  }
  void tell(int i, BodyState<Traced>& state) {
    store(solved_, state.f, item("states", i) + ".f");
    if (touched_[at(i)]) store(solved_, state.V, item("states", i) + ".V");
  }

  template <class V>
  static void store(std::vector<Stored>& list, V& value, const std::string& name) {
    each(value, name, [&](Traced& x, const std::string& field) {
      list.push_back({field, x.id()});
    });
  }

  Graph& graph_;
  LimbLists<Traced> lists_;
  LimbPlan<Traced> plan_;
  std::vector<bool> touched_;
  std::vector<BodyState<Traced>> states_;
  struct Start {
    Spatial<Traced> V, f;
  };
  std::vector<Start> starts_;
  std::vector<LimbState<Traced>> limb_states_;
  std::vector<Placement<Traced>> X_WB_;
  std::vector<Traced> joint_, added_;
  std::set<int> loads_;
  std::vector<Stored> placed_, solved_;
};

enum class When { kAlways, kPlaced, kSolved };  // constants; known once placed; known with loads

// What is computed when, and what goes from one to the other.
struct Division {
  std::vector<bool> place, solve;
  std::vector<int> kept;
};

Division divide(const Recording& recording, const NewtonRecord& record) {
  const auto& all = recording.graph.expressions();
  std::vector<When> when(all.size(), When::kAlways);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].operation == Operation::kInput) {
      when[i] = record.loads().contains(static_cast<int>(i)) ? When::kSolved : When::kPlaced;
    }
    for (const int id : Graph::operands(all[i])) when[i] = std::max(when[i], when[at(id)]);
  }
  Division parts = {{}, std::vector<bool>(all.size()), {}};
  std::vector<bool> kept(all.size());
  const auto need = [&](int id) {
    (when[at(id)] == When::kPlaced ? kept : parts.solve)[at(id)] = true;
  };
  for (const Stored& each : record.solved()) need(each.id);
  for (const int id : recording.positive) need(id);
  for (std::size_t i = all.size(); i-- > 0;) {
    if (!parts.solve[i]) continue;
    for (const int id : Graph::operands(all[i])) need(id);
  }
  std::vector<int> roots;
  for (const Stored& each : record.placed()) roots.push_back(each.id);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (kept[i]) parts.kept.push_back(static_cast<int>(i)), roots.push_back(static_cast<int>(i));
  }
  parts.place = recording.graph.needed_by(roots);
  return parts;
}

std::string statements(Writer& writer, Stores& stores, const std::vector<bool>& needed) {
  std::string text;
  for (int id = 0; id < static_cast<int>(needed.size()); ++id) {
    if (!needed[at(id)]) continue;
    const std::string statement = writer.statement(id);
    if (!statement.empty()) text += statement + stores.take(id);
  }
  return text + stores.take_rest();
}

}  // namespace

bool has_newton_line(const Tree& tree) {
  return tree.loops.empty() && tree.couplings.empty() &&
         std::ranges::any_of(tree.colliders, [](const auto& own) { return own.body != kWorld; });
}

NewtonLine newton_line(const Tree& tree, const std::vector<Limbs>& limbs) {
  Recording recording;
  const Graph& graph = recording.graph;
  const NewtonRecord record(tree, limbs, recording.graph);
  const Division parts = divide(recording, record);
  const bool in_lanes = !limbs.empty();
  const std::string limbs_or_not = in_lanes ? "straight_limbs_" : "straight_";

  Writer placer(graph), solver(graph);
  Stores placed(graph, placer), solved(graph, solver);
  for (const Stored& each : record.placed()) placed.add_to(each.place, each.id);
  for (const Stored& each : record.solved()) solved.add_to(each.place, each.id);
  int narrow = 0, wide = 0;
  for (const int id : parts.kept) {
    const std::string place = graph.is_wide(id) ? item("wide", wide++) : item("narrow", narrow++);
    placed.add_to(place, id);
    solver.call(id, place);
  }
  const std::string kept = in_lanes ? "kNewtonKeptBeside" : "kNewtonKept";
  const std::string type =
      "lockstep::NewtonKept<T, " + kept + ", " + (in_lanes ? "kNewtonKeptWide" : "0") + ">& kept";
  const auto keep = [&](const std::string& constant) {
    return "    " + constant + "T* const __restrict narrow = kept.narrow.data();\n" +
           (in_lanes ? "    " + constant + "L* const __restrict wide = kept.wide.data();\n" : "");
  };

  NewtonLine line = {count_line(graph, parts.place), count_line(graph, parts.solve), ""};
  line.text = "  static constexpr int " + kept + " = " + std::to_string(narrow) + ";\n";
  if (in_lanes) {
    line.text += "  static constexpr int kNewtonKeptWide = " + std::to_string(wide) + ";\n";
  }
  line.text += open_function(
      "class T", "void", limbs_or_not + "place",
      {"const lockstep::PassInput<T>& ask", "const lockstep::NewtonPlace<T>& to", type}, in_lanes);
  line.text += keep("") +
               "    auto* const __restrict X_WB = to.X_WB;\n"
               "    auto* const __restrict starts = to.starts;\n"
               "    T* const __restrict effort = to.effort;\n";
  line.text += placer.angles(parts.place);
  line.text += statements(placer, placed, parts.place) + "  }\n";
  line.text += open_function("class T", "bool", limbs_or_not + "solve",
                             {"const " + type, "const lockstep::NewtonSolve<T>& to"}, in_lanes);
  line.text += keep("const ") +
               "    auto* const __restrict states = to.states;\n"
               "    const T *const __restrict effort = to.effort, *const __restrict added = "
               "to.added;\n"
               "    T* const __restrict vdot = to.vdot;\n";
  line.text += statements(solver, solved, parts.solve);
  line.text += "    lockstep::PassCheck<T> verdict;\n" +
               solver.verdict("positive", recording.positive, ">") +
               "    return verdict.positive;\n  }\n";
  return line;
}

}  // namespace lockstep::host
