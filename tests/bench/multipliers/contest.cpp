#include "contest.hpp"

#include "lockstep_method.hpp"
#include "static_systems.hpp"

namespace lockstep::bench {

namespace {

constexpr int kMostJoints = 1023, kMostDense = 511;
constexpr double kTolerance = 1e-10;  // of conjugate gradients, of the residual

template <class T>
using Table = maximal::TableMechanism<T, kMostJoints + 1, kMostJoints>;

template <class T>
auto table_method(const Records& records, const Motion& motion) {
  auto table = std::make_unique<Table<T>>();
  if (table->assign(records.bodies, records.joints) != Status::kOk) table = nullptr;
  return std::make_shared<LockstepMethod<Table<T>>>(std::move(table), motion);
}

template <class World>
Entrant other_entrant(const char* name, const Equation7<World>& equation,
                      void (*run)(Equation7<World>&)) {
  const auto own = std::make_shared<Equation7<World>>(equation);
  return {name, {[own, run] { run(*own); }}, [own] { return Answer{own->vdot, own->lambda}; }};
}

void compare(Contest& contest) {
  for (const Entrant& entrant : contest.entrants) entrant.run();
  const Entrant* const dense = contest.find(kDense);
  const Answer reference = (dense ? dense : contest.find(kTable))->answer();
  for (const Entrant& entrant : contest.entrants) {
    contest.errors.push_back(difference(entrant.answer(), reference));
  }
  if (const Entrant* const constant = contest.find(kStatic)) {
    const Answer a = constant->answer(), b = contest.find(kTable)->answer();
    contest.same_bits = a.vdot == b.vdot && a.lambda == b.lambda;
  }
}

template <class World>
Contest make_contest(const char* name, Shape shape, int joints) {
  const Records records = make_records<World>(shape, joints);
  const Motion motion = random_motion<World>(records, 1);
  Contest contest = {.name = name, .multipliers = joints * World::kRows};
  if (auto entrant = static_entrant<World>(shape, joints, motion)) {
    contest.entrants.push_back(std::move(*entrant));
  }
  const auto table = table_method<double>(records, motion);
  contest.entrants.push_back(lockstep_entrant(kTable, table));
  contest.entrants.push_back(lockstep_entrant(kTableFloat, table_method<float>(records, motion)));
  using Equation = Equation7<World>;
  Equation equation = table->template equation_7<World>(records);
  contest.entrants.push_back(
      other_entrant<World>(kDense, equation, [](Equation& own) { own.dense(); }));
  if (shape == Shape::kChain) {
    contest.entrants.push_back(
        other_entrant<World>(kBanded, equation, [](Equation& own) { own.banded(); }));
  }
  contest.entrants.push_back(other_entrant<World>(
      kGradients, equation, [](Equation& own) { own.conjugate_gradients(kTolerance); }));
  equation.conjugate_gradients(kTolerance);
  contest.iterations = equation.iterations;
  compare(contest);
  return contest;
}

}  // namespace

const Entrant* Contest::find(const std::string& entrant) const {
  for (const Entrant& own : entrants) {
    if (own.name == entrant) return &own;
  }
  return nullptr;
}

std::vector<Contest> section_9() {
  std::vector<Contest> all;
  all.push_back(make_contest<Plane>("2D, chain", Shape::kChain, 54));
  all.push_back(make_contest<Plane>("2D, tree", Shape::kTree, 54));
  all.push_back(make_contest<Space>("3D, chain", Shape::kChain, 32));
  all.push_back(make_contest<Space>("3D, tree", Shape::kTree, 32));
  all.push_back(make_contest<Space>("3D, figure 3", Shape::kTree, 127));
  return all;
}

std::vector<Contest> growing_trees() {
  std::vector<Contest> all;
  for (int joints = 15; joints <= kMostJoints; joints = 2 * joints + 1) {
    const Records records = make_records<Space>(Shape::kTree, joints);
    const Motion motion = random_motion<Space>(records, 1);
    Contest contest = {.name = std::to_string(joints), .multipliers = 3 * joints};
    const auto table = table_method<double>(records, motion);
    contest.entrants.push_back(lockstep_entrant(kTable, table));
    if (joints <= kMostDense) {
      contest.entrants.push_back(other_entrant<Space>(kDense,
                                                      table->template equation_7<Space>(records),
                                                      [](Equation7<Space>& own) { own.dense(); }));
    }
    compare(contest);
    all.push_back(std::move(contest));
  }
  return all;
}

}  // namespace lockstep::bench
