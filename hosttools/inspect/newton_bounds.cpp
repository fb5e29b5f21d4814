#include "inspect/newton_bounds.hpp"

#include <algorithm>
#include <memory>

#include "inspect/operations.hpp"
#include "lockstep/auxiliary/joint_rows.hpp"
#include "lockstep/auxiliary/newton_step.hpp"
#include "lockstep/problem.hpp"
#include "model/table.hpp"

namespace lockstep::host {

namespace {

using Table = TableModel<Counted, kHostBodies>;
using CountedTree = Anticipation<Table, Counted, 3, 0, 12, auxiliary::NewtonTree<Table, Counted>>;
using CountedStep = auxiliary::NewtonStep<CountedTree, Counted, 3, 1>;
constexpr NewtonOptions<double> kOptions;

// Of a contact: its point on the cone, and the force for an acceleration.
constexpr int kCone = 45, kTrial = 9 + kCone, kWithin = 14;
// the line of force and its block on the body, the body's answer, forces there and on the line, the
// slopes at both ends, by how much it missed, and a step of the search
constexpr int kContactSolve =
    18 + 42 + 129 + 27 + 27 + 36 + kTrial + 21 + 20 + kWithin + 18 + kTrial;
constexpr int kContactLook = 12 + kTrial + 15 + 24;
// what is left of compliance and lift, a new target, a new line
constexpr int kContactRound = 13 + kWithin + 24 + 8 + 9 + 9 + kTrial;
// targets, the first line, and forces in the result
constexpr int kContactMake = 45 + 9 + 3 + 12 + 9 + kTrial + 60;
// of a joint's row the same
constexpr int kJointSolve = 8 + 1 + 4 + 3 + 7 + 11 + 9, kJointLook = 16, kJointRound = 18;
constexpr int kJointMake = 10;
// whether a joint holds a contact by itself
constexpr int kHeldJoint = 60 + 3 * 6;
constexpr int kSearch = 5;  // beside its rows, and a look beside them

template <class F>
long long count(F&& run) {
  Counted::operations = {};
  run();
  return Counted::operations.total();
}

class Rehearsal : Problem<Table, Counted> {
 public:
  explicit Rehearsal(const Table& model)
      : Problem<Table, Counted>(model), in_(make_input()), responses_(model.bodies().size()) {
    for (auto& each : responses_) each = {.linear = 1.0, .angular = 1.0, .joint = 1.0};
  }

  void set_pose(const Tree& tree) {
    set_odd_pose(tree, in_.q);
    in_.v.setConstant(0.3);
  }

  // Border, first pass and answers.
  long long tree() {
    auto out = make_output();
    return count([&] {
      begin();
      static_cast<void>(step_->write(out));
    });
  }
  // One solve with a number on every pivot.
  long long solve() {
    const auto tree = std::make_unique<auxiliary::NewtonTree<Table, Counted>>();
    tree->place(model(), ask(), {1e-3, 1e-3});
    tree->unload(model());
    for (const BodyData<Counted>& body : model().bodies()) {
      if (dof_count(body.joint) == 1) tree->load(model(), body, 0.0, 1.0);
    }
    return count([&] { static_cast<void>(tree->solve(model())); });
  }
  // Rows of a joint's bounds, beside those out of reach.
  long long joint(const JointLimits<Counted>& own, int body) {
    std::vector<JointLimits<Counted>> bounds(model().bodies().size());
    const long long none = add(bounds);
    bounds[at(body)] = own;
    return add(bounds) - none;
  }
  long long contact(int body) {
    const contact::Contact<Counted> deep = {
        .a = body, .point = {}, .normal = {0.0, 0.0, 1.0}, .distance = -1.0, .material = {}};
    begin();
    return count([&] {
      static_cast<void>(contact::Touch<Counted>{deep}.check());
      step_->rows().add_contact(deep, {});
    });
  }

 private:
  void begin() {
    static_cast<void>(solver_->place(in_, nullptr, {1e-3, 1e-3}, false));
    step_->rows().begin(*solver_, model(), in_.q.data(), in_.v.data(), 1e-3, responses_);
  }
  PassInput<Counted> ask() const {
    return {in_.q.data(), in_.v.data(), in_.tau.data(), in_.gravity.data(), nullptr};
  }
  long long add(std::span<const JointLimits<Counted>> bounds) {
    const BoundedSettings<Counted> settings = {.dt = 1e-3};
    begin();
    return count([&] {
      static_cast<void>(
          auxiliary::add_bounds<CountedStep::Rows, Counted>(step_->rows(), bounds, settings));
    });
  }

  Input in_;
  std::vector<auxiliary::Responses<Counted>> responses_;
  std::unique_ptr<CountedTree> solver_ = std::make_unique<CountedTree>(model());
  std::unique_ptr<CountedStep> step_ = std::make_unique<CountedStep>();
};

int depth(const Tree& tree, int body) {
  int joints = 0;
  for (; body != kWorld; body = tree.bodies[at(body)].parent) ++joints;
  return joints;
}

}  // namespace

NewtonBounds::NewtonBounds(const Tree& tree) {
  const auto model = to_table<Counted>(tree);
  Rehearsal rehearsal(*model);
  rehearsal.set_pose(tree);
  tree_ = rehearsal.tree();
  solve_ = rehearsal.solve() + kSearch;

  Row contact;
  for (const auto& collider : tree.colliders) {
    if (collider.body == kWorld) continue;
    contact.make = std::max(contact.make, rehearsal.contact(collider.body) + kContactMake +
                                              kHeldJoint * depth(tree, collider.body));
  }
  const auto third = [](long long whole) { return (whole + 2) / 3; };
  const int contacts = contact::most_contacts(tree.colliders, std::vector<contact::ColliderPair>{});
  contacts_.assign(at(3 * contacts), {third(contact.make), third(kContactSolve),
                                      third(kContactLook), third(kContactRound)});
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    if (dof_count(tree.bodies[i].joint) != 1) continue;
    const JointLimits<double> own = to_joint_limits<double>(tree.bodies[i]);
    const bool fast = is_finite(own.velocity);
    const auto add = [&](const JointLimits<Counted>& bound) {
      joints_.push_back({rehearsal.joint(bound, static_cast<int>(i)) + kJointMake, kJointSolve,
                         kJointLook, kJointRound});
    };
    if (fast || is_finite(own.lower)) add({.lower = 1e9});
    if (fast || is_finite(own.upper)) add({.upper = -1e9});
    if (own.friction > 0) add({.friction = 1.0});
  }
}

RowParts NewtonBounds::step(int count, int contacts, long long around, long long shapes,
                            long long coupled) const {
  RowParts parts = {.tree = tree_ + around, .shapes = shapes};
  // one more where something bounces, and one where the bound is used up
  constexpr int kSolves = kOptions.iterations + 2;
  constexpr int kRounds = kOptions.rounds + 1;  // and the lines of rows that yield more
  constexpr int kAllLooks = auxiliary::kLooks * kOptions.iterations;
  parts.system = kSolves * (solve_ + coupled) + kAllLooks * kSearch;
  const auto add = [&](const std::vector<Row>& rows, int most) {
    const int own = std::min({most, count, static_cast<int>(rows.size())});
    for (int i = 0; i < own; ++i, --count) {
      const Row& row = rows[at(i)];
      parts.rows += row.make;
      parts.system += kSolves * row.solve + kAllLooks * row.look + kRounds * row.round;
    }
  };
  add(contacts_, 3 * contacts);
  add(joints_, count);
  return parts;
}

}  // namespace lockstep::host
