// A mechanism at run time, in storage of a fixed capacity: for host tools that read any file, for
// mechanisms too large to unroll. The same operations as a StaticMechanism, the same bits.
#pragma once

#include <etl/vector.h>

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
  NodeSpan auxiliary_nodes() const { return {{auxiliary_nodes_.data(), auxiliary_nodes_.size()}}; }
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
    const ConstraintEntry& entry = constraints_[at(i)];
    visit_rows(entry, [&]<int kRows>() { f(entry.place, Evaluate<kRows>{*this, entry}); });
  }
  Link link(int i) const {
    const ConstraintEntry& entry = constraints_[at(i)];
    const bool joined = at(i + 1) < constraints_.size() && constraints_[at(i + 1)].place.joins;
    return {entry.a,
            entry.b,
            entry.place.dimension,
            entry.place.joins,
            entry.place.joins || joined,
            entry.place.turn_parts};
  }

  template <class F>
  void errors(const T* x, const T* v, const T& time, F&& f) const {
    for (const ConstraintEntry& entry : constraints_) {
      visit_rows(entry, [&]<int kRows>() { f(entry.place, errors_of<kRows>(entry, x, v, time)); });
    }
  }

 private:
  struct BodyEntry {
    int type;
    std::array<T, at(kMaxBodyNumbers)> numbers;
    BodyPlace place;
  };
  struct ConstraintEntry {
    int type, a, b;
    std::array<T, at(kMaxConstraintNumbers)> numbers;
    ConstraintPlace place;
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
    visit_type(Constraints{}, record.type, [&]<class C>() {
      if (!takes<C>(bodies, record)) return;
      status = check_constraint(from_numbers<C>(record.numbers));
      links.emplace_back();
      append_link(links, links.size() - 1, record, C::kDimension);
    });
    return status;
  }

  // A constraint without frames has bodies that it can hold.
  template <class C>
  static bool takes(std::span<const BodyRecord> bodies, const ConstraintRecord& record) {
    if constexpr (detail::kUsesFrames<C>) {
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
    bodies_.clear(), constraints_.clear(), auxiliary_nodes_.clear();
    counts_ = {.bodies = static_cast<int>(bodies.size()),
               .constraints = static_cast<int>(constraints.size()),
               .auxiliary = order.auxiliary_rows};
    sizes_ = order.sizes;
    nodes_.assign(order.nodes.begin(), order.nodes.begin() + order.node_count);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (order.on_auxiliary_way[i]) auxiliary_nodes_.push_back(nodes_[i]);
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const NodeShape& node = order.nodes[at(order.body_node[i])];
      BodyEntry entry = {bodies[i].type, {}, {counts_.x, counts_.v, dimensions[i], node}};
      convert(bodies[i].numbers, entry.numbers);
      bodies_.push_back(entry);
      visit_type(Bodies{}, entry.type, [&]<class B>() { counts_.x += pose_count<B>(); });
      counts_.v += dimensions[i];
    }
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      ConstraintEntry entry = {constraints[i].type,
                               constraints[i].a,
                               constraints[i].b,
                               {},
                               detail::place_constraint(order, static_cast<int>(i), links[i],
                                                        dimensions, counts_.lambda)};
      convert(constraints[i].numbers, entry.numbers);
      constraints_.push_back(entry);
      counts_.lambda = entry.place.lambda + links[i].dimension;
      counts_.terms += links[i].dimension;
    }
  }
  template <class From, class To>
  static void convert(const From& from, To& to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<T>(from[i]);
  }

  // f for the number of a constraint's rows, and for its type, which is one of so many rows. Apart,
  // so that what looks at constraints is not compiled for each type.
  template <class F>
  static void visit_rows(const ConstraintEntry& entry, F&& f) {
    [&]<int... kBefore>(std::integer_sequence<int, kBefore...>) {
      static_cast<void>(
          ((entry.place.dimension == kBefore + 1 && (f.template operator()<kBefore + 1>(), true)) ||
           ...));
    }
    (std::make_integer_sequence<int, kMaxRows>{});
  }
  template <int kRows, class F>
  static void visit_type_of(const ConstraintEntry& entry, F&& f) {
    visit_type(Constraints{}, entry.type, [&]<class C>() {
      if constexpr (C::kDimension == kRows) f(load<C>(entry.numbers.data()));
    });
  }

  template <int kRows>
  struct Evaluate {
    const TableMechanism& table;
    const ConstraintEntry& entry;

    template <Form kForm = Form::kWithValues>
    auto operator()(const T* x, const T* v, const T& time) const {
      Blocks<T, kRows, kMaxDimension, kMaxDimension> blocks;
      visit_type_of<kRows>(entry, [&](const auto& constraint) {
        table.evaluate<kForm>(constraint, entry, x, v, time, blocks);
      });
      return blocks;
    }
  };

  template <int kRows>
  RowErrors<T, kRows> errors_of(const ConstraintEntry& entry, const T* x, const T* v,
                                const T& time) const {
    RowErrors<T, kRows> errors{};
    visit_type_of<kRows>(entry, [&](const auto& constraint) {
      if constexpr (detail::kUsesFrames<std::remove_cvref_t<decltype(constraint)>>) {
        errors = constraint.errors(frame(entry.a, x, v, constraint.X_A),
                                   frame(entry.b, x, v, constraint.X_B), time);
      } else {
        Blocks<T, kRows, kMaxDimension, kMaxDimension> all;
        evaluate<Form::kWithValues>(constraint, entry, x, v, time, all);
        errors = {all.value, all.velocity_error};
      }
    });
    return errors;
  }

  template <Form kForm, class C, class AnyBlocks>
  void evaluate(const C& constraint, const ConstraintEntry& entry, const T* x, const T* v,
                const T& time, AnyBlocks& blocks) const {
    if constexpr (detail::kUsesFrames<C>) {
      constraint.template combine<kForm>(kinematics(entry.a, x, v, constraint.X_A),
                                         kinematics(entry.b, x, v, constraint.X_B), time, blocks);
    } else {
      with_end(entry.a, x, v, [&](const auto& body_A, const auto& pose_A, const auto& v_A) {
        with_end(entry.b, x, v, [&](const auto& body_B, const auto& pose_B, const auto& v_B) {
          using A = std::remove_cvref_t<decltype(body_A)>;
          using B = std::remove_cvref_t<decltype(body_B)>;
          if constexpr (PairConstraint<C, A, B>) {
            const auto own = constraint.evaluate(body_A, pose_A, v_A, body_B, pose_B, v_B, time);
            blocks.value = own.value;
            blocks.velocity_error = own.velocity_error;
            blocks.drift = own.drift;
            blocks.c = own.c;
            for (std::size_t i = 0; i < at(C::kDimension); ++i) {
              std::copy_n(own.J_A[i].begin(), own.J_A[i].size(), blocks.J_A[i].begin());
              std::copy_n(own.J_B[i].begin(), own.J_B[i].size(), blocks.J_B[i].begin());
            }
          }
        });
      });
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
  etl::vector<NodeShape, at(kMaxBodies + kMaxConstraints)> nodes_, auxiliary_nodes_;
  MechanismCounts counts_;
  NodeSizes sizes_;
};

}  // namespace lockstep::maximal
