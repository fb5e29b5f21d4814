#include "model/merge.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "lockstep/mass_matrix.hpp"
#include "text/finding.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host {

namespace {

// How round a rotor must be, beside its own size.
constexpr double kRound = 1e-9;
// What rounding leaves of a zero when frames are multiplied.
constexpr double kTurnRounding = 1e-15;

// About the joint's axis, which is z.
bool is_round(const Body& body) {
  const auto& [xx, xy, xz, yy, yz, zz] = body.inertia;
  const double size = kRound * std::max({xx, yy, zz});
  const double arm = kRound * std::sqrt(std::max({xx, yy, zz}) * body.mass);
  const auto within = [](double bound, auto... values) {
    return ((std::abs(values) <= bound) && ...);
  };
  return within(size, xx - yy, xy, xz, yz) && within(arm, body.h[0], body.h[1]);
}

// Why a body's joint cannot follow another, whatever that is. Empty if it can.
std::string why_no_follower(const Tree& tree, int body) {
  if (std::ranges::count(tree.bodies, body, &Body::parent)) return "carries other links";
  if (tree.bodies[at(body)].armature != 0) return "has an armature itself";
  if (tree.bodies[at(body)].stiffness != 0) return "has a spring itself";
  if (std::ranges::count(tree.terms, body, &CouplingTerm::body) > 1) {
    return "is in several couplings";
  }
  return "";
}

// Whether a body that can follow need not be a body.
bool is_rotor(const Tree& tree, int rotor) {
  const auto is_end = [&](const maximal::ConstraintRecord& loop) {
    return loop.a == rotor || loop.b == rotor;
  };
  const Body& body = tree.bodies[at(rotor)];
  return body.joint == JointType::kRevolute && is_round(body) &&
         std::ranges::none_of(tree.loops, is_end) &&
         !std::ranges::count(tree.colliders, rotor, &contact::ColliderRecord::body);
}

void lump(const Body& rotor, Body& parent) {
  const auto rigid = [](const Body& body) {
    const auto& I = body.inertia;
    return RigidBody<double>{body.mass, to_vec(body.h), {I[0], I[1], I[2], I[3], I[4], I[5]}};
  };
  const RigidBody<double> sum =
      rigid(parent) + rigid_body_to_parent(to_placement(rotor.R_PJ, rotor.p_PJ), rigid(rotor));
  const auto& I = sum.inertia;
  parent.mass = sum.mass;
  parent.h = to_array(sum.h);
  parent.inertia = {I.xx + 0.0, I.xy + 0.0, I.xz + 0.0, I.yy + 0.0, I.yz + 0.0, I.zz + 0.0};
}

void gear(const Body& rotor, const Rotor& by, Body& joint) {
  const double I = rotor.inertia[5], ratio = by.ratio;
  joint.armature += ratio * ratio * I;
  joint.damping += ratio * ratio * rotor.damping;
  joint.friction += std::abs(ratio) * rotor.friction;
  // the rotor's limits of place and speed are the joint's too; its motor is not the joint's
  const double lower = (rotor.limits.lower - by.offset) / ratio;
  const double upper = (rotor.limits.upper - by.offset) / ratio;
  joint.limits.lower = std::max(joint.limits.lower, std::min(lower, upper));
  joint.limits.upper = std::min(joint.limits.upper, std::max(lower, upper));
  joint.limits.velocity = std::min(joint.limits.velocity, rotor.limits.velocity / std::abs(ratio));
  if (joint.parent == kWorld) return;  // which does not turn
  const Vec3<double> axis =
      transpose_times(Mat3<double>::from_rows(joint.R_PJ), Mat3<double>::from_rows(rotor.R_PJ).z);
  const auto add = [&](double component, double& to) {
    if (std::abs(component) > kTurnRounding) to += ratio * I * component;
  };
  add(axis.x, joint.spin[0]), add(axis.y, joint.spin[1]), add(axis.z, joint.spin[2]);
}

void tie(const Rotor& to, Body& follower, Body& leader) {
  follower.tie = {to.body, to.ratio};
  leader.leads = true;
  leader.followed += to.ratio * to.ratio *
                     (follower.joint == JointType::kRevolute ? follower.inertia[5] : follower.mass);
}

// Takes bodies out, and lets followers stand after their leaders.
class Rearrangement {
 public:
  Rearrangement(const std::vector<Body>& bodies, const std::vector<bool>& removed)
      : number_(bodies.size(), kNone) {
    const auto put = [&](int body) {
      number_[at(body)] = static_cast<int>(order_.size());
      order_.push_back(at(body));
    };
    for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
      if (removed[at(i)] || bodies[at(i)].tie.leader > i) continue;
      put(i);
      for (int k = 0; bodies[at(i)].leads && k < i; ++k) {
        if (bodies[at(k)].tie.leader == i) put(k);
      }
    }
  }
  bool has_removed(int body) const { return body != kWorld && number_[at(body)] == kNone; }
  int operator()(int body) const { return body == kWorld ? kWorld : number_[at(body)]; }

  template <class T>
  void arrange(std::vector<T>& of_bodies) const {
    std::vector<T> arranged;
    for (const std::size_t body : order_) arranged.push_back(std::move(of_bodies[body]));
    of_bodies = std::move(arranged);
  }

 private:
  std::vector<int> number_;
  std::vector<std::size_t> order_;
};

void rearrange(const Rearrangement& renumber, const std::vector<bool>& merged, Tree& tree) {
  renumber.arrange(tree.bodies);
  renumber.arrange(tree.link_names), renumber.arrange(tree.joint_names);
  for (Body& body : tree.bodies) {
    body.parent = renumber(body.parent);
    body.tie.leader = renumber(body.tie.leader);
    if (body.mimic.body == kNone) continue;
    body.mimic = renumber.has_removed(body.mimic.body) ? Mimic{} : body.mimic;
    body.mimic.body = renumber(body.mimic.body);
  }
  std::size_t i = 0;
  std::erase_if(tree.frame_names,
                [&](const std::string&) { return renumber.has_removed(tree.frames[i++].body); });
  std::erase_if(tree.frames,
                [&](const NamedFrame& frame) { return renumber.has_removed(frame.body); });
  for (NamedFrame& frame : tree.frames) frame.body = renumber(frame.body);
  for (maximal::ConstraintRecord& loop : tree.loops) {
    loop.a = renumber(loop.a), loop.b = renumber(loop.b);
  }
  for (contact::ColliderRecord& collider : tree.colliders) collider.body = renumber(collider.body);
  std::erase_if(tree.dependent, [&](int body) { return renumber.has_removed(body); });
  for (int& body : tree.dependent) body = renumber(body);
  std::ranges::sort(tree.dependent);

  const std::vector<Coupling> couplings = std::move(tree.couplings);
  const std::vector<CouplingTerm> terms = std::move(tree.terms);
  std::vector<std::string> names = std::move(tree.coupling_names);
  tree.couplings.clear(), tree.terms.clear(), tree.coupling_names.clear();
  for (std::size_t k = 0; k < couplings.size(); ++k) {
    if (merged[k]) continue;
    Coupling coupling = couplings[k];
    coupling.first = static_cast<int>(tree.terms.size());
    for (int t = couplings[k].first; t < couplings[k].first + coupling.count; ++t) {
      tree.terms.push_back({renumber(terms[at(t)].body), terms[at(t)].coefficient});
    }
    tree.couplings.push_back(coupling);
    tree.coupling_names.push_back(std::move(names[k]));
  }
}

}  // namespace

CouplingVerdict judge_coupling(const Tree& tree, std::size_t index) {
  const Coupling& coupling = tree.couplings[index];
  const auto terms = terms_of(tree, coupling);
  const auto row = [](const std::string& why) { return CouplingVerdict{.why = why}; };
  if (yields(coupling)) return row("yields");
  if (terms.size() != 2) return row("ties more than two joints");
  const auto parent = [&](const CouplingTerm& term) { return tree.bodies[at(term.body)].parent; };
  if (parent(terms[0]) != parent(terms[1])) return row("its joints are on two bodies");
  if (terms[0].coefficient == 0 || terms[1].coefficient == 0) return row("holds one joint still");
  // where both could follow: a rotor, the joint that users do not want, then the faster one
  const auto rank = [&](const CouplingTerm& term) {
    const bool dependent = std::ranges::binary_search(tree.dependent, term.body);
    return std::tuple(!is_rotor(tree, term.body), !dependent, std::abs(term.coefficient));
  };
  const bool swap = rank(terms[0]) < rank(terms[1]);
  const CouplingTerm &first = terms[swap ? 0 : 1], &second = terms[swap ? 1 : 0];
  std::string why;
  for (const auto& [follower, leader] : {std::pair(first, second), std::pair(second, first)}) {
    const std::string reason = why_no_follower(tree, follower.body);
    const bool rotor = is_rotor(tree, follower.body);
    if (reason.empty()) {
      return {.kind = rotor ? CouplingVerdict::kRotor : CouplingVerdict::kTie,
              .body = follower.body,
              .follows = {.body = leader.body,
                          .ratio = -leader.coefficient / follower.coefficient,
                          .offset = coupling.offset / follower.coefficient + 0.0},
              .why = ""};
    }
    if (why.empty()) why = quote(tree.link_names[at(follower.body)]) + " " + reason;
  }
  return row(why);
}

Tree merge_rotors(const Tree& tree) {
  Tree result = tree;
  std::vector<bool> removed(tree.bodies.size(), false), merged(tree.couplings.size(), false);
  for (std::size_t k = 0; k < tree.couplings.size(); ++k) {
    const auto& [kind, body, follows, why] = judge_coupling(tree, k);
    if (kind == CouplingVerdict::kRow) continue;
    merged[k] = true;
    Body& leader = result.bodies[at(follows.body)];
    if (kind == CouplingVerdict::kTie) {
      tie(follows, result.bodies[at(body)], leader);
      continue;
    }
    const Body& rotor = tree.bodies[at(body)];
    if (rotor.parent != kWorld) lump(rotor, result.bodies[at(rotor.parent)]);
    gear(rotor, follows, leader);
    removed[at(body)] = true;
    result.rotors.push_back(follows);
    result.rotor_names.push_back(tree.joint_names[at(body)]);
  }
  const Rearrangement renumber(result.bodies, removed);
  for (Rotor& rotor : result.rotors) rotor.body = renumber(rotor.body);
  rearrange(renumber, merged, result);
  return result;
}

}  // namespace lockstep::host
