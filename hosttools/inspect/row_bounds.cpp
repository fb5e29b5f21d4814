#include "inspect/row_bounds.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "inspect/detect_operations.hpp"
#include "inspect/operations.hpp"
#include "inspect/solver_operations.hpp"
#include "lockstep/auxiliary/joint_rows.hpp"
#include "lockstep/auxiliary/row_errors.hpp"
#include "lockstep/integrate/floating_base.hpp"
#include "lockstep/joint_space.hpp"
#include "model/table.hpp"
#include "model/tree_rows.hpp"

namespace lockstep::host {

namespace {

using Table = TableModel<Counted, kHostBodies>;
using CountedTerm = auxiliary::Term<Counted>;
using Terms = std::vector<CountedTerm>;

constexpr int kRehearsed = 6;   // rows at once: those of a fixed loop
constexpr int kErrors = 4096;   // of all loops
constexpr double kStep = 1e-3;  // s: any, for joints are implicit in a step
const Implicit<Counted> kSoft = {kStep, kStep};
using RowSolverCounted = Anticipation<Table, Counted, kRehearsed, 0, kHostBodies>;
using Collected = StepRows<RowSolverCounted, Table, Counted, kRehearsed>;

template <class F>
long long count(F&& run) {
  Counted::operations = {};
  run();
  return Counted::operations.total();
}

// No zero among its numbers, so that no tree holds it by itself.
CountedTerm any_wrench(int body) {
  return auxiliary::wrench_term<Counted>(body, {{1.0, 0.53, 0.27}, {0.31, 1.13, 0.17}});
}

CountedTerm any_effort(const Tree& tree, int body) {
  return auxiliary::joint_term<Counted>(tree.bodies[rows::at(body)].joint, body, 0, 1.0);
}

}  // namespace

class RowRehearsal {
 public:
  explicit RowRehearsal(const Tree& tree)
      : tree_(tree),
        model_(to_table<Counted>(tree)),
        solver_(*model_),
        in_(solver_.make_input()),
        out_(solver_.make_output()) {
    set_odd_pose(tree, in_.q);
    in_.v.setConstant(0.3);
    factored_ = factor();
  }

  bool regular() { return solver_.begin(in_, kSoft) == Status::kOk; }

  RowBounds run() {
    RowBounds bounds;
    add_equalities(bounds);
    const long long begin = count([&] { static_cast<void>(solver_.begin(in_, kSoft)); });
    bounds.closed_finish_ = finish();
    bounds.closed_tree_ = begin + bounds.closed_finish_;
    add_joint_rows(bounds);
    add_contacts(bounds);
    bounds.around_ = around(bounds.equalities());
    bounds.step_tree_ = begin + finish() + bounds.around_;
    bounds.newton_ = NewtonBounds(tree_);
    return bounds;
  }

 private:
  using Row = RowBounds::Row;

  void add_equalities(RowBounds& bounds) {
    const TreeRows<Counted> all(tree_);
    const auto add = [&](const auto& make, const Terms& terms, int rows) {
      static_cast<void>(solver_.begin(in_, kSoft));
      bounds.closed_rows_ += count([&] { static_cast<void>(make()); });
      // in a step pulled towards where it is closed
      for (int i = 0; i < rows; ++i) bounds.equal_.push_back(row(terms, 5));
      return Status::kOk;
    };
    static_cast<void>(all.visit(
        [&](const auto& loop, int a, int b) {
          return add([&] { return solver_.add(loop, a, b); }, {any_wrench(a), any_wrench(b)},
                     loop.dimension());
        },
        [&](std::span<const JointWeight<Counted>> weights, const Counted&) {
          Terms terms;
          for (const auto& weight : weights) terms.push_back(any_effort(tree_, weight.body));
          return add([&] { return solver_.add(weights); }, terms, 1);
        }));
    add_yields(all, bounds);
  }

  // Rows that yield: their values and rates, and a force that the others feel, without a step; in
  // one a compliance and a target.
  void add_yields(const TreeRows<Counted>& all, RowBounds& bounds) {
    if (all.soft().empty()) return;
    constexpr int kForce = 3, kInStep = 12;
    const auto errors = std::make_unique<auxiliary::RowErrors<Table, Counted, kErrors>>();
    bounds.closed_rows_ += count([&] {
      static_cast<void>(errors->evaluate(*model_, all, in_.q.data(), in_.v.data()));
    });
    for_soft_rows<Counted>(all, [&](int i, const SoftRows<Counted>&) {
      bounds.closed_rows_ += kForce + 2 * static_cast<long long>(bounds.equal_.size());
      bounds.equal_[rows::at(i)].make += kInStep;
    });
  }

  // An end that is passed, or friction, costs the same on every joint: rehearsed on the first.
  void add_joint_rows(RowBounds& bounds) {
    const std::vector<JointLimits<Counted>> none(tree_.bodies.size());
    joints_ = count_bounds(none);
    const auto single = [](const Body& body) { return dof_count(body.joint) == 1; };
    const auto first = std::ranges::find_if(tree_.bodies, single) - tree_.bodies.begin();
    if (rows::at(static_cast<int>(first)) == none.size()) return;
    std::vector<JointLimits<Counted>> passed = none, rubbing = none;
    passed[rows::at(static_cast<int>(first))].lower = 10.0;
    rubbing[rows::at(static_cast<int>(first))].friction = 1.0;
    constexpr int kHold = 3;  // whether it has what it asks for
    const long long end = count_bounds(passed) - joints_ + kHold;
    const long long friction = count_bounds(rubbing) - joints_ + kHold;
    for (std::size_t i = 0; i < none.size(); ++i) {
      if (!single(tree_.bodies[i])) continue;
      const JointLimits<double> own = to_joint_limits<double>(tree_.bodies[i]);
      const bool fast = own.has_velocity(), rubs = own.friction > 0;
      const int ends = (fast || own.has_lower()) + (fast || own.has_upper());
      if (ends == 0 && !rubs) continue;
      Row each = row({any_effort(tree_, static_cast<int>(i))}, end);
      bounds.bounded_.insert(bounds.bounded_.end(), rows::at(ends), each);
      each.make += friction - end;
      bounds.bounded_.insert(bounds.bounded_.end(), rubs ? 1u : 0u, each);
      bounds.joint_rows_ += ends + (rubs ? 1 : 0);
    }
  }

  long long count_bounds(const std::vector<JointLimits<Counted>>& bounds) {
    static_cast<void>(solver_.begin(in_, kSoft));
    Collected rows = collected();
    return count([&] {
      static_cast<void>(auxiliary::add_bounds<Collected, Counted>(rows, bounds, settings_));
    });
  }

  // The costliest of all places where shapes can touch, as many times as they can.
  void add_contacts(RowBounds& bounds) {
    std::set<std::pair<int, int>> places;
    const auto body = [&](int i) { return tree_.colliders[rows::at(i)].body; };
    for (const auto& collider : tree_.colliders) places.emplace(collider.body, kWorld);
    for (const auto& pair : tree_.collider_pairs) places.emplace(body(pair.a), body(pair.b));
    Row worst;
    for (const auto& [a, b] : places) {
      if (a == kWorld && b == kWorld) continue;
      const Row own = row({any_wrench(a), any_wrench(b)}, count_contact(a, b));
      worst = {std::max(worst.make, own.make), std::max(worst.sweep, own.sweep),
               std::max(worst.product, own.product)};
    }
    bounds.contacts_ = contact::most_contacts(tree_.colliders, tree_.collider_pairs);
    bounds.bounded_.insert(bounds.bounded_.end(), rows::at(3 * bounds.contacts_), worst);
    // a step with room for contacts looks at all poses, whether there are shapes or not
    bounds.shapes_ = count([&] { static_cast<void>(settings_.margin(0.0)); }) +
                     detect_operations(tree_.colliders, tree_.collider_pairs,
                                       static_cast<int>(tree_.bodies.size()));
  }

  // A third of its rows, its bounds, and its forces in the result.
  long long count_contact(int a, int b) {
    const contact::Contact<Counted> deep = {
        .a = a, .b = b, .point = {}, .normal = {0.0, 0.0, 1.0}, .distance = -1.0, .material = {}};
    static_cast<void>(solver_.begin(in_, kSoft));
    Collected rows = collected();
    const long long make = count([&] {
      static_cast<void>(auxiliary::close_loop(
          contact::touching(deep), a, solver_.motion(a), b, solver_.motion(b), Counted(0.0),
          [&](const auto& row) { return rows.add({}, row.terms(), row.bias(), {}, 0.0); }));
    });
    // one that arrives: the longest way through its least velocity
    rows::System<Counted, kRehearsed> system = {.count = 3};
    rows::Values<Counted, kRehearsed> velocity;
    velocity.fill(-1.0);
    const long long impulses = count([&] {
      static_cast<void>(contact::to_impulses<Counted, kRehearsed>(
          {&deep, 1}, 0, velocity, settings_.dt, settings_.contact, system));
    });
    const long long result = count([&] {
      const Vec3<Counted> t = contact::across(deep.normal);
      static_cast<void>(deep.distance * t + deep.distance * cross(deep.normal, t));
    });
    return (make + impulses + result) / 3 + 1;
  }

  // What is the same for all kinds is added: impulses of velocities, forces, and looking at both.
  // What pushes leave behind changes numbers, not counts.
  Row row(const Terms& terms, long long make) {
    constexpr long long kAnyRow = 5 + 3;
    constexpr long long kOwn = 2 + 3 + 2;  // whether it is held, whether it overflows, its b
    terms_.insert(terms_.end(), terms.begin(), terms.end());
    const auxiliary::Row<Counted> row = {terms, 0.0, false};
    const long long sweep = count([&] {
      factored_->respond<kHostBodies>(*model_, row, auxiliary::Side::kMotion, *response_);
      static_cast<void>(factored_->shared(*model_, *response_, *response_));
    });
    const long long push = count([&] { factored_->push(*model_, row, 1.0); });
    return {make + kAnyRow, sweep + kOwn + push + 1, product(terms)};
  }

  // u D^-1 u over the path's coordinates, each two products and a sum.
  long long product(const Terms& terms) const {
    std::set<int> path;
    for (const CountedTerm& term : terms) {
      for (int i = term.body; i != kWorld; i = tree_.bodies[rows::at(i)].parent) path.insert(i);
    }
    long long dofs = 0;
    for (const int i : path) dofs += dof_count(tree_.bodies[rows::at(i)].joint);
    return 3 * dofs + 1;
  }

  // The last back-solve with all bodies pushed that rows were seen to push so far.
  long long finish() {
    static_cast<void>(solver_.begin(in_, kSoft));
    const long long unpushed = count([&] { static_cast<void>(solver_.finish({}, out_)); });
    const auto untouched = factor(), touched = factor();
    const auxiliary::Row<Counted> all = {terms_, 0.0, false};
    touched->push(*model_, all, 1.0);
    return unpushed - count([&] { untouched->resolve(*model_); }) +
           count([&] { touched->resolve(*model_); });
  }

  // A step's own: settings, bounds out of reach, velocities and poses, errors before and after.
  long long around(int equalities) {
    rows::System<Counted, kRehearsed> system;
    auto v = in_.v;
    auto q = in_.q;
    // far away they are wound back
    for (const BodyData<Counted>& body : model_->bodies()) {
      if (body.joint == JointType::kRevolute) q[body.q] = 0.75 * kMaxAngle<double>;
      if (body.joint == JointType::kPlanar) q[body.q + 2] = 0.75 * kMaxAngle<double>;
    }
    long long sum =
        joints_ + count([&] {
          static_cast<void>(settings_.check());
          static_cast<void>(contact::to_impulses<Counted, kRehearsed>({}, 0, {}, settings_.dt,
                                                                      settings_.contact, system));
          v = v + settings_.dt * v;
          static_cast<void>(all_finite(v.data(), static_cast<int>(v.size())));
          static_cast<void>(add_motion(*model_, q.data(), in_.v.data(), settings_.dt, q.data()));
          add_moments_of_middle(*model_, in_.v.data(), settings_.dt, v.data());
          go_straight(*model_, in_.q.data(), in_.v.data(), settings_.dt, q.data(), v.data());
        });
    if (equalities == 0) return sum;
    const auto errors = std::make_unique<auxiliary::RowErrors<Table, Counted, kErrors>>();
    const TreeRows<Counted> all(tree_);
    return sum + count([&] {
             static_cast<void>(settings_.pull());
             for (int i = 0; i < 2; ++i) {
               static_cast<void>(errors->evaluate(*model_, all, in_.q.data(), in_.v.data()));
             }
           });
  }

  std::unique_ptr<auxiliary::FactoredTree<Table, Counted>> factor() {
    auto factored = std::make_unique<auxiliary::FactoredTree<Table, Counted>>();
    static_cast<void>(factored->factor(
        *model_, {in_.q.data(), in_.v.data(), in_.tau.data(), in_.gravity.data(), nullptr}, 1.0));
    return factored;
  }

  Collected collected() { return {solver_, *model_, in_.q.data(), in_.v.data(), settings_.dt}; }

  const Tree& tree_;
  std::unique_ptr<Table> model_;
  RowSolverCounted solver_;
  RowSolverCounted::Input in_;
  RowSolverCounted::Output out_;
  BoundedSettings<Counted> settings_ = {.dt = 1e-3};
  std::unique_ptr<auxiliary::FactoredTree<Table, Counted>> factored_;
  std::unique_ptr<auxiliary::Response<Table, Counted>> response_ =
      std::make_unique<auxiliary::Response<Table, Counted>>();
  long long joints_ = 0;  // bounds that are out of reach
  Terms terms_;           // of all rows so far
};

std::optional<RowBounds> RowBounds::of(const Tree& tree) {
  const auto rehearsal = std::make_unique<RowRehearsal>(tree);
  if (!rehearsal->regular()) return {};
  RowBounds bounds = rehearsal->run();
  if (bounds.most() == 0) return {};
  for (const auto figure : {&Row::make, &Row::sweep, &Row::product}) {
    std::vector<long long> values;
    for (const Row& row : bounds.bounded_) values.push_back(row.*figure);
    std::ranges::sort(values, std::greater<>());
    for (std::size_t i = 0; i < values.size(); ++i) bounds.bounded_[i].*figure = values[i];
  }
  return bounds;
}

long long RowBounds::paths(int bounded) const {
  std::vector<long long> products;
  long long sum = 0;
  const auto add = [&](const Row& row) {
    sum += row.sweep;
    products.push_back(row.product);
  };
  std::ranges::for_each(equal_, add);
  std::for_each(bounded_.begin(), bounded_.begin() + bounded, add);
  // two rows share no more than the shorter path
  std::ranges::sort(products, std::greater<>());
  for (std::size_t i = 0; i < products.size(); ++i) {
    sum += static_cast<long long>(i) * products[i];
  }
  return sum;
}

RowParts RowBounds::closed() const {
  return {.tree = closed_tree_,
          .rows = closed_rows_,
          .paths = paths(0),
          .system = equality_operations(equalities())};
}

RowParts RowBounds::step(int count, RowSolver solver, int contacts) const {
  const int bounded = count - equalities();
  if (solver == RowSolver::kNewton) {
    const bool couples = equalities() > 0;
    const long long coupled =
        couples ? paths(0) + closed_finish_ + coupled_operations(equalities()) : 0;
    RowParts parts = newton_.step(bounded, contacts, around_, shapes_, coupled);
    parts.rows += closed_rows_;
    for (const Row& row : equal_) parts.rows += row.make;
    return parts;
  }
  const rows::PivotingOptions<double> pivoting;
  const rows::GaussSeidelOptions<double> sweeping;
  RowParts parts = {
      .tree = step_tree_,
      .shapes = shapes_,
      .rows = closed_rows_,
      .paths = paths(bounded),
      .system = solver == RowSolver::kGaussSeidel
                    ? gauss_seidel_operations(bounded, equalities(), sweeping.sweeps)
                    : pivoting_operations(bounded, equalities(), rows::most_pivots(bounded),
                                          pivoting.fallback.sweeps)};
  if (solver != RowSolver::kGaussSeidel && contacts_ > 0) {
    parts.system += cone_operations(bounded, equalities(), rows::most_pivots(bounded));
  }
  for (const Row& row : equal_) parts.rows += row.make;
  for (int i = 0; i < bounded; ++i) parts.rows += bounded_[rows::at(i)].make;
  return parts;
}

}  // namespace lockstep::host
