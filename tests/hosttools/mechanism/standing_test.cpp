// Mechanisms in which a body alone cannot follow a constraint, so that the usual order of
// elimination has no pivot there: along the tree they move as one dense matrix makes them.
#include "mechanism/standing.hpp"

#include <cmath>

#include "corner.hpp"
#include "hosttools/mechanism/texts.hpp"
#include "hosttools/sim/sim_run.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/maximal/lagrange_stepper.hpp"
#include "support/dense_mechanism.hpp"
#include "support/tolerance.hpp"
#include "system/json_file.hpp"
#include "text/number.hpp"

using namespace lockstep;
using namespace lockstep::test;
using constraint::Standing;
using host::write_number;

namespace {

const std::string kCorner = LOCKSTEP_MODELS_DIR "/../tests/hosttools/mechanism/corner.xml";

std::string particle(const std::string& name, double mass, const std::string& at,
                     const std::string& v) {
  return "<body name='" + name + "' type='particle'><mass value='" + write_number(mass) +
         "'/><origin xyz='" + at + "'/><velocity linear='" + v + "'/></body>\n";
}
std::string planar(const std::string& name, const std::string& at, const std::string& v) {
  return "<body name='" + name + "' type='planar'><mass value='2'/><inertia izz='0.03'/>" +
         "<origin xyz='" + at + "'/><velocity linear='" + v + "' angular='0 0 0.5'/></body>\n";
}
std::string tie(const std::string& name, const std::string& type, const std::string& a,
                const std::string& b, const std::string& axis = "0 0 1") {
  const std::string turned = type == "distance" ? "" : "<axis xyz='" + axis + "'/>";
  return "<constraint name='" + name + "' type='" + type + "'><a" +
         (a.empty() ? "" : " body='" + a + "'") + "/><b body='" + b + "'/>" + turned +
         "</constraint>\n";
}

// A weight straight below a plate, which swings.
std::string hung_plate(double tilt = 0) {
  return "<mechanism name='hung_plate'>" +
         particle("weight", 0.7, write_number(0.1 + 0.4 * tilt) + " 0.2 -0.4", "0 0.5 0") +
         planar("plate", "0.1 0.2 0", "0 -0.1 0") + tie("rod", "distance", "weight", "plate") +
         "</mechanism>";
}

// A piston over a table, and a bead that passes under it: there the rod is along the normal.
std::string dead_centre(double x) {
  const double height = std::sqrt(0.36 - x * x);
  return "<mechanism name='dead_centre'>" +
         particle("piston", 0.4, "0 0 " + write_number(height),
                  "0 0 " + write_number(-x / height)) +
         particle("bead", 1.3, write_number(x) + " 0 0", "1 0 0") +
         tie("bore", "point_on_line", "", "piston") + tie("table", "point_on_plane", "", "bead") +
         tie("rod", "distance", "piston", "bead") + "</mechanism>";
}

// The rows of rail and rod are the same to the cart, but not to the weight.
std::string cart() {
  return "<mechanism name='cart'><gravity xyz='0 -9.81 0'/>" +
         particle("weight", 1, "0.3 -0.6 0", "0.5 0 0") + planar("cart", "0.3 0 0", "0.4 0 0") +
         tie("sheet", "point_on_plane", "", "weight") + tie("rod", "distance", "weight", "cart") +
         tie("rail", "point_on_plane", "", "cart", "0 1 0") + "</mechanism>";
}

// An arm on a hinge stands on a plate that its joint keeps level: two rigid bodies.
std::string arm_on_plate() {
  const auto rigid = [](const std::string& name, const std::string& at, const std::string& v) {
    return "<body name='" + name + "' type='rigid'><mass value='1.5'/><inertia ixx='0.02' " +
           "iyy='0.03' izz='0.04'/><origin xyz='" + at + "'/><velocity linear='" + v + "'/></body>";
  };
  return "<mechanism name='arm_on_plate'>" + rigid("arm", "0.5 0 1", "0 0 0") +
         rigid("plate", "1 0 0.2", "0.3 0.2 0") +
         "<constraint name='hinge' type='revolute'><a/><b body='arm'/><at xyz='0 0 1'/>"
         "<axis xyz='0 1 0'/></constraint>"
         "<constraint name='rod' type='distance'><a body='arm'><origin xyz='0.5 0 0'/></a>"
         "<b body='plate'><origin xyz='0 0 0.1'/></b></constraint>"
         "<constraint name='level' type='planar'><a/><b body='plate'/><at xyz='1 0 0.2'/>"
         "</constraint></mechanism>";
}

std::string text_of(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Standing standing_of(const host::Mechanism& mechanism, const std::string& name) {
  const auto& names = mechanism.constraint_names;
  return mechanism
      .constraints[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())]
      .standing;
}

host::Mechanism read(const std::string& text) {
  return host::examine_mechanism_text(text, {}).mechanism;
}

}  // namespace

TEST_GROUP(Standing) {
  SimRun sim;

  std::vector<std::string> arguments(const std::string& text, const std::string& stepper) {
    return {sim.folder.write("m.xml", text),
            "--quiet",
            "--stepper",
            stepper,
            "--duration",
            "0.2",
            "--every",
            "20"};
  }
  void check_as_dense(const std::string& text, double tolerance = 1e-8,
                      const std::string& scalar = "double") {
    for (const char* stepper : {"lagrange", "impulse"}) {
      std::vector<std::string> how = arguments(text, stepper);
      how.insert(how.end(), {"--scalar", scalar});
      const Columns linear = sim.record(how);
      how.insert(how.end(), {"--method", "dense"});
      for (const auto& [name, values] : sim.record(how)) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          const double apart = std::abs(values[i] - linear.at(name)[i]);
          CHECK_AT_MOST(tolerance * (1 + std::abs(values[i])), apart, name.c_str());
        }
      }
    }
  }
};

TEST(Standing, MovesAsTheDenseMethodMakesIt) {
  check_as_dense(hung_plate());
  check_as_dense(dead_centre(0));
  check_as_dense(cart());
  check_as_dense(arm_on_plate());
  check_as_dense(text_of(kCorner));
}

TEST(Standing, TheRodIsTheRootAndNothingIsAuxiliary) {
  for (const std::string& text : {hung_plate(), dead_centre(0), cart(), arm_on_plate()}) {
    const auto found = host::examine_mechanism_text(text, {});
    LONGS_EQUAL(1, found.findings.size());
    STRCMP_CONTAINS("constraint 'rod': one of its bodies alone cannot follow it",
                    host::format_labelled("m.xml", found.findings[0]).c_str());
    CHECK_TRUE(Standing::kRoot == standing_of(found.mechanism, "rod"));
  }
  CHECK_TRUE(Standing::kRoot == corner::kConstraints[4].standing);
  LONGS_EQUAL(1, std::ranges::count(corner::kConstraints, Standing::kAuxiliary,
                                    &maximal::ConstraintRecord::standing));
}

// Nearly singular is as bad; half a degree is not.
TEST(Standing, OrdersThatHaveTheirPivotsStay) {
  CHECK_TRUE(Standing::kRoot == standing_of(read(hung_plate(1e-7)), "rod"));
  CHECK_TRUE(Standing::kRoot == standing_of(read(hung_plate(1e-3)), "rod"));
  CHECK_TRUE(Standing::kOrdered == standing_of(read(hung_plate(0.1)), "rod"));
  for (const char* name : {"differential", "particle_chain", "planar_crank", "rod_pendulum"}) {
    host::Mechanism mechanism = model(name);
    LONGS_EQUAL(0, host::choose_standings(mechanism).size());
  }
}

TEST(Standing, IsWhatTheFileSays) {
  std::string text = dead_centre(-0.1);
  const std::string given = "name='rod' ";
  text.insert(text.find(given) + given.size(), "standing='root' ");
  const auto found = host::examine_mechanism_text(text, {});
  LONGS_EQUAL(0, found.findings.size());
  CHECK_TRUE(Standing::kRoot == standing_of(found.mechanism, "rod"));
  STRCMP_CONTAINS("there are poses where one of its bodies alone cannot follow it",
                  host::format_labelled(
                      "m.xml", host::examine_mechanism_text(dead_centre(-0.1), {}).findings.at(0))
                      .c_str());
  text.replace(text.find("'root'"), 6, "'last'");
  STRCMP_CONTAINS(
      "give root or auxiliary",
      host::format_labelled("m.xml", host::examine_mechanism_text(text, {}).findings.at(0))
          .c_str());
}

// It gets there on the way, and back: every step is as the dense one.
TEST(Standing, ADeadCentreIsPassed) {
  check_as_dense(dead_centre(-0.1));
  check_as_dense(dead_centre(-0.1), 5e-3, "float");  // in the usual order 9e-2
  const std::string summary = sim(arguments(dead_centre(-0.1), "lagrange"));
  STRCMP_CONTAINS("\norder ", summary.c_str());
  STRCMP_CONTAINS("another order of elimination", summary.c_str());
}

// The piston turns back at -v^2 / l.
TEST(Standing, AStateAtADeadCentreIsAnswered) {
  const std::string states =
      sim.folder.write("s.json", R"({"states": [{"x": {"piston": [0, 0, 0.6], "bead": [0, 0, 0]},
                                "v": {"piston": [0, 0, 0], "bead": [1.5, 0, 0]}}]})");
  for (const char* scalar : {"double", "float"}) {
    run_command(host::add_eval_command,
                {"eval", sim.folder.write("m.xml", dead_centre(-0.1)), "--quiet", "--states",
                 states, "--scalar", scalar, "--out", sim.folder.path("out.json")});
    const host::Json answers = host::read_json(sim.folder.path("out.json"), "answers");
    const auto& vdot = answers["states"][0]["vdot"];
    DOUBLES_EQUAL(-2.25 / 0.6, vdot["piston"][2].get<double>(), 1e-5);
    DOUBLES_EQUAL(0, vdot["bead"][2].get<double>(), 1e-5);
  }
}

// A saved state goes on with the same bits, before, at and behind the dead centre.
TEST(Standing, ARunInPartsHasTheSameBits) {
  const auto run = [&](double duration, const std::vector<std::string>& more) {
    std::vector<std::string> how = {sim.folder.write("m.xml", dead_centre(-0.1)), "--quiet",
                                    "--duration", write_number(duration)};
    how.insert(how.end(), more.begin(), more.end());
    return sim.last_state(how);
  };
  const std::string whole = run(0.2, {});
  for (const double first : {0.05, 0.1, 0.15}) {
    sim.folder.write("first.json", run(first, {}));
    CHECK_TRUE(whole == run(0.2 - first, {"--restore", sim.folder.path("first.json")}));
  }
}

// What is emitted has the bits of a table, and its first answer is that of the whole equation.
TEST(Standing, AStaticMechanismHasThem) {
  using Table = maximal::TableMechanism<double, 8, 8>;
  const auto run = [](auto& stepper) {
    auto state = stepper.solver().make_state();
    std::ranges::copy(corner::kInitialPoses, state.x.begin());
    std::ranges::copy(corner::kInitialVelocities, state.v.begin());
    // without Baumgarte's terms
    auto solution = stepper.solver().make_solution();
    const auto loads = stepper.solver().make_loads();
    CHECK_TRUE(Status::kOk == stepper.solver().factor(state));
    CHECK_TRUE(Status::kOk == stepper.solver().accelerations(state, loads, solution));
    const DenseMechanism dense = solve_dense(read(text_of(kCorner)));
    CHECK_AT_MOST(1e-12, (solution.lambda - dense.lambda).norm(), "lambda");
    CHECK_AT_MOST(1e-12, (solution.v - dense.vdot).norm(), "vdot");
    StepSettings<double> settings;
    settings.dt = 1e-3;
    Hash hash;
    for (int i = 0; i < 50; ++i) {
      CHECK_TRUE(Status::kOk == stepper.step(state, loads, settings));
      hash.add_all(state.x);
    }
    return hash.value();
  };
  const auto of_static =
      std::make_unique<maximal::LagrangeStepper<maximal::StaticMechanism<corner, double>>>();
  const auto table = std::make_unique<Table>();
  CHECK_TRUE(Status::kOk == table->assign(corner::kBodies, corner::kConstraints));
  const auto of_table = std::make_unique<maximal::LagrangeStepper<Table>>(*table);
  CHECK_TRUE(run(*of_static) == run(*of_table));

  // without its standing a constraint is told
  auto constraints = corner::kConstraints;
  for (auto& record : constraints) record.standing = Standing::kOrdered;
  CHECK_TRUE(Status::kOk == table->assign(corner::kBodies, constraints));
  maximal::LagrangeStepper<Table> without(*table);
  auto state = without.solver().make_state();
  std::ranges::copy(corner::kInitialPoses, state.x.begin());
  StepSettings<double> settings;
  settings.dt = 1e-3;
  CHECK_TRUE(Status::kSingular == without.step(state, without.solver().make_loads(), settings));
  LONGS_EQUAL(4, without.solver().singular_constraint());
}
