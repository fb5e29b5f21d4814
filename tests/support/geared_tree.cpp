#include "support/geared_tree.hpp"

#include "lockstep/body_data.hpp"

namespace lockstep::test {

namespace {

// A disc about z, its centre on the axis; or anything at all.
Body random_rotor(int parent, bool round, Random& random) {
  const auto rows = [](const Eigen::Matrix3d& R) {
    std::array<double, 9> result{};
    for (int i = 0; i < 9; ++i) result[static_cast<std::size_t>(i)] = R(i / 3, i % 3);
    return result;
  };
  Body rotor;
  rotor.parent = parent;
  rotor.R_PJ = rows(random.rotation().toRotationMatrix());
  rotor.R_LB = rows(random.rotation().toRotationMatrix());
  const Eigen::Vector3d p = random.vector(0.3);
  rotor.p_PJ = {p[0], p[1], p[2]};
  const double along = random.uniform(0.5, 2) * 1e-2, across = random.uniform(0.5, 1) * along;
  rotor.inertia = {across, 0, 0, across, 0, along};
  rotor.damping = random.uniform(0, 0.1);
  if (!round) {
    const Eigen::Vector3d size = random.vector(0.1).cwiseAbs();
    make_box(rotor, random.uniform(0.1, 1), {size[0] + 0.1, size[1] + 0.1, size[2] + 0.1},
             random.vector(0.1));
    if (random.below(4) == 0) rotor.joint = JointType::kPrismatic;
    return rotor;
  }
  if (random.below(3) != 0) {
    const double mass = random.uniform(0.1, 1), centre = random.uniform(-0.1, 0.1);
    rotor.mass = mass;
    rotor.h = {0, 0, mass * centre};
    rotor.inertia[0] = rotor.inertia[3] = across + mass * centre * centre;
  }
  return rotor;
}

}  // namespace

host::Tree geared_tree(const TreeOptions& options, bool round) {
  host::Tree tree;
  tree.bodies = random_tree(options);
  Random random(options.seed + 7);
  const int links = static_cast<int>(tree.bodies.size());
  for (int i = 0; i < links; ++i) {
    if (dof_count(tree.bodies[static_cast<std::size_t>(i)].joint) != 1) continue;
    for (int count = random.below(4) == 0 ? 2 : 1; count > 0; --count) {
      const int rotor = static_cast<int>(tree.bodies.size());
      tree.bodies.push_back(
          random_rotor(tree.bodies[static_cast<std::size_t>(i)].parent, round, random));
      const double ratio = random.uniform(1.5, 9) * (random.below(2) == 0 ? 1 : -1);
      tree.couplings.push_back({.first = static_cast<int>(tree.terms.size()),
                                .count = 2,
                                .offset = random.uniform(-1, 1)});
      const bool geared_up = random.below(2) == 0;
      tree.terms.push_back({i, geared_up ? -ratio : 1});
      tree.terms.push_back({rotor, geared_up ? 1 : -ratio});
      tree.dependent.push_back(rotor);
      tree.coupling_names.push_back("gear_" + std::to_string(rotor));
    }
  }
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    tree.link_names.push_back("link_" + std::to_string(i));
    tree.joint_names.push_back("joint_" + std::to_string(i));
  }
  return tree;
}

host::DenseInput geared_state(const host::Tree& tree, Random& random) {
  host::DenseInput in = random_state(tree.bodies, random);
  std::vector<Counts> first;
  Counts counts;
  for (const Body& body : tree.bodies) first.push_back(counts), counts.add(body.joint);
  for (const Coupling& coupling : tree.couplings) {
    const CouplingTerm& joint = tree.terms[static_cast<std::size_t>(coupling.first)];
    const CouplingTerm& rotor = tree.terms[static_cast<std::size_t>(coupling.first) + 1];
    const Counts &at = first[static_cast<std::size_t>(joint.body)],
                 &own = first[static_cast<std::size_t>(rotor.body)];
    in.q[own.q] = (coupling.offset - joint.coefficient * in.q[at.q]) / rotor.coefficient;
    in.v[own.v] = -joint.coefficient * in.v[at.v] / rotor.coefficient;
  }
  return in;
}

}  // namespace lockstep::test
