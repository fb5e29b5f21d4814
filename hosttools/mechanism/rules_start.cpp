// At the start the constraints that do not yield hold, bodies can follow every row, and no row says
// what others say.
#include <Eigen/QR>
#include <cmath>
#include <map>
#include <numbers>

#include "mechanism/rules.hpp"
#include "mechanism/state.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

using maximal::BodyType;

// m, or the sine of an angle: files have few digits; more than kApart is a mistake
constexpr double kRounding = 1e-9, kApart = 1e-3;

bool holds(const Mechanism& mechanism, const maximal::ConstraintRecord& record, BodyType type) {
  const auto is = [&](int body) {
    return body != kWorld && mechanism.bodies[at(body)].type == static_cast<int>(type);
  };
  return is(record.a) || is(record.b);
}

std::string remedy_for_reach(const Mechanism& mechanism, const maximal::ConstraintRecord& record) {
  if (holds(mechanism, record, BodyType::kPlanar)) {
    return "for planar bodies use pin, flat_slider, flat_fixed, driven_pin or distance";
  }
  if (holds(mechanism, record, BodyType::kParticle)) {
    return "a particle does not turn: use ball, distance, point_on_line or point_on_plane";
  }
  return "choose another type, or move the frames";
}

// Rows that keep axes square also hold with an axis the other way round.
bool is_reversed(const ConstraintWords& words, const ConstraintState& state) {
  using maximal::ConstraintType;
  const Mat3<double>&A = state.a.frame.R, &B = state.b.frame.R;
  switch (words.type) {
    case ConstraintType::kRevolute:
    case ConstraintType::kDrivenRevolute:
    case ConstraintType::kCylindrical:
    case ConstraintType::kParallelAxes:
    case ConstraintType::kPlanar: return dot(A.z, B.z) < 0;
    case ConstraintType::kPrismatic:
    case ConstraintType::kDrivenPrismatic:
    case ConstraintType::kSameOrientation:
    case ConstraintType::kFixed: return dot(A.z, B.z) < 0.5 || dot(A.x, B.x) < 0.5;
    case ConstraintType::kFlatSlider:
    case ConstraintType::kFlatFixed: return dot(A.x, B.x) < 0;
    default: return false;
  }
}

void check_one(const DraftConstraint& constraint, const Mechanism& mechanism, std::size_t i,
               const ConstraintState& state, Findings& findings) {
  const std::string label = constraint.label();
  const double gap = state.value.cwiseAbs().maxCoeff();
  const double slip = state.velocity_error.cwiseAbs().maxCoeff();
  if (!std::isfinite(gap) || !std::isfinite(slip)) {
    findings.error(constraint.line, "degenerate", label + ": has no meaning at the initial poses",
                   "move its bodies or frames");
    return;
  }
  const bool holds = !constraint.soft.yields();
  if (holds && gap > kApart) {
    findings.error(constraint.line, "gap",
                   label + ": does not hold at the initial poses, by " + brief(gap),
                   "correct the poses, or give the place once: <at>, or one <origin>");
    return;
  }
  if (is_reversed(*constraint.type, state)) {
    findings.error(constraint.line, "reversed",
                   label + ": the frames are turned against each other",
                   "turn one of them with rpy, or give only one <origin>");
  }
  if (holds && gap > kRounding) {
    findings.warning(constraint.line, "small-gap",
                     label + ": is " + brief(gap) + " off at the initial poses",
                     "give more digits, or the place once: <at>, or one <origin>");
  }
  if (holds && slip > kRounding) {
    findings.warning(constraint.line, "velocity-error",
                     label + ": the initial velocities break it by " + brief(slip),
                     "correct <velocity> of its bodies");
  }
  Eigen::MatrixXd J(state.J_A.rows(), state.J_A.cols() + state.J_B.cols());
  J << state.J_A, state.J_B;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(J.transpose());
  qr.setThreshold(kRounding);
  if (qr.rank() < J.rows()) {
    findings.error(constraint.line, "out-of-reach",
                   label + ": has " + std::to_string(J.rows()) +
                       " rows, but its bodies can follow " + std::to_string(qr.rank()) + " of them",
                   remedy_for_reach(mechanism, mechanism.constraints[i]));
  }
}

// A coupling by its first record; the others join it.
void check_sum(const DraftSum& coupling, const Mechanism& mechanism, std::size_t first,
               const std::vector<ConstraintState>& states, Findings& findings) {
  double gap = 0, slip = 0;
  std::size_t i = first;
  do {
    gap += states[i].value[0];
    slip += states[i].velocity_error[0];
  } while (++i < states.size() && mechanism.constraints[i].joins);
  if (const int parts = mechanism.constraints[first].turn_parts; parts > 0) {
    gap = std::remainder(gap, 2 * std::numbers::pi / parts);
  }
  if (std::abs(gap) > kApart) {
    findings.error(coupling.line, "gap",
                   coupling.label() + ": does not hold at the initial poses, by " + brief(gap),
                   "correct the poses, or leave out offset");
  } else if (std::abs(gap) > kRounding) {
    findings.warning(coupling.line, "small-gap",
                     coupling.label() + ": is " + brief(gap) + " off at the initial poses",
                     "give more digits, or leave out offset");
  }
  if (std::abs(slip) > kRounding) {
    findings.warning(coupling.line, "velocity-error",
                     coupling.label() + ": the initial velocities break it by " + brief(slip),
                     "correct <velocity> of its bodies");
  }
}

}  // namespace

void check_start(const DraftMechanism& draft, const Mechanism& mechanism, Findings& findings) {
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    visit_body(mechanism.bodies[i], [&](const auto& body, std::size_t, std::size_t) {
      if (const Status status = body.check(); status != Status::kOk) {
        findings.error(draft.bodies[i].line, "bad-inertia",
                       draft.bodies[i].label() + ": " + to_string(status),
                       "give positive moments that obey the triangle inequality; a stretching "
                       "body must not be flat");
      }
    });
  }
  const Offsets offsets(mechanism);
  std::vector<ConstraintState> states;
  std::vector<std::size_t> owner;  // of each row
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
    states.push_back(evaluate(mechanism, offsets, i));
    const maximal::ConstraintRecord& record = mechanism.constraints[i];
    if (!yields(record)) owner.insert(owner.end(), row_count(record), i);
  }
  for (std::size_t i = 0; i < draft.constraints.size(); ++i) {
    check_one(draft.constraints[i], mechanism, i, states[i], findings);
  }
  std::size_t first = mechanism.constraints.size();
  for (const DraftSum& coupling : draft.couplings) first -= coupling.terms.size();
  std::map<std::size_t, const DraftSum*> coupling_at;
  for (const DraftSum& coupling : draft.couplings) {
    coupling_at[first] = &coupling;
    if (!coupling.soft.yields()) check_sum(coupling, mechanism, first, states, findings);
    first += coupling.terms.size();
  }
  if (findings.has_error()) return;
  const Eigen::SparseMatrix<double> J = jacobian(mechanism, states, Which::kHolding);
  if (std::ssize(entangled_rows(offsets, J)) > kMostRankRows) {
    findings.note(0, "not-examined",
                  "more than " + std::to_string(kMostRankRows) +
                      " rows of loops: whether some depend on others is not examined",
                  "examine a part of the mechanism");
  }
  std::size_t last = mechanism.constraints.size();
  for (const int row : dependent_rows(offsets, J)) {
    const std::size_t culprit = owner[at(row)];
    if (culprit == last) continue;
    last = culprit;
    const auto coupling = coupling_at.find(culprit);
    const bool sums = coupling != coupling_at.end();
    findings.warning(sums ? coupling->second->line : draft.constraints[culprit].line,
                     "dependent-rows",
                     (sums ? coupling->second->label() : draft.constraints[culprit].label()) +
                         ": at the initial poses a row says what constraints before it say",
                     "remove what is held twice, or start from another pose");
  }
}

}  // namespace lockstep::host
