// Friction through both solvers, in the true cone.
#include <CppUTest/TestHarness.h>

#include "core/rows/systems.hpp"
#include "lockstep/rows/gauss_seidel.hpp"
#include "lockstep/rows/pivoting.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using namespace lockstep::rows;
using namespace lockstep::test;

namespace {

constexpr double kGravity = 9.81, kMass = 3;

template <class T>
Answer<T> pivoted(const Problem& p) {
  PivotingSolver<T, kMaxRows> solver;
  Answer<T> answer;
  CHECK(solver.solve(to_rows<T>(p), {}, answer) == Status::kOk);
  CHECK(answer.gave_up == GaveUp::kNo);
  return answer;
}

template <class T>
Answer<T> swept(const Problem& p) {
  Answer<T> answer;
  CHECK(gauss_seidel(to_rows<T>(p), GaussSeidelOptions<T>{.sweeps = 20000}, answer) == Status::kOk);
  return answer;
}

// A block on a plane that leans by `angle`, steepest along `heading` from the first friction row.
Problem block_on_incline(double angle, double heading, double coefficient) {
  const double down = kGravity * std::sin(angle);
  return pushed(contact_rows(1, coefficient), Eigen::Matrix3d::Identity(),
                Eigen::Vector3d::Constant(1 / kMass),
                Eigen::Vector3d(-kGravity * std::cos(angle), down * std::cos(heading),
                                down * std::sin(heading)));
}

// A box of mass 4 on four feet that push and rub: twelve rows over six unknowns.
Problem box_on_rubbing_feet(const Eigen::Vector3d& acceleration) {
  Eigen::MatrixXd J(12, 6);
  for (int foot = 0; foot < 4; ++foot) {
    const Eigen::Vector3d p(foot / 2 == 0 ? 1 : -1, foot % 2 == 0 ? 1 : -1, -0.5);
    const Eigen::Vector3d axes[] = {Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX(),
                                    Eigen::Vector3d::UnitY()};
    for (int i = 0; i < 3; ++i)
      J.row(3 * foot + i) << axes[i].transpose(), p.cross(axes[i]).transpose();
  }
  Eigen::VectorXd inverse_mass(6), free_motion = Eigen::VectorXd::Zero(6);
  inverse_mass << 0.25, 0.25, 0.25, 1, 1.2, 0.8;
  free_motion.head<3>() = acceleration;
  return pushed(contact_rows(4, 0.6), J, inverse_mass, free_motion);
}

// By how much the answer fails, whatever the rows are: pairs of friction on their cones, others by
// their own bounds.
double failure(const Problem& p, const Eigen::VectorXd& mu, double near) {
  const Eigen::VectorXd a = p.A * mu + p.b;
  double worst = 0;
  for (int i = 0; i < p.count(); ++i) {
    const auto [lower, upper] = allowed(p, mu, i);
    const RowBound<double>& row = p.rows[at(i)];
    if (row.kind == RowKind::kFriction && i + 1 < p.count() &&
        p.rows[at(i) + 1].kind == RowKind::kFriction) {
      const Eigen::Vector2d force = mu.segment<2>(i), slip = a.segment<2>(i++);
      worst = std::max(worst, force.norm() - upper);
      if (force.norm() < upper - near) worst = std::max(worst, slip.norm());
      if (upper > near) worst = std::max(worst, slip.dot(force) / upper + slip.norm());
      continue;
    }
    worst = std::max({worst, lower - mu[i], mu[i] - upper});
    if (mu[i] > lower + near) worst = std::max(worst, a[i]);
    if (mu[i] < upper - near) worst = std::max(worst, -a[i]);
  }
  return worst;
}

template <class T>
void check_incline(double bound, const Answer<T>& answer, double angle, double coefficient) {
  const double normal = kMass * kGravity * std::cos(angle);
  const double pull = kMass * kGravity * std::sin(angle);
  DOUBLES_EQUAL(normal, static_cast<double>(answer.mu[0]), bound);
  const double rubs = std::min(pull, coefficient * normal);
  DOUBLES_EQUAL(-rubs, static_cast<double>(answer.mu[1]), bound);
  DOUBLES_EQUAL((pull - rubs) / kMass, static_cast<double>(answer.a[1]), bound);
}

}  // namespace

TEST_GROUP(RowFriction){};

// tan(angle) < coefficient: it stays; above, it slides with g (sin - coefficient cos).
TEST(RowFriction, BlockOnAnInclineStaysOrSlides) {
  const double coefficient = 0.5;
  for (const double angle : {0.0, 0.2, 0.46, 0.47, 0.8}) {
    const Problem p = block_on_incline(angle, 0, coefficient);
    check_incline(1e-12, pivoted<double>(p), angle, coefficient);
    check_incline(1e-8, swept<double>(p), angle, coefficient);
    check_incline(1e-4, pivoted<float>(p), angle, coefficient);
    check_incline(1e-3, swept<float>(p), angle, coefficient);
  }
}

// It slides straight down with g (sin - coefficient cos), and stays below the angle, whatever the
// heading.
TEST(RowFriction, ConeHasNoPreferredDirection) {
  constexpr double kDegree = 0.017453292519943295;
  for (const double degrees : {0, 20, 45, 70, 90, 131, 225, -63}) {
    for (const double angle : {10, 26, 27, 30, 35, 50}) {
      const double heading = degrees * kDegree, coefficient = 0.5;
      const double normal = kMass * kGravity * std::cos(angle * kDegree);
      const double pull = kMass * kGravity * std::sin(angle * kDegree);
      const double rubs = std::min(pull, coefficient * normal);
      const Problem p = block_on_incline(angle * kDegree, heading, coefficient);
      const auto check = [&](const auto& answer, double bound) {
        const double x = static_cast<double>(answer.mu[1]), y = static_cast<double>(answer.mu[2]);
        DOUBLES_EQUAL(normal, static_cast<double>(answer.mu[0]), bound);
        DOUBLES_EQUAL(-rubs * std::cos(heading), x, bound);
        DOUBLES_EQUAL(-rubs * std::sin(heading), y, bound);
        const double along = static_cast<double>(answer.a[1]) * std::cos(heading) +
                             static_cast<double>(answer.a[2]) * std::sin(heading);
        DOUBLES_EQUAL((pull - rubs) / kMass, along, bound);
      };
      check(pivoted<double>(p), 1e-9);
      check(pivoted<float>(p), 2e-3);
      check(swept<double>(p), 1e-7);
    }
  }
}

// In a plane a contact has one friction row, and the two solvers mean the same.
TEST(RowFriction, OneRowAloneIsFrictionInAPlane) {
  Problem p = block_on_incline(0.8, 0, 0.5);
  p.rows.pop_back();
  p.A = p.A.topLeftCorner(2, 2).eval();
  p.b = p.b.head(2).eval();
  check_incline(1e-12, pivoted<double>(p), 0.8, 0.5);
  check_incline(1e-8, swept<double>(p), 0.8, 0.5);
}

TEST(RowFriction, LiftedContactDoesNotRub) {
  Problem p = block_on_incline(0.5, 0.3, 0.5);
  p.b[0] = 2;
  for (const Answer<double>& answer : {pivoted<double>(p), swept<double>(p)}) {
    for (int i = 0; i < 3; ++i) DOUBLES_EQUAL(0, answer.mu[at(i)], 0);
    for (int i = 0; i < 3; ++i) DOUBLES_EQUAL(p.b[i], answer.a[at(i)], 0);
  }
}

// Friction that already slides along +x pulls with the normal force: K = n - coefficient x. The
// block is on a wedge edge, so that the pull changes the pressure: A and its answer by hand.
TEST(RowFriction, SlipThatIsThereMakesTheNormalRowUnsymmetric) {
  const double coefficient = 0.5;
  const Eigen::Vector2d n(-0.6, 0.8), t(0.8, 0.6), free_motion(0, -kGravity);
  Problem p = {{unilateral(), equality()}, Eigen::MatrixXd(2, 2), Eigen::VectorXd(2)};
  const Eigen::Vector2d K = (n - coefficient * t) / kMass;
  const Eigen::Vector2d rail(1 / kMass, 0);  // a vertical rail holds x
  p.A << n.dot(K), n.dot(rail), K[0], rail[0];
  p.b << n.dot(free_motion), free_motion[0];
  // along the rail: K_y mu = g
  const double mu = kGravity / K[1];
  for (const Answer<double>& answer : {pivoted<double>(p), swept<double>(p)}) {
    DOUBLES_EQUAL(mu, answer.mu[0], 1e-6);
    DOUBLES_EQUAL(-K[0] * mu * kMass, answer.mu[1], 1e-6);
  }
}

// Friction in a plane, where every combination of bounds can be tried.
TEST(RowFriction, PlanarContactsMatchEveryCombinationTried) {
  Random random(1);
  for (int i = 0; i < 60; ++i) {
    const int contacts = 1 + random.below(3);
    const double coefficient = random.uniform(0, 1);
    std::vector<RowBound<double>> rows;
    for (int c = 0; c < contacts; ++c) {
      rows.push_back(unilateral());
      rows.push_back(friction(2 * c, coefficient));
    }
    const Problem p = random_push(std::move(rows), 2 * contacts + 3, random);
    const Eigen::VectorXd mu = forces(pivoted<double>(p), 2 * contacts);
    CHECK_AT_MOST(1e-10, distance_to_an_answer(p, mu), "planes");
  }
}

TEST(RowFriction, ManyContactsSatisfyTheirCones) {
  Random random(2);
  for (int i = 0; i < 60; ++i) {
    const int contacts = 1 + random.below(8);
    const Problem p = random_push(contact_rows(contacts, 0.6), 3 * contacts + 6, random);
    CHECK_AT_MOST(1e-8, cone_failure(p, forces(pivoted<double>(p), p.count()), 1e-8), "direct");
    CHECK_AT_MOST(1e-6, cone_failure(p, forces(swept<double>(p), p.count()), 1e-7), "swept");
  }
}

// Of any rank, coefficients down to none, and loops beside them.
TEST(RowFriction, RedundantContactsSatisfyTheirCones) {
  Random random(7);
  int given_up = 0;
  for (int i = 0; i < 300; ++i) {
    const int contacts = 1 + random.below(8);
    const double coefficient = i % 7 == 0 ? 0 : random.uniform(0, 1.2);
    const Problem p = random_push(contact_rows(contacts, coefficient),
                                  1 + random.below(3 * contacts + 6), random);
    PivotingSolver<double, kMaxRows> solver;
    Answer<double> answer;
    const Status status = solver.solve(to_rows<double>(p), {}, answer);
    given_up += answer.gave_up != GaveUp::kNo ? 1 : 0;
    if (answer.gave_up != GaveUp::kNo) continue;
    CHECK(status == Status::kOk);
    CHECK_AT_MOST(1e-7, cone_failure(p, forces(answer, p.count()), 1e-7), "direct");
  }
  CHECK(given_up <= 3);
}

// A box on four feet that is pushed along the ground and turns: forces and slips of every foot.
TEST(RowFriction, BoxThatTurnsAsItSlidesSatisfiesItsCones) {
  Random random(8);
  for (int i = 0; i < 200; ++i) {
    const Eigen::Vector3d push(random.uniform(-9, 9), random.uniform(-9, 9), -kGravity);
    Problem p = box_on_rubbing_feet(push);
    const double turn = random.uniform(-9, 9);
    for (int foot = 0; foot < 4; ++foot) {
      p.b[3 * foot + 1] -= turn * (foot % 2 == 0 ? 1 : -1);
      p.b[3 * foot + 2] += turn * (foot / 2 == 0 ? 1 : -1);
    }
    CHECK_AT_MOST(1e-7, cone_failure(p, forces(pivoted<double>(p), 12), 1e-7), "double");
    CHECK_AT_MOST(2e-2, cone_failure(p, forces(pivoted<float>(p), 12), 1e-2), "float");
  }
}

// A block on a rail along x, on a belt that runs across it: friction has one direction, that of
// the slip, so that the rail's share is lost to x, and a pull along x slides however weak it is.
// Within the cone: f = -coefficient N v / |v| with v = (x, belt).
TEST(RowFriction, DirectionThatIsHeldTakesItsShareOfTheCone) {
  const double belt = 0.3, pull = 0.4, coefficient = 0.5, normal = 10;
  Problem p = pushed(contact_rows(1, coefficient), Eigen::Matrix3d::Identity(),
                     Eigen::Vector3d(1, 1, 0), Eigen::Vector3d(-normal, pull, belt));
  const Answer<double> answer = pivoted<double>(p);
  const double slip = std::hypot(answer.a[1], belt);
  DOUBLES_EQUAL(belt, answer.a[2], 0);
  DOUBLES_EQUAL(-coefficient * normal * answer.a[1] / slip, answer.mu[1], 1e-9);
  DOUBLES_EQUAL(-coefficient * normal * belt / slip, answer.mu[2], 1e-9);
  DOUBLES_EQUAL(pull + answer.mu[1], answer.a[1], 1e-12);
  CHECK(answer.a[1] > 0);
}

// A brake that three feet alone could not hold: the fourth takes its share, though redundant.
TEST(RowFriction, BoxBrakesWithAllOfItsFeet) {
  for (const double brake : {1.0, 3.0, 5.5}) {
    const Problem p = box_on_rubbing_feet({brake, 0.1 * brake, -kGravity});
    const Answer<double> answer = pivoted<double>(p);
    CHECK_AT_MOST(1e-8, cone_failure(p, forces(answer, 12), 1e-8), "direct");
    double rubs = 0;
    for (int foot = 0; foot < 4; ++foot) rubs += answer.mu[at(3 * foot + 1)];
    DOUBLES_EQUAL(-4 * brake, rubs, 1e-10);
    CHECK_AT_MOST(1e-6, cone_failure(p, forces(swept<double>(p), 12), 1e-6), "swept");
  }
}

TEST(RowFriction, BoxSlidesWhenTheBrakeIsTooHard) {
  const Problem p = box_on_rubbing_feet({7, 0, -kGravity});
  for (const Answer<double>& answer : {pivoted<double>(p), swept<double>(p)}) {
    double rubs = 0, presses = 0;
    for (int foot = 0; foot < 4; ++foot) {
      presses += answer.mu[at(3 * foot)];
      rubs += answer.mu[at(3 * foot + 1)];
    }
    DOUBLES_EQUAL(4 * kGravity, presses, 1e-6);
    DOUBLES_EQUAL(-0.6 * presses, rubs, 1e-6);
  }
}

// Feet on slopes of all directions: friction of one foot presses another, so that forces have to
// go back on their way.
TEST(RowFriction, FeetOnSlopesAreSolved) {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const int feet = 2 + random.below(5);
    Eigen::MatrixXd J(3 * feet, 6);
    for (int row = 0; row < 3 * feet; row += 3) {
      Eigen::Vector3d p = random.vector(1);
      p.z() = -0.5;
      const double slope = random.uniform(-0.5, 0.5);
      const Eigen::Matrix3d R = Eigen::AngleAxisd(slope, random.vector(1).normalized()).matrix();
      for (int axis = 0; axis < 3; ++axis) {
        const Eigen::Vector3d u = R.col((axis + 2) % 3);
        J.row(row + axis) << u.transpose(), p.cross(u).transpose();
      }
    }
    Eigen::VectorXd inverse_mass(6), free_motion(6);
    inverse_mass << 0.25, 0.25, 0.25, 1, 1.2, 0.8;
    free_motion << random.vector(5), random.vector(5);
    free_motion[2] -= kGravity;
    const Problem p = pushed(contact_rows(feet, 0.6), J, inverse_mass, free_motion);
    CHECK_AT_MOST(1e-7, cone_failure(p, forces(pivoted<double>(p), p.count()), 1e-7), "double");
  }
}

// Two boxes, one on the other, four contacts under each: half of the 24 rows are redundant, and the
// forces that hold each other are many.
TEST(RowFriction, StackOnAnInclineIsSolved) {
  for (const double angle : {0.0, 0.1, 0.3, 0.5}) {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(24, 12);
    for (int contact = 0; contact < 8; ++contact) {
      const int upper = contact / 4;
      for (int axis = 0; axis < 3; ++axis) {
        const Eigen::Vector3d u = Eigen::Vector3d::Unit((axis + 2) % 3);
        Eigen::Vector3d p(contact % 2 == 0 ? 1 : -1, contact / 2 % 2 == 0 ? 0.7 : -0.7, -0.4);
        J.block<1, 6>(3 * contact + axis, 6 * upper) << u.transpose(), p.cross(u).transpose();
        p.z() = 0.4;
        if (upper == 1)
          J.block<1, 6>(3 * contact + axis, 0) << -u.transpose(), -p.cross(u).transpose();
      }
    }
    Eigen::VectorXd inverse_mass(12), free_motion = Eigen::VectorXd::Zero(12);
    inverse_mass << 0.5, 0.5, 0.5, 2, 3, 1, 1, 1, 1, 4, 6, 2;
    for (const int box : {0, 6}) {
      free_motion[box] = kGravity * std::sin(angle);
      free_motion[box + 2] = -kGravity * std::cos(angle);
    }
    const Problem p = pushed(contact_rows(8, 0.4), J, inverse_mass, free_motion);
    const Answer<double> answer = pivoted<double>(p);
    CHECK_AT_MOST(1e-8, cone_failure(p, forces(answer, 24), 1e-8), "cones");
    double presses = 0;
    for (int contact = 0; contact < 4; ++contact) presses += answer.mu[at(3 * contact)];
    DOUBLES_EQUAL(3 * kGravity * std::cos(angle), presses, 1e-9);
  }
}

// Suction and magnets: feet whose normal force has bounds of its own, or is what it is, beside one
// that rubs in a plane and a motor.
TEST(RowFriction, NormalForcesWithBoundsOfTheirOwnSatisfyTheirCones) {
  Random random(12);
  int given_up = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<RowBound<double>> rows = {boxed(-1, 1)};
    const int feet = 1 + random.below(4);
    for (int foot = 0; foot < feet; ++foot) {
      const double least = random.uniform(0, 0.5);
      const RowBound<double> kinds[] = {unilateral(), boxed(least, least + 1), boxed(0, 0.3),
                                        boxed(least, least)};
      const int normal = static_cast<int>(rows.size());
      rows.push_back(kinds[random.below(4)]);
      const double coefficient = random.uniform(0, 1);
      for (int k = 0; k < 2; ++k) rows.push_back(friction(normal, coefficient));
    }
    rows.push_back(unilateral());
    rows.push_back(friction(static_cast<int>(rows.size()) - 1, 0.4));
    const Problem p = random_push(rows, static_cast<int>(rows.size()) + 4, random);
    PivotingSolver<double, kMaxRows> solver;
    Answer<double> answer;
    CHECK(has_moved(solver.solve(to_rows<double>(p), {}, answer)));
    given_up += answer.gave_up != GaveUp::kNo ? 1 : 0;
    CHECK_AT_MOST(1e-7, failure(p, forces(answer, p.count()), 1e-7), "bounds");
  }
  CHECK(given_up <= 3);
}

// Two jaws that close on a body that cannot give way, and rub on it as it is pulled out between
// them: that they contradict each other is told, and the pull is met by their cones.
TEST(RowFriction, JawsThatContradictEachOtherStillRub) {
  for (const double pull : {0.5, 40.0}) {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, 3);
    J(0, 0) = 1, J(3, 0) = -1;
    for (const int jaw : {0, 3}) J(jaw + 1, 1) = J(jaw + 2, 2) = 1;
    Problem p = pushed(contact_rows(2, 0.5), J, Eigen::Vector3d(1, 1, 1),
                       Eigen::Vector3d(0, pull, 0.3 * pull));
    p.b[0] = p.b[3] = -1;
    PivotingSolver<double, kMaxRows> solver;
    Answer<double> answer;
    CHECK(solver.solve(to_rows<double>(p), {}, answer) == Status::kNotConverged);
    CHECK(answer.stop == Stop::kInconsistent);
    CHECK(answer.gave_up == GaveUp::kNo);
    CHECK(answer.violation >= 1 - 1e-9);
    // each rubs along the pull with what its jaw has, or both together hold it
    const double rub = std::hypot(answer.mu[1] + answer.mu[4], answer.mu[2] + answer.mu[5]);
    const double most = 0.5 * (answer.mu[0] + answer.mu[3]), all = pull * std::hypot(1, 0.3);
    DOUBLES_EQUAL(std::min(most, all), rub, 1e-9);
    DOUBLES_EQUAL(std::max(all - most, 0.0), std::hypot(answer.a[1], answer.a[2]), 1e-9);
  }
}

// However few pivots there are, no more are taken, and what is called solved is.
TEST(RowFriction, PivotsAreNeverMoreThanWereAllowed) {
  Random random(13);
  int solved = 0, given_up = 0;
  for (int i = 0; i < 300; ++i) {
    const int contacts = 1 + random.below(8), most = 1 + random.below(12);
    const Problem p =
        random_push(contact_rows(contacts, 0.6), 1 + random.below(3 * contacts + 6), random);
    PivotingSolver<double, kMaxRows> solver;
    Answer<double> answer;
    const Status status =
        solver.solve(to_rows<double>(p), {.pivots = most, .fallback = {.sweeps = 2}}, answer);
    CHECK(answer.pivots <= most);
    (answer.gave_up == GaveUp::kNo ? solved : given_up) += 1;
    if (status != Status::kOk) continue;
    CHECK_AT_MOST(1e-7, cone_failure(p, forces(answer, p.count()), 1e-7), "cones");
  }
  CHECK(solved > 20 && given_up > 20);
}
