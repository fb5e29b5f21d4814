#include "model/inertias.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "lockstep/border.hpp"
#include "text/error.hpp"
#include "text/number.hpp"
#include "urdf/rules.hpp"

namespace lockstep::host {

namespace {

bool is_sound(const Body& body) {
  return check_body(to_body_data<double>(body, {})) == Status::kOk;
}

// Moments about the centre of mass, in the body's axes, and what the mass beside its origin adds.
struct Moments {
  std::array<double, 6> own, of_place;

  explicit Moments(const Body& body) {
    const double m = body.mass;
    const std::array<double, 3>& h = body.h;
    const std::array<double, 3> c =
        m == 0 ? std::array<double, 3>{} : std::array<double, 3>{h[0] / m, h[1] / m, h[2] / m};
    of_place = {h[1] * c[1] + h[2] * c[2], -h[0] * c[1], -h[0] * c[2],
                h[2] * c[2] + h[0] * c[0], -h[1] * c[2], h[0] * c[0] + h[1] * c[1]};
    for (std::size_t i = 0; i < 6; ++i) own[i] = body.inertia[i] - of_place[i];
  }
};

// Whether the body is what rounding and lost digits made of a sound one.
bool is_dusty(const Body& body) {
  constexpr double kDigits = 0.01;  // as the core's border
  const Eigen::Vector3d moments = principal_moments(Moments(body).own);
  const double largest = moments.cwiseAbs().maxCoeff();
  return body.mass >= 0 &&
         moments[0] >= -std::max(kDigits * moments[2], inertia_dust(body.mass, largest));
}

// No library's eigenvectors: every host must find the same bits.
void clear_negative(Body& body) {
  Moments moments(body);
  auto& own = moments.own;
  const auto clear = [&](auto... i) { ((own[i] = 0), ...); };
  if (own[0] < 0) clear(0u, 1u, 2u);
  if (own[3] < 0) clear(1u, 3u, 4u);
  if (own[5] < 0) clear(2u, 4u, 5u);
  if (body.mass < 0) {
    body.mass = 0;
    body.h = {};
    moments.of_place = {};
  }
  const auto write = [&] {
    for (std::size_t i = 0; i < 6; ++i) body.inertia[i] = own[i] + moments.of_place[i];
  };
  write();
  if (is_sound(body)) return;
  clear(1u, 2u, 4u);
  write();
}

}  // namespace

void settle_inertias(const std::string& file, bool accept, Tree& tree, Findings& findings) {
  std::vector<std::string> accepted;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    Body& body = tree.bodies[i];
    if (is_sound(body)) continue;
    const bool dusty = is_dusty(body), heavy = body.mass >= 0;
    if (dusty || accept) clear_negative(body);
    if (!is_sound(body)) {
      throw Error(file + ": link " + quote(tree.link_names[i]) +
                  (heavy ? ": a moment of inertia about its centre of mass is negative; check ixx "
                           "to izz of it and of the links that are fixed to it"
                         : ": its mass, with that of the links that are fixed to it, is negative; "
                           "correct the sign") +
                  ", or take it as zero with --accept unphysical");
    }
    if (!dusty) accepted.push_back(quote(tree.link_names[i]));
  }
  if (accepted.empty()) return;
  findings.warning(
      0, "unphysical",
      "negative masses and moments of inertia are taken as zero: " + listed(first_of(accepted)),
      "correct them and those of the links that are fixed to these");
}

}  // namespace lockstep::host
