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

// The parts of a colour.
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
  int v_a = 0, v_b = 0;   // where its bodies' velocities begin
};

struct Part {
  std::vector<PartBody> bodies;
  std::vector<PartConstraint> constraints;
  std::vector<NodeShape> nodes;
  NodeSizes sizes;    // of the nodes' numbers
  int jacobians = 0;  // numbers of all rows, each over a's velocities, then over b's
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

 private:
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
    Part own;
    std::vector<int> dimensions;
    std::vector<Link> links;
    bool shared = false;
    const auto number = [&](int body) {
      if (body == kWorld) return kWorld;
      Last& last = last_[at(body)];
      if (last.part != part) {
        shared |= last.colour == colour;
        last = {part, colour, static_cast<int>(own.bodies.size())};
        mechanism.body(body, [&](const auto&, const BodyPlace& place) {
          own.bodies.push_back({body, place.v, place.dimension, {}});
          dimensions.push_back(place.dimension);
        });
      }
      return last.number;
    };
    for (int i = 0; i < mechanism.counts().constraints; ++i) {
      if (table.part_of[at(i)] != part) continue;
      const Link link = mechanism.link(i);
      if (link.summed) return Status::kBadConstraint;
      const int a = number(link.a), b = number(link.b);
      links.push_back({a, b, link.dimension});
      // a part has no auxiliary rows, and one that needs a standing has no others
      if (link.standing != Standing::kOrdered) links.back().standing = Standing::kRoot;
      own.constraints.push_back({i, {}});
    }
    if (shared) return Status::kBadConstraint;
    const auto order =
        order_nodes<Mechanism::kMaxBodies, Mechanism::kMaxConstraints>(dimensions, links);
    if (order.status != Status::kOk) return order.status;
    if (order.auxiliary_rows > 0) return Status::kBadConstraint;
    own.nodes.assign(order.nodes.begin(), order.nodes.begin() + order.node_count);
    own.sizes = order.sizes;
    for (std::size_t i = 0; i < own.bodies.size(); ++i) {
      own.bodies[i].node = order.nodes[at(order.body_node[i])];
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
      PartConstraint& held = own.constraints[i];
      mechanism.constraint(held.constraint, [&](const ConstraintPlace& whole, const auto&) {
        held.place = maximal::detail::place_constraint(order, static_cast<int>(i), links[i],
                                                       dimensions, whole.lambda);
      });
      const auto v = [&](int body) { return body == kWorld ? 0 : own.bodies[at(body)].v; };
      held.v_a = v(links[i].a), held.v_b = v(links[i].b);
      own.jacobians += held.place.dimension * (held.place.a.dimension + held.place.b.dimension);
    }
    parts_.push_back(std::move(own));
    return Status::kOk;
  }

  std::vector<Part> parts_;
  std::vector<Range> colours_;
  std::vector<Last> last_;
};

}  // namespace lockstep::host::methods
