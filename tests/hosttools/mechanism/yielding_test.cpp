// Rows that yield, from a mechanism's file to the end of a run: against closed forms.
#include "yielding.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <iostream>
#include <sstream>

#include "hosttools/mechanism/texts.hpp"
#include "hosttools/sim/sim_run.hpp"
#include "inspect/mechanism_report.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/maximal/impulse_stepper.hpp"
#include "lockstep/maximal/lagrange_stepper.hpp"
#include "mechanism/content_hash.hpp"
#include "mechanism/summary.hpp"
#include "support/dense_mechanism.hpp"
#include "support/tolerance.hpp"
#include "system/json_file.hpp"
#include "text/number.hpp"

using namespace lockstep;
using namespace lockstep::test;
using host::write_number;
using maximal::ConstraintType;

namespace {

const std::string kYielding = LOCKSTEP_MODELS_DIR "/../tests/hosttools/mechanism/yielding.xml";

// A weight on the z axis below a strut of 0.5 m.
std::string hanging(const std::string& mass, const std::string& z, const std::string& attributes) {
  return "<mechanism name='weight'><body name='weight' type='particle'><mass value='" + mass +
         "'/><origin xyz='0 0 " + z +
         "'/></body><constraint name='strut' type='distance' length='0.5' " + attributes +
         "><a/><b body='weight'/></constraint></mechanism>";
}

// A wheel of 0.2 kg m^2 about the world's z.
std::string wheel(const std::string& speed, const std::string& dynamics) {
  return "<mechanism name='wheel'><gravity xyz='0 0 0'/><body name='wheel' type='rigid'>"
         "<mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.2'/><velocity angular='0 0 " +
         speed +
         "'/></body><constraint name='axle' type='revolute'><a/><b body='wheel'/><at/><dynamics " +
         dynamics + "/></constraint></mechanism>";
}

const maximal::ConstraintRecord& record_of(const host::Mechanism& m, const std::string& name) {
  const auto found = std::ranges::find(m.constraint_names, name);
  CHECK_TRUE_TEXT(found != m.constraint_names.end(), name.c_str());
  return m.constraints[static_cast<std::size_t>(found - m.constraint_names.begin())];
}

double last(const Columns& columns, const std::string& name) { return columns.at(name).back(); }

}  // namespace

TEST_GROUP(Yielding) {
  SimRun sim;

  Columns run(const std::string& text, std::vector<std::string> more) {
    more.insert(more.begin(), {sim.folder.write("m.xml", text), "--quiet"});
    return sim.record(more);
  }
};

TEST(Yielding, FilesSayHowRowsYield) {
  std::vector<host::Finding> warnings;
  const host::Mechanism m = host::read_mechanism(kYielding, {}, warnings);
  const auto check = [&](const char* name, ConstraintType type, double k, double d, double i) {
    const maximal::ConstraintRecord& own = record_of(m, name);
    LONGS_EQUAL_TEXT(static_cast<int>(type), own.type, name);
    DOUBLES_EQUAL(k, own.stiffness, 0);
    DOUBLES_EQUAL(d, own.damping, 0);
    DOUBLES_EQUAL(i, own.armature, 0);
  };
  check("hinge", ConstraintType::kRevolute, 0, 0, 0);
  check("hinge.passive", ConstraintType::kAngleTerm, 12, 0.05, 0.01);
  check("rail.passive", ConstraintType::kWayTerm, 40, 0.3, 0);
  check("prop", ConstraintType::kStrut, 300, 2, 0);
  check("bushing", ConstraintType::kBall, 500, 3, 0);
  check("clutch", ConstraintType::kGear, 0, 0.02, 0);
  check("rack", ConstraintType::kWayTerm, 25, 0.1, 0);
  CHECK_TRUE(m.bounds.empty());  // neither limits nor friction
  // hinge, rail and spindle hold; of 6 + 6 + 3 + 3 velocities
  const host::MechanismCounts counts = host::count(m);
  LONGS_EQUAL(18 - 5 - 2 - 2, counts.degrees_of_freedom);
  LONGS_EQUAL(1 + 1 + 1 + 3 + 1 + 1 + 1, counts.yielding);
  LONGS_EQUAL(9 + counts.yielding, counts.multipliers);
}

TEST(Yielding, TheHeaderHoldsEveryBit) {
  std::vector<host::Finding> warnings;
  const host::Mechanism m = host::read_mechanism(kYielding, {}, warnings);
  CHECK_TRUE(yielding::kHash == host::content_hash(m));
  CHECK_TRUE(std::ranges::equal(yielding::kConstraints, m.constraints));
  CHECK_TRUE(std::ranges::equal(yielding::kConstraintNames, m.constraint_names));
  for (double maximal::ConstraintRecord::*own :
       {&maximal::ConstraintRecord::stiffness, &maximal::ConstraintRecord::damping,
        &maximal::ConstraintRecord::armature}) {
    host::Mechanism other = m;
    other.constraints[0].*own += 1;
    CHECK(host::content_hash(other) != host::content_hash(m));
  }
}

TEST(Yielding, StaticAndTableHaveTheSameBits) {
  using Table = maximal::TableMechanism<float, 8, 16>;
  using Static = maximal::StaticMechanism<yielding, float>;
  const auto table = std::make_unique<Table>();
  CHECK_TRUE(Status::kOk == table->assign(yielding::kBodies, yielding::kConstraints));
  const auto run = [](auto& stepper, const auto& settings) {
    auto state = stepper.solver().make_state();
    for (int i = 0; i < state.x.size(); ++i) {
      state.x[i] = static_cast<float>(yielding::kInitialPoses[maximal::at(i)]);
    }
    for (int i = 0; i < state.v.size(); ++i) {
      state.v[i] = static_cast<float>(yielding::kInitialVelocities[maximal::at(i)]);
    }
    const auto loads = stepper.solver().make_loads();
    Hash hash;
    for (int i = 0; i < 50; ++i) {
      CHECK_TRUE(Status::kOk == stepper.step(state, loads, settings));
      hash.add_all(state.x);
      hash.add_all(state.v);
    }
    return hash.value();
  };
  const auto fixed = std::make_unique<maximal::LagrangeStepper<Static>>();
  const auto any = std::make_unique<maximal::LagrangeStepper<Table>>(*table);
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kRungeKutta4}) {
    StepSettings<float> settings;
    settings.dt = 1e-3F;
    settings.integrator = integrator;
    CHECK_TRUE(run(*fixed, settings) == run(*any, settings));
  }
  const auto impulses = std::make_unique<maximal::ImpulseStepper<Static>>();
  const auto any_impulses = std::make_unique<maximal::ImpulseStepper<Table>>(*table);
  const maximal::ImpulseSettings<float> settings = {.dt = 1e-3F, .tolerance = 1e-5F};
  CHECK_TRUE(run(*impulses, settings) == run(*any_impulses, settings));
}

// eval has springs and dampers as the forces of the moment: one dense matrix says the same.
TEST(Yielding, EvalSolvesTheDenseSystem) {
  std::vector<host::Finding> warnings;
  for (const std::string& file : {kYielding, model_file("quarter_car"), model_file("belt_drive")}) {
    const host::Mechanism m = host::read_mechanism(file, {}, warnings);
    sim.run(host::add_eval_command, "eval",
            {file, "--quiet", "--out", sim.folder.path("out.json")});
    const host::Json answer = host::read_json(sim.folder.path("out.json"), "answers")["states"][0];
    const auto [vdot, lambda] = solve_dense(m);
    const auto check = [](const host::Json& named, const Eigen::VectorXd& expected) {
      Eigen::Index i = 0;
      for (const auto& [name, values] : named.items()) {
        for (const auto& value : values.is_array() ? values : host::Json::array({values})) {
          DOUBLES_EQUAL_TEXT(expected[i], value.get<double>(), 1e-9 * (1 + expected.norm()),
                             name.c_str());
          ++i;
        }
      }
      LONGS_EQUAL(expected.size(), i);
    };
    check(answer["vdot"], vdot);
    check(answer["lambda"], lambda);
  }
}

// A spring beyond half a turn from the start on: of 5 rad, not of 5 less a turn.
TEST(Yielding, TheFirstAngleIsWithinHalfATurnOfZeroNotOfItsRest) {
  const std::string file =
      sim.folder.write("m.xml", wheel("0", "spring_stiffness='2' spring_reference='5'"));
  sim.run(host::add_eval_command, "eval", {file, "--quiet", "--out", sim.folder.path("out.json")});
  const host::Json answer = host::read_json(sim.folder.path("out.json"), "answers")["states"][0];
  DOUBLES_EQUAL(10, answer["lambda"]["axle.passive"].get<double>(), 1e-12);
  const Columns first = sim.record({file, "--quiet", "--duration", "0.001"});
  DOUBLES_EQUAL(10, last(first, "lambda.axle.passive"), 1e-3);
  DOUBLES_EQUAL(25, first.at("energy").front(), 1e-12);
}

// m z'' = -k (z + 0.5) - d z' - m g.
TEST(Yielding, AWeightSwingsOnAStrut) {
  const double m = 2, k = 50, d = 1.2, g = 9.81;
  const double delta = d / (2 * m), w = std::sqrt(k / m - delta * delta), sag = m * g / k;
  const std::string text = hanging("2", "-0.5", "stiffness='50' damping='1.2'");
  const Columns exact = run(text, {"--integrator", "rk4", "--duration", "3"});
  for (std::size_t i = 0; i < exact.at("time").size(); ++i) {
    const double t = exact.at("time")[i];
    const double swing =
        std::exp(-delta * t) * (std::cos(w * t) + delta / w * std::sin(w * t)) * sag;
    DOUBLES_EQUAL(-0.5 - sag + swing, exact.at("x.weight.z")[i], 1e-10);
  }
  // implicit Euler: (z, v)' by one matrix a step, for either stepper; energy is what is left
  const Columns euler = run(text, {"--integrator", "euler", "--duration", "3"});
  const double h = 1e-3;
  double z = -0.5, v = 0;
  for (std::size_t i = 1; i < euler.at("time").size(); ++i) {
    v = (m * (v - h * g) - h * k * (z + 0.5)) / (m + h * d + h * h * k);
    z += h * v;
    DOUBLES_EQUAL(z, euler.at("x.weight.z")[i], 1e-11);
    DOUBLES_EQUAL(0.5 * m * v * v + m * g * z + 0.5 * k * (z + 0.5) * (z + 0.5),
                  euler.at("energy")[i], 1e-10);
  }
  // implicit Euler takes exp(lambda h) for 1 / (1 - h lambda), and impulses come to the same
  using Complex = std::complex<double>;
  const Complex lambda = -std::log(1.0 - h * Complex(-delta, w)) / h;
  const Columns impulses = run(
      text, {"--stepper", "impulse", "--tolerance", "1e-12", "--duration", "3", "--every", "10"});
  for (std::size_t i = 0; i < impulses.at("time").size(); ++i) {
    const double t = impulses.at("time")[i];
    const double swing = std::real(Complex(1, -delta / w) * std::exp(lambda * t)) * sag;
    DOUBLES_EQUAL(-0.5 - sag + swing, euler.at("x.weight.z")[10 * i], 1e-10);
    // but for the g h / 2 by which a free fall's end is faster than its mean
    DOUBLES_EQUAL(-0.5 - sag + swing, impulses.at("x.weight.z")[i], 0.5 * g * h);
  }
}

// Energy is neither made nor, by Runge-Kutta, lost; springs' is potential and rotors' kinetic.
TEST(Yielding, SpringsKeepTheirEnergy) {
  const Columns free =
      run(hanging("2", "-0.4", "stiffness='50'"), {"--integrator", "rk4", "--duration", "5"});
  for (const double energy : free.at("energy")) {
    DOUBLES_EQUAL(2 * 9.81 * -0.4 + 0.5 * 50 * 0.01, energy, 1e-9);
  }
  const Columns turning = run(wheel("30", "spring_stiffness='40' armature='0.3'"),
                              {"--integrator", "rk4", "--duration", "5"});
  for (const double energy : turning.at("energy")) DOUBLES_EQUAL(225, energy, 1e-4);
  const std::string summary =
      sim({sim.folder.write("m.xml", hanging("2", "-0.4", "stiffness='50'")), "--quiet",
           "--integrator", "rk4"});
  STRCMP_CONTAINS("all of it the integrator's error", summary.c_str());
  STRCMP_CONTAINS("no energy gained", summary.c_str());
  const std::string damped =
      sim({sim.folder.write("m.xml", hanging("2", "-0.4", "damping='5'")), "--quiet"});
  CHECK(damped.find("integrator's error") == std::string::npos);
  STRCMP_CONTAINS("no energy gained", damped.c_str());
}

// A million times what an explicit step bears: stretched at the start, its energy never grows;
// aside it swings as on a rod. Euler's step leaves the circle by (h v)^2 / 2 L, which so stiff a
// spring turns into energy that comes and goes.
TEST(Yielding, NoStiffnessMakesEnergy) {
  const std::string k = write_number(4e6 * 0.1 / 1e-6), d = write_number(2e6 * 0.1 / 1e-3);
  const auto gain = [](const Columns& columns) {
    double lowest = columns.at("energy").front(), most = 0;
    for (const double energy : columns.at("energy")) {
      most = std::max(most, energy - lowest);
      lowest = std::min(lowest, energy);
    }
    return most;
  };
  const std::vector<std::string> euler = {"--integrator", "euler"},
                                 impulse = {"--stepper", "impulse", "--tolerance", "1e-10"};
  for (std::vector<std::string> how : {euler, impulse}) {
    how.insert(how.end(), {"--duration", "3", "--dt", "0.001"});
    const bool by_euler = how[1] == "euler";
    const auto aside = [&](const std::string& softness) {
      std::string text = hanging("0.1", "-0.4", softness);
      return gain(run(text.replace(text.find("xyz='0 0"), 8, "xyz='0.3 0"), how));
    };
    const double rod = aside("");
    for (const std::string& softness : {"stiffness='" + k + "'", "damping='" + d + "'",
                                        "stiffness='" + k + "' damping='" + d + "'"}) {
      // at rest by impulses it has the velocity -g h / 2
      const double still = 0.5 * 0.1 * std::pow(0.5 * 9.81 * 1e-3, 2);
      CHECK_AT_MOST(1e-6 + (by_euler ? 0 : still),
                    gain(run(hanging("0.1", "-0.4999", softness), how)), softness.c_str());
      // v^2 / 2 L is at most 2 * 9.81 * 0.1; a damper alone lets go of that for good, beside a
      // spring it keeps d / (h k) = 1 / 2 of it
      const bool springs = softness[0] == 's', both = softness.find(' ') != std::string::npos;
      const double off = (by_euler ? 1e-6 * 2 * 9.81 * 0.1 : 0) * (both ? 1.5 : 1);
      const double held = springs ? 1.01 * 0.5 * 4e11 * off * off : 0.1 * 9.81 * 3000 * off;
      CHECK_AT_MOST(1.1 * rod + 1e-5 + held, aside(softness), (softness + how[1]).c_str());
    }
  }
}

TEST(Yielding, RungeKuttaWarnsOfWhatItDoesNotBear) {
  const auto warning = [&](const std::string& attributes, const std::string& integrator) {
    std::ostringstream text;
    std::streambuf* const own = std::cerr.rdbuf(text.rdbuf());
    try {
      sim({sim.folder.write("m.xml", hanging("2", "-0.5", attributes)), "--integrator", integrator,
           "--duration", "0.01"});
    } catch (const host::Error&) {
    }
    std::cerr.rdbuf(own);
    return text.str();
  };
  STRCMP_CONTAINS(
      "warning: constraint 'strut' has a spring of 1.7e+07 N/m, beyond 8 I / dt^2 = 1.6e+07 with I "
      "= "
      "2 kg; give a --dt below 0.00097 or --integrator euler",
      warning("stiffness='1.7e7'", "rk4").c_str());
  STRCMP_CONTAINS("constraint 'strut' has damping 6e+03 N s/m, beyond 2.785 I / dt = 5.57e+03",
                  warning("damping='6000'", "rk4").c_str());
  CHECK(warning("stiffness='1.5e7' damping='5500'", "rk4").find("warning") == std::string::npos);
  CHECK(warning("stiffness='1.7e7'", "euler").find("warning") == std::string::npos);
}

TEST(Yielding, MethodsWithoutSuchRowsRefuseThem) {
  for (const char* method : {"parts", "iterative"}) {
    STRCMP_CONTAINS(("m.xml: constraint 'axle.passive': has stiffness, damping or an armature, and "
                     "with --method " +
                     std::string(method) + " rows do not yield")
                        .c_str(),
                    sim.complaint({sim.folder.write("m.xml", wheel("1", "armature='1'")),
                                   "--stepper", "impulse", "--method", method})
                        .c_str());
  }
  const auto end = [&](const char* stepper, const char* method) {
    return last(sim.record({kYielding, "--quiet", "--integrator", "euler", "--tolerance", "1e-10",
                            "--stepper", stepper, "--method", method, "--duration", "0.3"}),
                "x.flap.z");
  };
  for (const char* stepper : {"lagrange", "impulse"}) {
    DOUBLES_EQUAL(end(stepper, "linear"), end(stepper, "dense"), 1e-7);
  }
}

// Wound by more than a turn and back: q = 10 sin(3 t) rad. A run that is taken up again knows the
// turns.
TEST(Yielding, SpringsCountTurns) {
  const std::string file = sim.folder.write("m.xml", wheel("30", "spring_stiffness='1.8'"));
  const Columns whole =
      sim.record({file, "--quiet", "--integrator", "rk4", "--duration", "1.4", "--dt", "0.0005"});
  for (std::size_t i = 0; i < whole.at("time").size(); ++i) {
    const double t = whole.at("time")[i];
    DOUBLES_EQUAL(30 * std::cos(3 * t), whole.at("v.wheel.wz")[i], 1e-6);
  }
  const auto hash = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {file, "--quiet", "--integrator", "euler"});
    const std::string summary = sim(more);
    return summary.substr(summary.find("0x"), 18);
  };
  const std::string state = sim.folder.path("half.json");
  const std::string all = hash({"--duration", "1"});
  CHECK(hash({"--duration", "0.5", "--save", state}) != all);
  STRCMP_EQUAL(all.c_str(), hash({"--duration", "0.5", "--restore", state}).c_str());
}

// The road's motion through the tyre and the strut, by the transfer function of both.
TEST(Yielding, AQuarterCarFollowsTheRoad) {
  using Complex = std::complex<double>;
  const double kt = 2e5, ks = 2e4, c = 1500, mw = 40, mb = 300, w = 10, a = 0.01;
  const Complex Z(ks, w * c);
  const Complex X = kt * Z / ((kt + Z - mw * w * w) * (Z - mb * w * w) - Z * Z);
  const Columns car =
      sim.record({model_file("quarter_car"), "--quiet", "--integrator", "rk4", "--duration", "8"});
  const double level = 0.3 + 0.5 - 340 * 9.81 / kt - mb * 9.81 / ks;
  double most = 0;
  for (std::size_t i = 7000; i < 8000; ++i) {
    const double t = car.at("time")[i];
    const double expected = std::imag(a * X * std::polar(1.0, w * t));
    DOUBLES_EQUAL(level + expected, car.at("x.body.z")[i], 2e-6);
    most = std::max(most, std::abs(expected));
  }
  CHECK(most > 0.008);
  const std::string summary = sim({model_file("quarter_car"), "--quiet", "--integrator", "rk4"});
  CHECK(summary.find("UNSTABLE") == std::string::npos);
  STRCMP_CONTAINS("motors and forces did", summary.c_str());
}

TEST(Yielding, ABeltStretches) {
  const double delta = 0.7, w = std::sqrt(35000 - delta * delta);
  const Columns belt = sim.record({model_file("belt_drive"), "--quiet", "--integrator", "rk4",
                                   "--duration", "0.5", "--dt", "0.0001", "--every", "10"});
  for (std::size_t i = 0; i < belt.at("time").size(); ++i) {
    const double t = belt.at("time")[i];
    DOUBLES_EQUAL(3 / w * std::exp(-delta * t) * std::sin(w * t),
                  belt.at("x.motor.angle")[i] - 2 * belt.at("x.pulley.angle")[i], 1e-7);
    DOUBLES_EQUAL(0.006, 0.002 * belt.at("v.motor.angle")[i] + 0.01 * belt.at("v.pulley.angle")[i],
                  1e-10);
  }
}

TEST(Yielding, InspectTellsHowRowsYield) {
  const std::string text = host::to_text(model("belt_drive"));
  STRCMP_CONTAINS("'motor_bearing.passive'", text.c_str());
  STRCMP_CONTAINS("yields with stiffness 0, damping 0, armature 0.0015", text.c_str());
  STRCMP_CONTAINS("yields with stiffness 50, damping 0.002\n", text.c_str());
  STRCMP_CONTAINS("  2  of them of rows that yield\n", text.c_str());
  const host::Json json = host::to_json(model("quarter_car"));
  const host::Json& strut = json["constraints"][4];
  STRCMP_EQUAL("distance", strut["type"].get<std::string>().c_str());
  DOUBLES_EQUAL(20000, strut["stiffness"].get<double>(), 0);
  DOUBLES_EQUAL(1500, strut["damping"].get<double>(), 0);
  CHECK(!json["constraints"][0].contains("stiffness"));
}
