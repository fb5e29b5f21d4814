// Which rows depend on others, and how much has to be looked at for that.
#include "mechanism/state.hpp"

#include <Eigen/LU>
#include <random>

#include "hosttools/mechanism/texts.hpp"

using namespace lockstep::host;

namespace {

std::string joint(const std::string& name, int a, int b, double x) {
  return "<constraint name='" + name + "' type='ball'><a" +
         (a < 0 ? "" : " body='b" + std::to_string(a) + "'") + "/><b body='b" + std::to_string(b) +
         "'/><at xyz='" + std::to_string(x) + " 0.1 0'/></constraint>";
}

// Bodies in a row, a metre apart and askew, each on the one before by a ball joint.
std::string chain(int bodies, const std::string& more = "") {
  std::string text = "<mechanism name='chain'>";
  for (int i = 0; i < bodies; ++i) {
    text += "<body name='b" + std::to_string(i) +
            "' type='rigid'><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/><origin xyz='" +
            std::to_string(i) + " 0 0' rpy='0.1 " + std::to_string(0.01 * i) + " 0'/></body>";
    text += joint("c" + std::to_string(i), i - 1, i, i - 0.5);
  }
  return text + more + "</mechanism>";
}

struct Rows {
  explicit Rows(const Mechanism& mechanism) : offsets(mechanism) {
    std::vector<ConstraintState> states;
    for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
      states.push_back(evaluate(mechanism, offsets, i));
    }
    J = jacobian(mechanism, states);
  }
  Offsets offsets;
  Eigen::SparseMatrix<double> J;
};

}  // namespace

TEST_GROUP(MechanismState){};

TEST(MechanismState, OfATreeNothingIsLeftToLookAt) {
  const Rows rows(lockstep::test::mechanism_of(chain(700)));
  LONGS_EQUAL(2100, rows.J.rows());
  CHECK_TRUE(entangled_rows(rows.offsets, rows.J).empty());
}

TEST(MechanismState, WhatIsHeldTwiceIsFoundInALongChain) {
  const auto findings =
      examine_mechanism_text(chain(700, joint("again", -1, 0, -0.5)), {}).findings;
  std::string dependent;
  for (const Finding& finding : findings) {
    CHECK_TRUE(finding.rule != "not-examined");
    if (finding.rule == "dependent-rows") dependent += finding.message;
  }
  STRCMP_CONTAINS("'again'", dependent.c_str());
}

// A dense decomposition of all rows knows their rank too.
TEST(MechanismState, DependentRowsAreWhatTheRankLacks) {
  std::mt19937 generator(5);
  for (int trial = 0; trial < 20; ++trial) {
    std::string more;
    for (int i = 0; i < 6; ++i) {
      const int a = static_cast<int>(generator() % 11);
      const int b = a + 1 + static_cast<int>(generator() % static_cast<unsigned>(11 - a));
      more += joint("m" + std::to_string(i), a, b, 0.25 * static_cast<double>(generator() % 40));
    }
    const Rows rows(examine_mechanism_text(chain(12, more), {}).mechanism);
    Eigen::FullPivLU<Eigen::MatrixXd> dense(rows.J.toDense());
    dense.setThreshold(1e-9);
    const auto dependent = dependent_rows(rows.offsets, rows.J);
    LONGS_EQUAL(rows.J.rows() - dense.rank(), dependent.size());
  }
}
