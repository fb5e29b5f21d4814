// A mechanism at run time, in storage of a fixed capacity: for host tools that read any file, for
// mechanisms too large to unroll. The same operations as a StaticMechanism, the same bits.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <etl/vector.h>

#include "lockstep/constraint/any_constraint.hpp"
#include "lockstep/maximal/catalogue.hpp"
#include "lockstep/maximal/mechanism.hpp"

namespace lockstep::maximal {

template <class T, int kBodyCapacity, int kConstraintCapacity,
          template <class> class TypesOf = StandardTypes, int kMaxAuxiliaryRows = 24>
class TableMechanism {
 public:
  static constexpr int kMaxBodies = kBodyCapacity, kMaxConstraints = kConstraintCapacity;
  using Scalar = T;
  using Types = TypesOf<T>;
  using Bodies = typename Types::Bodies;
  using Constraints = typename Types::Constraints;
  static constexpr bool kIsStatic = false;
  static_assert(detail::are_bodies(Bodies{}));

  static constexpr int kMaxDimension =
      largest_of(Bodies{}, []<class B>() { return B::kDimension; });
  static constexpr int kMaxRows =
      largest_of(Constraints{}, []<class C>() { return C::kDimension; });
  static constexpr int kMaxPose = largest_of(Bodies{}, []<class B>() { return pose_count<B>(); });
  static constexpr int kMaxX = kMaxBodies * kMaxPose, kMaxV = kMaxBodies * kMaxDimension;
  static constexpr int kMaxLambda = kMaxConstraints * kMaxRows;
  static constexpr int kMostConstraints = kMaxConstraints;
  static constexpr int kMaxAuxiliary = kMaxAuxiliaryRows;
  static constexpr int kMaxAuxiliaryTerms = kMaxAuxiliaryRows, kMaxTerms = kMaxLambda;
  static constexpr bool kMayYield = true;
  static constexpr int kMaxUnknowns = kMaxV + kMaxLambda;
  // D and J of every node; rows of the world that share a body's node may need more
  static constexpr int kMaxBlocks = kMaxBodies * kMaxDimension * (kMaxDimension + kMaxRows) +
                                    kMaxConstraints * kMaxRows * (kMaxDimension + kMaxRows);

  // Takes over the records, or returns why not and stays as it was.
  Status assign(std::span<const BodyRecord> bodies, std::span<const ConstraintRecord> constraints) {
    if (bodies.size() > at(kMaxBodies)) return Status::kTooManyBodies;
    if (constraints.size() > at(kMaxConstraints)) return Status::kTooManyRows;
    etl::vector<int, at(kMaxBodies)> dimensions;
    etl::vector<Link, at(kMaxConstraints)> links;
    for (const BodyRecord& record : bodies) {
      const Status status = check(record, dimensions);
      if (status != Status::kOk) return status;
    }
    for (const ConstraintRecord& record : constraints) {
      const Status status = check(record, bodies, links);
      if (status != Status::kOk) return status;
    }
    const auto order = order_nodes<kMaxBodies, kMaxConstraints>({dimensions.data(), bodies.size()},
                                                                {links.data(), links.size()});
    if (order.status != Status::kOk) return order.status;
    if (order.sizes.blocks > kMaxBlocks || order.auxiliary_terms > kMaxAuxiliaryTerms) {
      return Status::kTooManyRows;
    }
    take(bodies, constraints, order, {dimensions.data(), bodies.size()}, links);
    return Status::kOk;
  }

  MechanismCounts counts() const { return counts_; }
  NodeSizes sizes() const { return sizes_; }
  NodeSpan nodes() const { return {forward()}; }
  std::span<const NodeShape> forward() const { return {nodes_.data(), nodes_.size()}; }
  static Status check() { return Status::kOk; }  // assign did

  template <class F>
  void bodies(F&& f) const {
    for (int i = 0; i < counts_.bodies; ++i) body(i, f);
  }
  template <class F>
  void body(int i, F&& f) const {
    const BodyEntry& entry = bodies_[at(i)];
    visit_type(Bodies{}, entry.type,
               [&]<class B>() { f(load<B>(entry.numbers.data()), entry.place); });
  }

  template <class F>
  void constraints(F&& f) const {
    for (int i = 0; i < counts_.constraints; ++i) constraint(i, f);
  }
  template <class F>
  void constraint(int i, F&& f) const {
    f(constraints_[at(i)].place, Evaluate{*this, constraints_[at(i)]});
  }
  const Link& link(int i) const { return constraints_[at(i)].link; }

  template <class F>
  void errors(const T* x, const T* v, const T& time, F&& f) const {
    for (const ConstraintEntry& entry : constraints_) {
      f(entry.place, errors_of(entry, x, v, time));
    }
  }

 private:
  // Numbers of the largest constraint that looks at bodies itself, not through frames.
  static constexpr int kOwnNumbers =
      largest_of(Constraints{}, []<class C>() { return kUsesFrames<C> ? 0 : number_count<C>(); });
  static constexpr bool kHasPairs =
      largest_of(Constraints{}, []<class C>() { return kUsesFrames<C> ? 0 : 1; }) > 0;

  struct BodyEntry {
    int type;
    std::array<T, at(kMaxBodyNumbers)> numbers;
    BodyPlace place;
  };
  struct ConstraintEntry {
    Link link;
    AnyConstraint<T, Constraints> constraint;
    ConstraintPlace place;
    std::array<T, at(kOwnNumbers)> numbers;  // of one that does not look through frames
  };

  template <class List, class Record>
  static constexpr bool kFits = largest_of(List{},
                                           []<class Type>() { return number_count<Type>(); }) <=
                                static_cast<int>(std::tuple_size_v<decltype(Record::numbers)>);
  static_assert(kFits<Bodies, BodyRecord> && kFits<Constraints, ConstraintRecord>);

  template <class Dimensions>
  static Status check(const BodyRecord& record, Dimensions& dimensions) {
    Status status = Status::kBadBody;
    visit_type(Bodies{}, record.type, [&]<class B>() {
      status = from_numbers<B>(record.numbers).check();
      dimensions.push_back(B::kDimension);
    });
    return status;
  }

  template <class Links>
  static Status check(const ConstraintRecord& record, std::span<const BodyRecord> bodies,
                      Links& links) {
    Status status = Status::kBadConstraint;
    const auto known = [&](int body) {
      return body >= kWorld && body < static_cast<int>(bodies.size());
    };
    if (!known(record.a) || !known(record.b)) return status;
    for (const double own : {record.stiffness, record.damping, record.armature}) {
      if (!is_finite(own) || !(own >= 0)) return status;
    }
    visit_type(Constraints{}, record.type, [&]<class C>() {
      if (!takes<C>(bodies, record)) return;
      status = check_constraint(from_numbers<C>(record.numbers));
      links.emplace_back();
      append_link(links, links.size() - 1, record, C::kDimension, velocity_rows<C>());
    });
    return status;
  }

  // A constraint without frames has bodies that it can hold.
  template <class C>
  static bool takes(std::span<const BodyRecord> bodies, const ConstraintRecord& record) {
    if constexpr (kUsesFrames<C>) {
      return true;
    } else {
      bool taken = false;
      const auto type = [&](int body) { return body == kWorld ? kWorld : bodies[at(body)].type; };
      visit_end(type(record.a), [&]<class A>() {
        visit_end(type(record.b), [&]<class B>() { taken = PairConstraint<C, A, B>; });
      });
      return taken;
    }
  }
  template <class F>
  static void visit_end(int type, F&& f) {
    if (type == kWorld) {
      f.template operator()<World<T>>();
    } else {
      visit_type(Bodies{}, type, f);
    }
  }

  void take(std::span<const BodyRecord> bodies, std::span<const ConstraintRecord> constraints,
            const Order<kMaxBodies, kMaxConstraints>& order, std::span<const int> dimensions,
            std::span<const Link> links) {
    bodies_.clear(), constraints_.clear();
    counts_ = {.bodies = static_cast<int>(bodies.size()),
               .constraints = static_cast<int>(constraints.size()),
               .auxiliary = order.auxiliary_rows};
    sizes_ = order.sizes;
    nodes_.assign(order.nodes.begin(), order.nodes.begin() + order.node_count);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const int node = order.body_node[i];
      BodyEntry entry = {
          bodies[i].type, {}, {counts_.x, counts_.v, dimensions[i], order.nodes[at(node)], node}};
      convert(bodies[i].numbers, entry.numbers);
      bodies_.push_back(entry);
      visit_type(Bodies{}, entry.type, [&]<class B>() { counts_.x += pose_count<B>(); });
      counts_.v += dimensions[i];
    }
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      ConstraintEntry entry = {links[i],
                               AnyConstraint<T, Constraints>(constraints[i]),
                               detail::place_constraint(order, static_cast<int>(i), links[i],
                                                        dimensions, counts_.lambda),
                               {}};
      if constexpr (kHasPairs) convert(constraints[i].numbers, entry.numbers);
      constraints_.push_back(entry);
      counts_.lambda = entry.place.lambda + links[i].dimension;
      counts_.terms += links[i].dimension;
      counts_.velocity_rows += std::popcount(links[i].velocity_rows);
      counts_.soft += links[i].softness.yields() ? 1 : 0;
    }
  }
  template <class From, class To>
  static void convert(const From& from, To& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<T>(from[i]);
  }

  struct AnyBlocks : Blocks<T, kMaxRows, kMaxDimension, kMaxDimension> {
    int count = 0;
    constexpr int size() const { return count; }
  };
  struct Evaluate {
    const TableMechanism& table;
    const ConstraintEntry& entry;

    template <Form kForm = Form::kWithValues>
    AnyBlocks operator()(const T* x, const T* v, const T& time) const {
      AnyBlocks blocks;
      blocks.count = entry.place.dimension;
      if (table.evaluate_pair(entry, x, v, time, blocks)) return blocks;
      const auto a = table.kinematics(entry.link.a, x, v, entry.constraint.X_A);
      const auto b = table.kinematics(entry.link.b, x, v, entry.constraint.X_B);
      put_on_bodies<kForm>(entry.constraint.rows(a.frame, b.frame, time), a, b, blocks);
      return blocks;
    }
  };

  AnyErrors<T> errors_of(const ConstraintEntry& entry, const T* x, const T* v,
                         const T& time) const {
    if constexpr (kHasPairs) {
      AnyBlocks all;
      if (evaluate_pair(entry, x, v, time, all)) {
        AnyErrors<T> errors;
        errors.count = entry.place.dimension;
        std::copy(all.value.begin(), all.value.end(), errors.value.begin());
        std::copy(all.velocity_error.begin(), all.velocity_error.end(),
                  errors.velocity_error.begin());
        return errors;
      }
    }
    return entry.constraint.errors(frame(entry.link.a, x, v, entry.constraint.X_A),
                                   frame(entry.link.b, x, v, entry.constraint.X_B), time);
  }

  // Of a constraint that looks at bodies itself; false if it does not.
  bool evaluate_pair(const ConstraintEntry& entry, const T* x, const T* v, const T& time,
                     AnyBlocks& blocks) const {
    bool own_look = false;
    if constexpr (kHasPairs) {
      visit_type(Constraints{}, entry.constraint.type(), [&]<class C>() {
        if constexpr (!kUsesFrames<C>) {
          own_look = true;
          const C constraint = load<C>(entry.numbers.data());
          with_end(entry.link.a, x, v, [&]<class A>(const A& body_A, const auto&... of_A) {
            with_end(entry.link.b, x, v, [&]<class B>(const B& body_B, const auto&... of_B) {
              if constexpr (PairConstraint<C, A, B>) {
                put(constraint.evaluate(body_A, of_A..., body_B, of_B..., time), blocks);
              }
            });
          });
        }
      });
    }
    return own_look;
  }
  template <class Typed>
  static void put(const Typed& own, AnyBlocks& blocks) {
    std::copy(own.value.begin(), own.value.end(), blocks.value.begin());
    std::copy(own.velocity_error.begin(), own.velocity_error.end(), blocks.velocity_error.begin());
    std::copy(own.phi_t.begin(), own.phi_t.end(), blocks.phi_t.begin());
    std::copy(own.c.begin(), own.c.end(), blocks.c.begin());
    for (std::size_t i = 0; i < own.value.size(); ++i) {
      std::copy_n(own.J_A[i].begin(), own.J_A[i].size(), blocks.J_A[i].begin());
      std::copy_n(own.J_B[i].begin(), own.J_B[i].size(), blocks.J_B[i].begin());
    }
  }

  // f(body, pose, velocity) with its own type.
  template <class F>
  void with_end(int body, const T* x, const T* v, F&& f) const {
    if (body == kWorld) {
      f(World<T>{}, typename World<T>::Pose{}, Vector<T, 0>{});
      return;
    }
    const BodyEntry& entry = bodies_[at(body)];
    visit_type(Bodies{}, entry.type, [&]<class B>() {
      f(load<B>(entry.numbers.data()), load<typename B::Pose>(x + entry.place.x),
        load<detail::VelocityOf<B>>(v + entry.place.v));
    });
  }

  FrameMotion<T> frame(int body, const T* x, const T* v, const Placement<T>& X) const {
    FrameMotion<T> frame;
    with_end(body, x, v, [&](const auto& own, const auto& pose, const auto& velocity) {
      frame = own.kinematics(pose, velocity, X).frame;
    });
    return frame;
  }

  AnyKinematics<T, kMaxDimension> kinematics(int body, const T* x, const T* v,
                                             const Placement<T>& X) const {
    AnyKinematics<T, kMaxDimension> any;
    with_end(body, x, v, [&](const auto& own, const auto& pose, const auto& velocity) {
      any.take(own.kinematics(pose, velocity, X));
    });
    return any;
  }

  etl::vector<BodyEntry, at(kMaxBodies)> bodies_;
  etl::vector<ConstraintEntry, at(kMaxConstraints)> constraints_;
  etl::vector<NodeShape, at(kMaxBodies + kMaxConstraints)> nodes_;
  MechanismCounts counts_;
  NodeSizes sizes_;
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
