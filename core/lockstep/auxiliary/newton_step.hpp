// The velocities at the end of a step with contacts and rows on joints, as the least of a convex
// function, in linear time: a is the acceleration over the step,
//   c(a) = 1/2 (a - a_free)^T Mh (a - a_free) + sum of the rows' costs (contact/cone_cost.hpp),
// Mh with dampers and springs at its end. A step of Newton's method solves (Mh + K G K^T) a = ...,
// and that is the tree itself with a block on each body that touches and a number on each pivot
// that a row holds (newton_tree.hpp). No matrix of these rows exists. Cost: O(n + k) an iteration.
// Rows over several bodies or joints (loops, couplings, tendons, the caller's own) are anticipated
// on the eliminated tree: c rows cost O(c depth + c^2 depth + c^3) more.
// Around it, few rounds take out what the costs have and rows have not: the compliance, by the
// forces of the last round or step, and the lift m |slip| of a cone's cost, by asking for as much
// less (De Saxce's bipotential, as in Acary, Cadoux, Lemarechal, Malick 2011).
#pragma once

#include "lockstep/hide_macros.hpp"

#include <limits>

#include "lockstep/auxiliary/newton_step_rows.hpp"
#include "lockstep/rows/pivoting.hpp"

namespace lockstep::auxiliary {

// Once a round has had so many solves, rows yield more: it ends the sooner, and the next ones take
// more out.
inline constexpr int kPatience = 6;
// How often all searches of a step may look at its rows, for each solve that it has.
inline constexpr int kLooks = 3;

// Solver: an Anticipation over a NewtonTree.
template <class Solver, class T, int kMaxRows, int kMaxContacts>
class NewtonStep {
 public:
  using Rows = NewtonStepRows<Solver, T, kMaxRows, kMaxContacts>;
  using View = typename Rows::View;
  using JointRow = typename Rows::JointRow;
  using ContactRow = typename Rows::ContactRow;
  // Where rows over several bodies or joints are solved.
  struct Direct {
    rows::System<T, kMaxRows>* system;
    rows::PivotingSolver<T, kMaxRows>* solver;
    rows::Solution<T, kMaxRows>* solution;
    T tolerance;
  };
  struct Outcome {
    int solves = 0;
    bool converged = false;
    T violation{};
    int redundant = 0;          // of the coupled rows
    bool contradicted = false;  // some of them
  };

  // Begins, and takes what the step asks for.
  Rows& rows() { return rows_; }
  // Rows::couple, and where they are solved.
  template <class Coupled>
  bool couple(const Coupled& coupled, const Direct& direct) {
    direct_ = direct;
    return rows_.couple(coupled);
  }

  // The forces of the last step, where their rows are still there, are where it starts from.
  // kSingular: the tree cannot be solved. A round that does not end leaves the forces of the one
  // before. Not converged: not one round did, and the forces that it came to act, and are allowed.
  Status solve(const NewtonOptions<T>& options, const typename Rows::Warm& warm, Outcome& outcome) {
    outcome = {};
    looks_ = kLooks * options.iterations;
    // a short step changes velocities by less
    const T tolerance = options.tolerance * (dt() < T(1e-3) ? T(1e3) * dt() : T(1));
    rows_.guess(warm);
    bool again = true, found = false;  // with another function; forces of one
    T left(0);                         // the violation of those
    bool yields = false;
    int tried = 0;  // solves in this round
    for (int round = 0; again && outcome.solves < options.iterations; ++outcome.solves) {
      const bool yield = tried == kPatience && !yields;
      if (yield) rows_.yield_more();
      yields |= yield;
      const Status status = iterate(tried > 0 && !yield, tolerance, outcome);
      if (status != Status::kOk) return status;
      ++tried;
      if (outcome.converged) {
        tried = 0;
        const bool more = round < options.rounds && outcome.solves + 1 < options.iterations &&
                          3 * outcome.solves < 2 * options.iterations;
        // half the way to the lifts after the first: they may turn in circles
        again = more && refine(tolerance, round++ == 0 ? T(1) : T(0.5), outcome.violation);
        found = true;
        left = outcome.violation;
      }
    }
    if (outcome.converged) return Status::kOk;
    tree().unload(model());
    rows_.for_rows([&](auto& row) { row.settle(found ? row.found : row.lambda); });
    rows_.for_rows([&](const auto& row) { rows_.load(row); });
    const T violation = found ? left : outcome.violation;
    const Status status = solve_tree(outcome);
    outcome.converged = found, outcome.violation = violation;
    return status;
  }

  // Accelerations and reactions of the solution. Unchanged unless kOk.
  template <class Output>
  Status write(Output& out) {
    const T sum = tree().write(model());
    if (!is_finite(sum)) return Status::kOverflow;
    const PassOutput<T> answer = tree().output();
    const auto hand_out = [](const T* from, auto& to) {
      for (Eigen::Index i = 0; i < to.size(); ++i) to.data()[i] = from[i] + T(0);
    };
    hand_out(answer.vdot, out.vdot);
    hand_out(answer.reaction, out.reaction);
    hand_out(answer.lambda, out.lambda);
    return Status::kOk;
  }

 private:
  const View& model() const { return rows_.model(); }
  auto& tree() const { return rows_.tree(); }
  const T& dt() const { return rows_.dt(); }

  // With the rows' lines. Coupled ones: f = load - slope a, or a + compliance f = target, with
  // a = A f + b of the tree that has all others on it.
  Status solve_tree(Outcome& outcome) {
    const std::span<JointRow> coupled = rows_.coupled();
    if (coupled.empty()) return tree().solve(model()) ? Status::kOk : Status::kSingular;
    if (!tree().eliminate(model())) return Status::kSingular;
    auto& [count, bounds, A, b] = *direct_.system;
    Status status = rows_.solver().anticipate(*direct_.system);
    if (status != Status::kOk) return status;
    for (int i = 0; i < count; ++i) {
      JointRow& row = coupled[at(i)];
      bounds[at(i)] = {};
      if (!row.exact && A[at(i)][at(i)] == T(0)) {  // joints hold it by themselves
        row.cost.lower = row.cost.upper = T(0);
        row.settle(T(0));
      }
      if (row.exact) {
        b[at(i)] = b[at(i)] - row.cost.target;
        A[at(i)][at(i)] = A[at(i)][at(i)] + row.compliance;
      } else if (row.point.slope > T(0)) {
        b[at(i)] = b[at(i)] - row.load() / row.point.slope;
        A[at(i)][at(i)] = A[at(i)][at(i)] + T(1) / row.point.slope;
      }
    }
    for (int i = 0; i < count; ++i) {
      const JointRow& row = coupled[at(i)];
      if (row.exact || row.point.slope > T(0)) continue;
      for (int j = 0; j < count; ++j) {
        b[at(j)] = b[at(j)] + A[at(j)][at(i)] * row.point.force;
        A[at(i)][at(j)] = A[at(j)][at(i)] = T(0);
      }
      A[at(i)][at(i)] = T(1), b[at(i)] = -row.point.force;
    }
    const rows::Solution<T, kMaxRows>& solution = *direct_.solution;
    status =
        direct_.solver->solve_equalities(*direct_.system, direct_.tolerance, *direct_.solution);
    if (status != Status::kOk && status != Status::kNotConverged) return status;
    for (int i = 0; i < count; ++i) {
      coupled[at(i)].solved = solution.mu[at(i)];
    }
    outcome.redundant = solution.redundant;
    outcome.contradicted = solution.stop == rows::Stop::kInconsistent;
    outcome.violation = dt() * solution.violation;
    rows_.solver().push(solution.mu);
    tree().accelerate(model());
    return Status::kOk;
  }

  // One solve of the tree and, unless it is the first, the way to its answer. `settled`: the least
  // is found, and the forces are those of the lines.
  Status iterate(bool searches, const T& tolerance, Outcome& outcome) {
    tree().unload(model());
    rows_.for_rows([&](const auto& row) { rows_.load(row); });
    bool& settled = outcome.converged;
    T& violation = outcome.violation;
    violation = T(0);
    if (const Status status = solve_tree(outcome); status != Status::kOk) return status;
    T first(0), last(0);
    settled = true;
    rows_.for_rows([&](auto& row) {
      take(row);
      if (searches) row.add_slopes(first, last);
      const T miss = dt() * row.response * length(row.miss()), speed = length(row.velocity);
      settled &= miss <= within(row, tolerance) + kNoise * speed;
      if (miss > violation) violation = miss;
    });
    if (settled || !searches || last <= T(0.1) * -first) {
      rows_.for_rows([&](auto& row) { row.accept(); });
      return Status::kOk;
    }
    const T t = search_along(first, last, looks_, [&](const T& at, T& slope, T& curvature) {
      rows_.for_rows([&](const auto& row) { row.add_derivatives(at, slope, curvature); });
    });
    rows_.for_rows([&](auto& row) { row.go(t); });
    return Status::kOk;
  }

  void take(ContactRow& row) const { row.take(rows_.acceleration(row)); }
  void take(JointRow& row) const {
    row.take(rows_.acceleration(row));
    if (row.body == kNone) row.next_lambda = row.solved;  // not by a line so steep that it rounds
  }

  // What an error of a row may be: some of what its velocity changes by in the step.
  template <class Row>
  T within(const Row& row, const T& tolerance) const {
    return tolerance * (T(1) + T(100) * dt() * length(row.change()));
  }
  static T left_of(const JointRow& row) { return row.body == kNone ? kCoupledShare<T> : T(1); }
  static T left_of(const ContactRow&) { return T(1); }
  static T length(const T& x) { return rows::magnitude(x); }
  static T length(const Vec3<T>& x) { return sqrt(dot(x, x)); }

  // Whether there is something to take out, which is then done. The violation is what there was.
  bool refine(const T& tolerance, const T& share, T& violation) {
    bool again = false;
    const auto judge = [&](const T& error, const T& most) {
      again |= !(error <= most);
      if (error > violation) violation = error;
    };
    rows_.for_rows([&](const auto& row) {
      judge(dt() * length(row.cost.yielding(row.unheld())), left_of(row) * within(row, tolerance));
    });
    for (ContactRow& row : rows_.contacts()) {
      const Vec3<T> end = row.end(row.a, dt());
      const T lift = row.cost.friction * Rows::slip(end);
      const bool bears = row.point.place != contact::Place::kApart || end.x < row.least;
      if (row.idle || !bears) continue;
      const T error = length(lift - row.lift), most = kLift * tolerance * (T(1) + T(2) * lift);
      if (error <= most) continue;
      judge(error, most);
      const T change = share * (lift - row.lift);
      row.a.x = row.a.x - change / dt();
      row.lift = row.lift + change;
      rows_.aim(row);
    }
    if (!again) return false;
    rows_.for_rows([&](auto& row) { row.restart(row.unheld()); });
    return true;
  }

  // the rounding of velocities, in forces of a row that yields so little
  static constexpr T kNoise = T(16) * std::numeric_limits<T>::epsilon() / kYield<T>;
  // a lift may be off by so many tolerances, and twice as many of itself: what slides smoothly has
  // it from the start of the step and is steady; what comes to a halt has not
  static constexpr T kLift = T(1000);

  int looks_ = 0;  // that searches have left
  Rows rows_;
  Direct direct_{};
};

}  // namespace lockstep::auxiliary

#include "lockstep/restore_macros.hpp"
