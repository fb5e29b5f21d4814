// A mechanism with loops as acyclic parts (Bender 2007, section 5): each constraint is in one part,
// a part is a forest over the bodies that its constraints hold, and parts of one colour share no
// body, so that they can be solved at the same time. A body has a node in every part that holds it;
// all memory is linear in the constraints. mechanism/parts.hpp makes the table.
#pragma once

#include <vector>

#include "lockstep/maximal/mechanism.hpp"

namespace lockstep::host::methods {

using namespace maximal;

struct PartTable {
  std::span<const int> part_of;    // of each constraint
  std::span<const int> colour_of;  // of each part, beginning with 0 and never falling
};

// A piece of an array.
struct Range {
  int first = 0, end = 0;
};

struct PartBody {
  int body = 0;
  int v = 0, dimension = 0;  // where its velocity begins, and its size
  NodeShape node;
};

struct PartConstraint {
  int constraint = 0;
  ConstraintPlace place;  // its node and its bodies' nodes are those of the part
  int J = 0;              // where its rows begin, each over a's velocities, then over b's
  int v_a = 0, v_b = 0;   // where its bodies' velocities begin
};

struct Part {
  Range bodies, constraints, nodes;
  int blocks = 0, x = 0;  // where the numbers of its nodes begin
};

template <class Mechanism, int kMaxParts>
class Parts {
 public:
  // Takes over the table, or returns why not and has no parts: kBadConstraint where a part has a
  // loop, or where two parts of a colour share a body.
  Status assign(const Mechanism& mechanism, const PartTable& table) {
    *this = {};
    const Status status = take(mechanism, table);
    if (status != Status::kOk) *this = {};
    return status;
  }

  int size() const { return static_cast<int>(parts_.size()); }
  const Part& operator[](int i) const { return parts_[at(i)]; }
  int colours() const { return static_cast<int>(colours_.size()); }
  const Range& of_colour(int colour) const { return colours_[at(colour)]; }

  std::span<const PartBody> bodies(const Part& part) const { return piece(bodies_, part.bodies); }
  std::span<const PartConstraint> constraints(const Part& part) const {
    return piece(constraints_, part.constraints);
  }
  NodeSpan nodes(const Part& part) const { return {piece(nodes_, part.nodes)}; }
  // How many numbers the nodes' blocks, their unknowns and the rows' Jacobians are.
  std::size_t blocks() const { return at(blocks_); }
  std::size_t unknowns() const { return at(x_); }
  std::size_t jacobians() const { return at(J_); }

 private:
  template <class Items>
  static auto piece(const Items& items, const Range& range) {
    return std::span<const typename Items::value_type>(items.data() + range.first,
                                                       at(range.end - range.first));
  }

  Status take(const Mechanism& mechanism, const PartTable& table) {
    const int parts = static_cast<int>(table.colour_of.size());
    if (table.part_of.size() != at(mechanism.counts().constraints)) return Status::kWrongSize;
    if (parts > kMaxParts) return Status::kTooManyRows;
    for (const int part : table.part_of) {
      if (part < 0 || part >= parts) return Status::kBadConstraint;
    }
    last_.resize(at(mechanism.counts().bodies));
    for (int part = 0; part < parts; ++part) {
      const int colour = table.colour_of[at(part)];
      if (colour == colours()) colours_.push_back({part, part});
      if (colour != colours() - 1) return Status::kBadConstraint;
      colours_.back().end = part + 1;
      if (const Status status = add(mechanism, table, part); status != Status::kOk) return status;
    }
    return Status::kOk;
  }

  // The part that came last to a body, and the body's number there.
  struct Last {
    int part = kNone, colour = kNone, number = 0;
  };

  Status add(const Mechanism& mechanism, const PartTable& table, int part) {
    const int colour = table.colour_of[at(part)];
    std::vector<int> bodies, dimensions, members;
    std::vector<Link> links;
    bool shared = false;
    const auto number = [&](int body) {
      if (body == kWorld) return kWorld;
      Last& last = last_[at(body)];
      if (last.part != part) {
        shared |= last.colour == colour;
        last = {part, colour, static_cast<int>(bodies.size())};
        bodies.push_back(body);
        mechanism.body(body,
                       [&](const auto&, const BodyPlace& p) { dimensions.push_back(p.dimension); });
      }
      return last.number;
    };
    for (int i = 0; i < mechanism.counts().constraints; ++i) {
      if (table.part_of[at(i)] != part) continue;
      const Link link = mechanism.link(i);
      if (link.summed) return Status::kBadConstraint;
      const int a = number(link.a), b = number(link.b);
      links.push_back({a, b, link.dimension});
      members.push_back(i);
    }
    if (shared) return Status::kBadConstraint;
    const auto order =
        order_nodes<Mechanism::kMaxBodies, Mechanism::kMaxConstraints>(dimensions, links);
    if (order.status != Status::kOk) return order.status;
    if (order.auxiliary_rows > 0) return Status::kBadConstraint;
    take(mechanism, order, bodies, dimensions, members, links);
    return Status::kOk;
  }

  template <class Order>
  void take(const Mechanism& mechanism, const Order& order, std::span<const int> bodies,
            std::span<const int> dimensions, std::span<const int> members,
            std::span<const Link> links) {
    Part part;
    part.blocks = blocks_, part.x = x_;
    part.bodies = append(bodies_, bodies.size(), [&](std::size_t i) {
      return PartBody{bodies[i], velocity(mechanism, bodies[i]), dimensions[i],
                      order.nodes[at(order.body_node[i])]};
    });
    part.constraints = append(constraints_, members.size(), [&](std::size_t i) {
      PartConstraint own;
      own.constraint = members[i], own.J = J_;
      mechanism.constraint(members[i], [&](const ConstraintPlace& whole, const auto&) {
        own.place = maximal::detail::place_constraint(order, static_cast<int>(i), links[i],
                                                      dimensions, whole.lambda);
      });
      const Link link = mechanism.link(members[i]);
      own.v_a = velocity(mechanism, link.a), own.v_b = velocity(mechanism, link.b);
      J_ += own.place.dimension * (own.place.a.dimension + own.place.b.dimension);
      return own;
    });
    part.nodes =
        append(nodes_, at(order.node_count), [&](std::size_t i) { return order.nodes[i]; });
    blocks_ += order.sizes.blocks, x_ += order.sizes.x;
    parts_.push_back(part);
  }

  template <class Items, class F>
  static Range append(Items& items, std::size_t count, F&& item) {
    const int first = static_cast<int>(items.size());
    for (std::size_t i = 0; i < count; ++i) items.push_back(item(i));
    return {first, static_cast<int>(items.size())};
  }

  static int velocity(const Mechanism& mechanism, int body) {
    int v = 0;
    if (body != kWorld) {
      mechanism.body(body, [&](const auto&, const BodyPlace& place) { v = place.v; });
    }
    return v;
  }

  std::vector<Part> parts_;
  std::vector<Range> colours_;
  std::vector<PartBody> bodies_;
  std::vector<PartConstraint> constraints_;
  std::vector<NodeShape> nodes_;
  std::vector<Last> last_;
  int blocks_ = 0, x_ = 0, J_ = 0;
};

}  // namespace lockstep::host::methods
