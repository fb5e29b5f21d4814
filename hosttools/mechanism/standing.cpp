#include "mechanism/standing.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "mechanism/state.hpp"
#include "mechanism/table.hpp"

namespace lockstep::host {

namespace {

using constraint::Standing;
using maximal::BodyType;
using HostOrder = maximal::Order<kHostMechanismBodies, 2 * kHostMechanismBodies>;

// The part of a row's motion, squared, that the bodies below must be able to follow by themselves.
// A pivot that is so small costs four digits; a rod half a degree off the normal has it.
constexpr double kLeastShare = 1e-4;

bool is(const Mechanism& mechanism, int body, BodyType type) {
  return mechanism.bodies[at(body)].type == static_cast<int>(type);
}

bool fits(const Mechanism& mechanism) {
  return mechanism.bodies.size() <= at(kHostMechanismBodies) &&
         mechanism.constraints.size() <= at(2 * kHostMechanismBodies);
}

HostOrder order_of(const Mechanism& mechanism) {
  std::vector<int> dimensions;
  std::vector<maximal::Link> links(mechanism.constraints.size());
  for (const auto& body : mechanism.bodies) {
    dimensions.push_back(static_cast<int>(velocity_size(body)));
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    const maximal::ConstraintRecord& record = mechanism.constraints[i];
    maximal::append_link(links, i, record, constraint::AnyConstraint<double>(record).dimension(),
                         0);
  }
  return maximal::order_nodes<kHostMechanismBodies, 2 * kHostMechanismBodies>(dimensions, links);
}

// A constraint's rows over one of its bodies, in coordinates of equal inertia, as if the body's
// mass were one; and the squares that they would have, about, if it could move and turn as it
// likes.
struct RowSide {
  Eigen::MatrixXd J;
  Eigen::VectorXd free;
};

RowSide side_of(const Mechanism& mechanism, const Offsets& offsets, int body,
                const Eigen::MatrixXd& J, const Eigen::MatrixXd& rows) {
  if (body == kWorld) return {};
  Eigen::MatrixXd M;
  visit_body(mechanism.bodies[at(body)], [&]<class B>(const B& typed, std::size_t, std::size_t) {
    const auto mass = typed.mass_matrix(
        maximal::load<typename B::Pose>(mechanism.x0.data() + offsets.pose[at(body)]));
    M = Eigen::MatrixXd::NullaryExpr(B::kDimension, B::kDimension, [&](auto i, auto j) {
      return mass[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] / mass[0][0];
    });
  });
  const double turning =
      M.trace() - static_cast<double>(is(mechanism, body, BodyType::kPlanar) ? 2 : 3);
  return {Eigen::LLT<Eigen::MatrixXd>(M).matrixL().solve(J.transpose()).transpose(),
          rows.leftCols(3).rowwise().squaredNorm() +
              rows.rightCols(3).rowwise().squaredNorm() / (turning > 0 ? turning : 1)};
}

// Rows one after the other; of each, the square of what is new in it.
class Span {
 public:
  double add(Eigen::RowVectorXd row) {
    for (int pass = 0; pass < 2; ++pass) {
      for (const Eigen::RowVectorXd& unit : units_) row -= row.dot(unit) * unit;
    }
    const double square = row.squaredNorm();
    if (square > 0) units_.emplace_back(row / std::sqrt(square));
    return square;
  }

 private:
  std::vector<Eigen::RowVectorXd> units_;
};

// What a mechanism's constraints ask of the bodies below them, in an order, at its start.
class Reach {
 public:
  explicit Reach(const Mechanism& mechanism)
      : mechanism_(mechanism), offsets_(mechanism), sides_(mechanism.constraints.size()) {}

  void take(const HostOrder& order) {
    order_ = &order;
    held_.assign(mechanism_.bodies.size(), {});
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const int node = order.constraint_node[i], body = only_body(i);
      if (is_soft(i)) continue;
      if (node != kNone && node == order.body_node[at(body)]) held_[at(body)].push_back(i);
    }
  }
  void forget() { std::ranges::fill(sides_, std::nullopt); }

  // The bodies that are eliminated before a constraint, or with it.
  std::vector<int> below(std::size_t constraint) const {
    const int node = order_->constraint_node[constraint];
    const maximal::ConstraintRecord& record = mechanism_.constraints[constraint];
    std::vector<int> bodies;
    for (const int body : {record.a, record.b}) {
      if (body == kWorld || node == kNone) continue;
      const int own = order_->body_node[at(body)];
      if (own == node || order_->nodes[at(own)].parent == node) bodies.push_back(body);
    }
    return bodies;
  }
  // Constraints to the world in a body's node.
  const std::vector<std::size_t>& held(int body) const { return held_[at(body)]; }

  // Whether they can follow it somewhere, but perhaps not everywhere.
  bool may_lose(std::size_t constraint) const {
    const std::vector<int> bodies = below(constraint);
    if (bodies.size() != 1 || is_soft(constraint)) return false;
    const int body = bodies[0];
    const maximal::ConstraintRecord& record = mechanism_.constraints[constraint];
    const int other = body == record.a ? record.b : record.a;
    if (!held(body).empty()) return held(body)[0] != constraint;
    return is(mechanism_, body, BodyType::kPlanar) && other != kWorld &&
           !is(mechanism_, other, BodyType::kPlanar);
  }

  // Whether they can follow it here, while what holds them to the world does.
  bool follows(std::size_t constraint) {
    const std::vector<int> bodies = below(constraint);
    const auto is_bound = [&](int body) {
      return is(mechanism_, body, BodyType::kPlanar) || is(mechanism_, body, BodyType::kParticle) ||
             !held(body).empty();
    };
    if (is_soft(constraint) || std::ranges::none_of(bodies, is_bound)) return true;
    Span span;
    for (const int body : bodies) {
      for (const std::size_t i : held(body)) {
        if (i == constraint) break;
        add(i, bodies, span);
      }
    }
    return add(constraint, bodies, span);
  }

 private:
  // What yields has a pivot of its own.
  bool is_soft(std::size_t i) const { return yields(mechanism_.constraints[i]); }
  int only_body(std::size_t i) const {
    return std::max(mechanism_.constraints[i].a, mechanism_.constraints[i].b);
  }

  // Whether something is new in each of its rows over these bodies.
  bool add(std::size_t constraint, const std::vector<int>& bodies, Span& span) {
    const maximal::ConstraintRecord& record = mechanism_.constraints[constraint];
    const auto& [a, b] = sides(constraint);
    bool good = true;
    for (Eigen::Index row = 0; row < std::max(a.J.rows(), b.J.rows()); ++row) {
      std::vector<double> all;
      double free = 0;
      for (const int body : bodies) {
        const RowSide& side = body == record.a ? a : b;
        const std::size_t begin = all.size();
        all.resize(begin + velocity_size(mechanism_.bodies[at(body)]));
        if (body != record.a && body != record.b) continue;
        std::ranges::copy(side.J.row(row), all.begin() + static_cast<std::ptrdiff_t>(begin));
        free = std::max(free, side.free[row]);
      }
      const auto size = static_cast<Eigen::Index>(all.size());
      good =
          span.add(Eigen::Map<Eigen::RowVectorXd>(all.data(), size)) > kLeastShare * free && good;
    }
    return good;
  }

  const std::pair<RowSide, RowSide>& sides(std::size_t i) {
    if (!sides_[i]) {
      const maximal::ConstraintRecord& record = mechanism_.constraints[i];
      const ConstraintState state = evaluate(mechanism_, offsets_, i);
      sides_[i] = {side_of(mechanism_, offsets_, record.a, state.J_A, state.rows_A),
                   side_of(mechanism_, offsets_, record.b, state.J_B, state.rows_B)};
    }
    return *sides_[i];
  }

  const Mechanism& mechanism_;
  Offsets offsets_;
  std::vector<std::optional<std::pair<RowSide, RowSide>>> sides_;
  const HostOrder* order_ = nullptr;
  std::vector<std::vector<std::size_t>> held_;  // of each body
};

// In the order of elimination.
std::vector<std::size_t> lacking(const Mechanism& mechanism, const HostOrder& order, Reach& reach) {
  reach.take(order);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
    if (!reach.follows(i)) found.push_back(i);
  }
  std::ranges::stable_sort(found, {}, [&](std::size_t i) { return order.constraint_node[i]; });
  return found;
}

// Rows that are auxiliary, or will have to be.
std::size_t cost(const Mechanism& mechanism, Reach& reach) {
  const HostOrder order = order_of(mechanism);
  auto rows = static_cast<std::size_t>(order.auxiliary_rows);
  for (const std::size_t i : lacking(mechanism, order, reach)) {
    rows += row_count(mechanism.constraints[i]);
  }
  return rows;
}

}  // namespace

std::vector<std::size_t> choose_standings(Mechanism& mechanism) {
  std::vector<std::size_t> changed;
  if (!fits(mechanism)) return changed;
  Reach reach(mechanism);
  for (;;) {
    const HostOrder order = order_of(mechanism);
    if (order.status != Status::kOk) return changed;
    const std::vector<std::size_t> without = lacking(mechanism, order, reach);
    if (without.empty()) return changed;
    std::vector<std::size_t> involved = {without[0]};
    for (const int body : reach.below(without[0])) {
      involved.insert(involved.end(), reach.held(body).begin(), reach.held(body).end());
    }
    // each turn raises the standing of one, so that there is an end
    std::size_t best = 0, least = static_cast<std::size_t>(-1);
    Standing how = Standing::kOrdered;
    for (const std::size_t i : involved) {
      Standing& own = mechanism.constraints[i].standing;
      const Standing before = own;
      for (const Standing next : {Standing::kAuxiliary, Standing::kRoot}) {
        if (next <= before) continue;
        own = next;
        const std::size_t rows = cost(mechanism, reach);
        if (rows < least) best = i, least = rows, how = next;
      }
      own = before;
    }
    mechanism.constraints[best].standing = how;
    if (std::ranges::find(changed, best) == changed.end()) changed.push_back(best);
  }
}

struct StandingWatch::Nodes {
  explicit Nodes(const Mechanism& mechanism) : order(order_of(mechanism)), reach(mechanism) {
    reach.take(order);
  }
  HostOrder order;
  Reach reach;
};

StandingWatch::StandingWatch(const Mechanism& mechanism) : mechanism_(mechanism) {
  if (!fits(mechanism)) return;
  nodes_ = std::make_unique<Nodes>(mechanism_);
  for (std::size_t i = 0; i < mechanism_.constraints.size(); ++i) {
    if (nodes_->reach.may_lose(i)) watched_.push_back(i);
  }
}
StandingWatch::~StandingWatch() = default;

const Mechanism* StandingWatch::look(std::span<const double> poses) {
  if (watched_.empty()) return nullptr;
  std::ranges::copy(poses, mechanism_.x0.begin());
  nodes_->reach.forget();
  const auto follows = [&](std::size_t i) { return nodes_->reach.follows(i); };
  if (std::ranges::all_of(watched_, follows)) return nullptr;
  other_ = mechanism_;
  choose_standings(other_);
  return &other_;
}

}  // namespace lockstep::host
