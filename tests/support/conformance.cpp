#include "support/conformance.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "model/load.hpp"
#include "model/merge.hpp"
#include "support/answers.hpp"
#include "support/tolerance.hpp"
#include "text/error.hpp"

namespace lockstep::test {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using nlohmann::json;

Vector3d vector_of(const json& values) {
  return {values.at(0).get<double>(), values.at(1).get<double>(), values.at(2).get<double>()};
}

Eigen::VectorXd numbers_of(const json& values) {
  const auto numbers = values.get<std::vector<double>>();
  return Eigen::VectorXd::Map(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

JointType type_of(const std::string& name) {
  if (name == "prismatic") return JointType::kPrismatic;
  if (name == "floating") return JointType::kFloating;
  return JointType::kRevolute;
}

std::array<double, 9> rows(const Matrix3d& R) {
  std::array<double, 9> result{};
  for (int i = 0; i < 9; ++i) result[static_cast<std::size_t>(i)] = R(i / 3, i % 3);
  return result;
}

Matrix3d z_onto(const Vector3d& axis) {
  const Vector3d x = axis.unitOrthogonal(), z = axis.normalized();
  Matrix3d R;
  R << x, z.cross(x), z;
  return R;
}

// the joint's frame in the parent link, turned so that the axis becomes z on both sides
Body body_of(const json& joint, const Matrix3d& R_LB, const Matrix3d& R_LB_parent) {
  const Matrix3d R_LL = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
      numbers_of(joint.at("R_in_parent_rowmajor")).eval().data());
  const Vector3d p = R_LB_parent.transpose() * vector_of(joint.at("p_in_parent"));
  Body body;
  body.parent = joint.at("parent_joint").get<int>();
  body.joint = type_of(joint.at("type").get<std::string>());
  body.R_PJ = rows(R_LB_parent.transpose() * R_LL * R_LB);
  body.p_PJ = {p[0], p[1], p[2]};
  body.R_LB = rows(R_LB);

  const Vector3d com = vector_of(joint.at("com"));
  const Eigen::VectorXd c = numbers_of(joint.at("inertia_com_xx_xy_xz_yy_yz_zz"));
  body.mass = joint.at("mass").get<double>();
  const Matrix3d about_com{{c[0], c[1], c[2]}, {c[1], c[3], c[4]}, {c[2], c[4], c[5]}};
  const Matrix3d I =
      R_LB.transpose() *
      (about_com + body.mass * (com.squaredNorm() * Matrix3d::Identity() - com * com.transpose())) *
      R_LB;
  const Vector3d h = body.mass * (R_LB.transpose() * com);
  body.h = {h[0], h[1], h[2]};
  body.inertia = {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)};
  return body;
}

host::LoadOptions options_of(const ConformanceCase& robot) {
  host::LoadOptions options;
  options.file = robot.urdf;
  options.quiet = true;
  options.reduce.ignore_damping = true;
  options.reduce.base = robot.base == "fixed" ? host::ReduceOptions::Base::kFixed
                                              : host::ReduceOptions::Base::kFloating;
  return options;
}

}  // namespace

json read_json(const std::string& path) {
  std::ifstream stream(path);
  return json::parse(stream);
}

std::vector<ConformanceCase> conformance_cases() {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(LOCKSTEP_CONFORMANCE_DIR) / "robots";
  std::vector<ConformanceCase> cases;
  if (!fs::is_directory(folder)) {
    std::printf("\nno conformance data at %s: nothing to compare\n", folder.c_str());
    return cases;
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".urdf") continue;
    for (const char* base : {"fixed", "floating"}) {
      const std::string name = entry.path().stem().string() + "." + base;
      const fs::path states = folder / (name + ".json");
      if (!fs::exists(states)) continue;
      cases.push_back({name, base, entry.path().string(), states.string()});
    }
  }
  std::ranges::sort(cases, {}, &ConformanceCase::name);
  return cases;
}

std::vector<Body> bodies_of(const json& file) {
  std::vector<Body> bodies;
  std::vector<Matrix3d> R_LB;
  for (const json& joint : file.at("joints")) {
    const Vector3d axis = vector_of(joint.at("axis"));
    R_LB.push_back(axis.isZero() ? Matrix3d(Matrix3d::Identity()) : z_onto(axis));
    const int parent = joint.at("parent_joint").get<int>();
    const Matrix3d R_LB_parent =
        parent == kWorld ? Matrix3d(Matrix3d::Identity()) : R_LB[static_cast<std::size_t>(parent)];
    bodies.push_back(body_of(joint, R_LB.back(), R_LB_parent));
  }
  return bodies;
}

double condition_of(const json& state) {
  return state.at("M_eig_max").get<double>() / state.at("M_eig_min").get<double>();
}

std::vector<ConformanceState> states_of(const json& file, std::span<const Body> bodies) {
  std::vector<ConformanceState> states;
  for (const json& from : file.at("states")) {
    ConformanceState state;
    state.in = host::rest(bodies);
    state.in.q = numbers_of(from.at("q"));
    state.in.v = numbers_of(from.at("qd"));
    state.in.tau = numbers_of(from.at("tau"));
    state.in.gravity = vector_of(file.at("gravity"));
    state.reference.vdot = numbers_of(from.at("qdd"));
    state.reference.reaction.resize(6, static_cast<Eigen::Index>(bodies.size()));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      state.reference.reaction.col(static_cast<Eigen::Index>(i)) =
          numbers_of(from.at("reaction").at(i));
    }
    states.push_back(state);
  }
  return states;
}

host::Tree load_open(const ConformanceCase& robot) {
  host::LoadOptions options = options_of(robot);
  options.read.ignore_mimic = true;
  options.reduce.ignore_mimic = true;
  return host::load_tree(options);
}

host::Tree load_closed(const ConformanceCase& robot) {
  host::LoadOptions options = options_of(robot);
  options.keep_rotors = true;  // the file speaks of their joints
  return host::load_tree(options);
}

void check_tree(const ConformanceCase& robot, host::EvalScalar scalar, const BoundOf& bound_of) {
  const host::Tree tree = load_open(robot);
  const host::StatesFile states(robot.states_file, tree);
  const json file = read_json(robot.states_file);
  for (const auto& [name, method] : kCoreMethods) {
    const host::Engine engine = host::make_engine(tree, scalar, method);
    for (std::size_t i = 0; i < states.size(); ++i) {
      const host::State state = states.state(i);
      const host::DenseOutput x = engine(state.in);
      const std::string where =
          states.where(i) + (scalar == host::EvalScalar::kFloat ? ", float, " : ", ") + name;
      CHECK_TEXT(state.vdot && state.reaction, (where + ": has no answers").c_str());
      const AnswerBound bound =
          bound_of(tree, state, condition_of(file.at("states").at(i)), method);
      CHECK_AT_MOST(bound.vdot, relative_error(x.vdot, *state.vdot), (where + ": qdd").c_str());
      CHECK_AT_MOST(bound.reaction, relative_error(x.reaction, *state.reaction),
                    (where + ": reaction").c_str());
    }
  }
}

std::vector<host::ClosedEngine> all_ways(const host::Tree& tree, host::EvalScalar scalar) {
  using enum host::EvalMethod;
  std::vector<host::ClosedEngine> ways = {
      host::make_closed_engine(tree, tree, scalar, kNullSpace),
      host::make_closed_engine(tree, host::merge_rotors(tree), scalar, kNullSpace)};
  try {
    ways.push_back(host::make_closed_engine(tree, tree, scalar, kMaximal));
  } catch (const host::Error& error) {
    STRCMP_CONTAINS("cannot be a body of its own", error.what());
  }
  return ways;
}

void check_closed(const host::Tree& tree, const std::string& states_file, ClosedAnswers answers,
                  double bound) {
  const bool forces = answers == ClosedAnswers::kForcesToo;
  const host::StatesFile states(states_file, tree);
  const auto engines = all_ways(tree, host::EvalScalar::kDouble);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const host::State state = states.state(i);
    const std::string where = states.where(i);
    CHECK_TEXT(state.vdot && (state.constraint_generalized_force || !forces),
               (where + ": has no answers").c_str());
    const host::Matrix6Xd reaction = engines[0](state.in).out.reaction;
    for (const host::ClosedEngine& engine : engines) {
      const host::ClosedAnswer answer = engine(state.in);
      CHECK_AT_MOST(bound, relative_error(answer.out.vdot, *state.vdot), (where + ": qdd").c_str());
      if (forces) {
        CHECK_AT_MOST(bound,
                      relative_error(answer.generalized, *state.constraint_generalized_force),
                      (where + ": constraint_generalized_force").c_str());
      }
      // rows that say the same twice share their force as it comes
      if (&engine == &engines[0] || &engine == &engines[1] || answer.redundant == 0) {
        CHECK_AT_MOST(bound, relative_error(answer.out.reaction, reaction),
                      (where + ": reaction").c_str());
      }
    }
  }
}

}  // namespace lockstep::test
