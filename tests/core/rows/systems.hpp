// Systems of bounded rows for the tests, and two oracles that share nothing with the solvers: one
// tries every combination of bounds with a dense solve, one reads the conditions off the answer.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/rows/sweep.hpp"
#include "support/random.hpp"

namespace lockstep::test {

inline constexpr int kMaxRows = 24;
inline constexpr double kNoBound = std::numeric_limits<double>::infinity();

template <class T>
using Rows = rows::System<T, kMaxRows>;
template <class T>
using Answer = rows::Solution<T, kMaxRows>;

struct Problem {
  std::vector<rows::RowBound<double>> rows;
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  int count() const { return static_cast<int>(rows.size()); }
};

// Rows that push on bodies: J over the unknowns, the inverse of their masses, and their
// accelerations without the rows' forces.
inline Problem pushed(std::vector<rows::RowBound<double>> rows, const Eigen::MatrixXd& J,
                      const Eigen::VectorXd& inverse_mass, const Eigen::VectorXd& free_motion) {
  return {std::move(rows), J * inverse_mass.asDiagonal() * J.transpose(), J * free_motion};
}

template <class T>
Rows<T> to_rows(const Problem& problem) {
  Rows<T> system;
  system.count = problem.count();
  for (int i = 0; i < system.count; ++i) {
    const auto& row = problem.rows[rows::at(i)];
    system.rows[rows::at(i)] = {row.kind, static_cast<T>(row.lower), static_cast<T>(row.upper),
                                row.normal, static_cast<T>(row.coefficient)};
    system.b[rows::at(i)] = static_cast<T>(problem.b[i]);
    for (int j = 0; j < system.count; ++j) {
      system.A[rows::at(i)][rows::at(j)] = static_cast<T>(problem.A(i, j));
    }
  }
  return system;
}

template <class T>
Eigen::VectorXd forces(const Answer<T>& answer, int count) {
  Eigen::VectorXd mu(count);
  for (int i = 0; i < count; ++i) mu[i] = static_cast<double>(answer.mu[rows::at(i)]);
  return mu;
}

inline rows::RowBound<double> equality() { return {}; }
inline rows::RowBound<double> unilateral() { return {.kind = rows::RowKind::kUnilateral}; }
inline rows::RowBound<double> boxed(double lower, double upper) {
  return {.kind = rows::RowKind::kBoxed, .lower = lower, .upper = upper};
}
inline rows::RowBound<double> friction(int normal, double coefficient) {
  return {.kind = rows::RowKind::kFriction, .normal = normal, .coefficient = coefficient};
}

// Rows over `unknowns` unknowns: with fewer of them than rows, A is singular.
inline Problem random_push(std::vector<rows::RowBound<double>> rows, int unknowns, Random& random) {
  const auto draw = [&] { return random.uniform(-1, 1); };
  const auto count = static_cast<Eigen::Index>(rows.size());
  const Eigen::MatrixXd J = Eigen::MatrixXd::NullaryExpr(count, unknowns, draw);
  const Eigen::VectorXd free_motion = Eigen::VectorXd::NullaryExpr(unknowns, draw);
  return pushed(std::move(rows), J, Eigen::VectorXd::Ones(unknowns), free_motion);
}

inline std::vector<rows::RowBound<double>> random_rows(int count, Random& random) {
  std::vector<rows::RowBound<double>> all;
  for (int i = 0; i < count; ++i) {
    const double lower = random.uniform(-0.5, 0.2);
    const rows::RowBound<double> kinds[] = {equality(), unilateral(),
                                            boxed(lower, lower + random.uniform(0, 0.5))};
    all.push_back(kinds[random.below(3)]);
  }
  return all;
}

// A normal row and two of friction for each contact.
inline std::vector<rows::RowBound<double>> contact_rows(int contacts, double coefficient) {
  std::vector<rows::RowBound<double>> all;
  for (int c = 0; c < contacts; ++c) {
    all.push_back(unilateral());
    for (int i = 0; i < 2; ++i) all.push_back(friction(3 * c, coefficient));
  }
  return all;
}

// What row i allows, friction by itself.
inline std::pair<double, double> allowed(const Problem& p, const Eigen::VectorXd& mu, int i) {
  const rows::RowBound<double>& row = p.rows[rows::at(i)];
  switch (row.kind) {
    case rows::RowKind::kEquality: break;
    case rows::RowKind::kUnilateral: return {0, kNoBound};
    case rows::RowKind::kBoxed: return {row.lower, row.upper};
    case rows::RowKind::kFriction:
      return {-row.coefficient * mu[row.normal], row.coefficient * mu[row.normal]};
  }
  return {-kNoBound, kNoBound};
}

// By how much the answer fails, friction as a pyramid: a force outside its bounds, or an
// acceleration where a force that is not at its bound should have stopped it.
inline double pyramid_failure(const Problem& p, const Eigen::VectorXd& mu, double near) {
  if (!mu.allFinite()) return kNoBound;
  const Eigen::VectorXd a = p.A * mu + p.b;
  double worst = 0;
  for (int i = 0; i < p.count(); ++i) {
    const auto [lower, upper] = allowed(p, mu, i);
    worst = std::max({worst, lower - mu[i], mu[i] - upper});
    if (mu[i] > lower + near) worst = std::max(worst, a[i]);
    if (mu[i] < upper - near) worst = std::max(worst, -a[i]);
  }
  return worst;
}

// The same with the true cone; rows are those of contacts.
inline double cone_failure(const Problem& p, const Eigen::VectorXd& mu, double near) {
  if (!mu.allFinite()) return kNoBound;
  const Eigen::VectorXd a = p.A * mu + p.b;
  double worst = 0;
  for (int i = 0; i < p.count(); i += 3) {
    worst = std::max({worst, -mu[i], -a[i]});
    if (mu[i] > near) worst = std::max(worst, a[i]);
    const Eigen::Vector2d force = mu.segment<2>(i + 1), slip = a.segment<2>(i + 1);
    const double most = p.rows[rows::at(i) + 1].coefficient * mu[i];
    worst = std::max(worst, force.norm() - most);
    if (force.norm() < most - near) worst = std::max(worst, slip.norm());
    if (most > near) worst = std::max(worst, slip.dot(force) / most + slip.norm());
  }
  return worst;
}

// Every answer there is, by trying each row free, at its lower and at its upper bound.
std::vector<Eigen::VectorXd> all_answers(const Problem& p);

// How far the nearest of all answers is.
double distance_to_an_answer(const Problem& p, const Eigen::VectorXd& mu);

}  // namespace lockstep::test
