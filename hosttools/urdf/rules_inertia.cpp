// A body's mass is not negative and its principal moments a <= b <= c obey c <= a + b, which holds
// for every distribution of mass. CAD exports and hand-written numbers break both; what is below
// zero by rounding alone is zero.
#include <Eigen/Eigenvalues>
#include <cmath>

#include "text/number.hpp"
#include "urdf/rules.hpp"

namespace lockstep::host {

namespace {

constexpr double kRounding = 1e-9;   // of the largest moment: the file's own digits
constexpr double kSlight = 0.01;     // of the largest moment: digits lost by an exporter
constexpr double kFarCom = 10;       // m
constexpr double kFarGyration = 10;  // m; kg mm^2 read as kg m^2 gives a thousand times the truth

void check_moments(const std::string& link, const DraftInertial& inertial, Severity severity,
                   Findings& findings) {
  const std::array<double, 6>& I = *inertial.inertia;
  const int line = inertial.inertia_line;
  constexpr std::pair<std::size_t, const char*> kDiagonal[] = {{0, "ixx"}, {3, "iyy"}, {5, "izz"}};
  const Eigen::Vector3d moments = principal_moments(I);
  const double largest = moments[2];
  const double dust =
      inertia_dust(std::fmax(inertial.mass.value_or(0), 0), moments.cwiseAbs().maxCoeff());
  bool negative = false;
  for (const auto& [i, name] : kDiagonal) {
    if (I[i] >= -dust) continue;
    negative = true;
    findings.add(severity, line, "negative-inertia", link + ": " + name + " is negative",
                 "a moment of inertia is positive; correct its sign");
  }
  if (negative) return;

  const auto show = [&](int i) {
    return brief(std::fabs(moments[i]) < kRounding * largest ? 0 : moments[i]);
  };
  const std::string list = show(0) + ", " + show(1) + ", " + show(2) + " kg m^2";
  const double excess = largest - moments[0] - moments[1];
  const bool is_point = largest <= dust;
  if (moments[0] < -dust) {
    findings.warning(line, "indefinite-inertia",
                     link + ": a principal moment is negative (" + list + ")",
                     "check ixy, ixz, iyz: signs, digits, and the point they refer to");
  } else if (!is_point && excess > kSlight * largest) {
    findings.warning(line, "triangle-inequality",
                     link + ": no body has the principal moments " + list,
                     "none may exceed the sum of the other two; export the inertia again");
  } else if (!is_point && excess > kRounding * largest) {
    findings.note(
        line, "triangle-inequality",
        link + ": the principal moments " + list + " break the triangle inequality slightly",
        "export the inertia with more digits");
  }

  if (!inertial.mass) return;
  const double mass = *inertial.mass;
  if (mass == 0 && !is_point) {
    findings.warning(line, "massless-inertia", link + ": inertia without mass",
                     "give the mass too");
  } else if (mass > 0 && is_point) {
    findings.note(line, "point-mass", link + ": mass without inertia",
                  "give the inertia if it matters");
  } else if (mass > 0 && largest > kFarGyration * kFarGyration * mass) {
    findings.warning(
        line, "inertia-units",
        link + ": the radius of gyration is " + brief(std::sqrt(largest / mass)) + " m",
        "is the inertia in kg m^2, not in g mm^2 or kg mm^2?");
  }
}

}  // namespace

Eigen::Vector3d principal_moments(const std::array<double, 6>& I) {
  Eigen::Matrix3d matrix;
  matrix << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix, Eigen::EigenvaluesOnly)
      .eigenvalues();
}

void check_inertial(const std::string& label, const DraftInertial& inertial, Severity negative,
                    Findings& findings) {
  if (inertial.mass && *inertial.mass < 0) {
    findings.add(negative, inertial.mass_line, "negative-mass", label + ": the mass is negative",
                 "give a positive mass in kg");
  }
  if (inertial.inertia) check_moments(label, inertial, negative, findings);
}

void check_inertias(const Draft& draft, Findings& findings) {
  for (const DraftLink& link : draft.links) {
    if (!link.inertial) continue;
    const DraftInertial& inertial = *link.inertial;
    const std::string label = "link " + quote(link.name);
    check_inertial(label, inertial, Severity::kWarning, findings);
    const Triple& c = inertial.origin.xyz;
    if (std::hypot(c[0], c[1], c[2]) > kFarCom) {
      findings.warning(inertial.origin.line, "far-origin",
                       label + ": the centre of mass is more than 10 m away from the link's origin",
                       "is it in metres, not millimetres?");
    }
  }
}

}  // namespace lockstep::host
