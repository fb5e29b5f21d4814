// 12 of the 108 multipliers of section 9's system in the plane as auxiliary ones: six joints of the
// 54 close loops instead of holding a body.
#include <Eigen/LU>

#include "contest.hpp"
#include "inspect/counted.hpp"
#include "lockstep_method.hpp"

namespace lockstep::bench {

namespace {

using host::Counted;

constexpr int kJoints = 54, kLoops = 6;

template <class T>
using Table = maximal::TableMechanism<T, kJoints + 1, kJoints>;

// Each over eight joints of a chain, or from leaf to leaf. Like all joints they need not be closed:
// the system is linear in whatever J they have.
Records looped_records(Shape shape) {
  Records records = make_records<Plane>(shape, kJoints - kLoops);
  for (int i = 0; i < kLoops; ++i) {
    maximal::ConstraintRecord loop = joint_record<Plane>(shape, kJoints - kLoops + i);
    loop.a = shape == Shape::kChain ? 8 * i : 25 + 4 * i;
    loop.b = shape == Shape::kChain ? 8 * i + 8 : 28 + 4 * i;
    records.joints.push_back(loop);
  }
  return records;
}

// Equation (7) without a thought for its blocks.
Answer dense_answer(const Equation7<Plane>& equation) {
  const auto rows = static_cast<Eigen::Index>(2 * equation.joints.size());
  const auto columns = static_cast<Eigen::Index>(3 * equation.M.size());
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows, columns), inverse = J.transpose() * J;
  Eigen::VectorXd c(rows), force(columns);
  for (std::size_t i = 0; i < equation.M.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    inverse.block<3, 3>(at, at) = equation.M[i].inverse();
    force.segment<3>(at) = equation.force[i];
  }
  for (std::size_t i = 0; i < equation.joints.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(2 * i);
    J.block<2, 3>(at, 3 * equation.joints[i].a) += equation.joints[i].J_A;
    J.block<2, 3>(at, 3 * equation.joints[i].b) += equation.joints[i].J_B;
    c.segment<2>(at) = equation.joints[i].c;
  }
  const Eigen::MatrixXd A = J * inverse * J.transpose();
  const Eigen::VectorXd lambda = A.fullPivLu().solve(-(J * inverse * force + c));
  return {inverse * (force + J.transpose() * lambda), lambda};
}

template <class T>
std::shared_ptr<LockstepMethod<Table<T>>> method_of(const Records& records, const Motion& motion) {
  auto table = std::make_unique<Table<T>>();
  if (table->assign(records.bodies, records.joints) != Status::kOk) table = nullptr;
  return std::make_shared<LockstepMethod<Table<T>>>(std::move(table), motion);
}

void add(Contest& contest, const char* name, const Records& records) {
  const Motion motion = random_motion<Plane>(records, 1);
  const auto method = method_of<double>(records, motion);
  contest.entrants.push_back(lockstep_entrant(name, method));
  contest.entrants.back().run();
  contest.errors.push_back(difference(contest.entrants.back().answer(),
                                      dense_answer(method->template equation_7<Plane>(records))));
  const auto counted = method_of<Counted>(records, motion);
  Counted::operations = {};
  counted->form(), counted->factor(), counted->solve();
  contest.operations.push_back(Counted::operations.total());
}

}  // namespace

std::vector<Contest> auxiliary_rows() {
  std::vector<Contest> all;
  for (const auto& [name, shape] :
       {std::pair{"2D, chain", Shape::kChain}, {"2D, tree", Shape::kTree}}) {
    Contest contest = {.name = name, .multipliers = 2 * kJoints};
    add(contest, kPrimary, make_records<Plane>(shape, kJoints));
    add(contest, kAuxiliary, looped_records(shape));
    all.push_back(std::move(contest));
  }
  return all;
}

}  // namespace lockstep::bench
