// A mechanism whose types, topology and numbers are compile-time constants. Model is what the host
// tool emits, or a struct of a user's own:
//   struct Pendulum {
//     template <class T> using Types = lockstep::maximal::StandardTypes<T>;
//     static constexpr std::array<BodyRecord, 1> kBodies = ...;
//     static constexpr std::array<ConstraintRecord, 1> kConstraints = ...;
//   };
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/maximal/mechanism.hpp"

namespace lockstep::maximal {

template <class Model>
concept MechanismModel = requires {
  Model::kBodies.size();
  Model::kConstraints.size();
  typename Model::template Types<double>;
};

template <MechanismModel Model, class T>
class StaticMechanism {
 public:
  using Scalar = T;
  using Types = typename Model::template Types<T>;
  static constexpr bool kIsStatic = true;
  static constexpr int kBodyCount = static_cast<int>(Model::kBodies.size());
  static constexpr int kConstraintCount = static_cast<int>(Model::kConstraints.size());
  static_assert(detail::are_bodies(typename Types::Bodies{}));

 private:
  template <int kIndex>
  using BodyAt = TypeAt<typename Types::Bodies, Model::kBodies[at(kIndex)].type>;
  template <int kIndex>
  using ConstraintAt = TypeAt<typename Types::Constraints, Model::kConstraints[at(kIndex)].type>;

  // Of each body; a type that is not in the list does not compile.
  static constexpr std::array<int, at(kBodyCount)> kDimensions = [] {
    std::array<int, at(kBodyCount)> dimensions{};
    unroll<kBodyCount>([&](auto i) { dimensions[at(i())] = BodyAt<i()>::kDimension; });
    return dimensions;
  }();
  static constexpr std::array<Link, at(kConstraintCount)> kLinks = [] {
    std::array<Link, at(kConstraintCount)> links{};
    unroll<kConstraintCount>([&](auto i) {
      using C = ConstraintAt<i()>;
      append_link(links, at(i()), Model::kConstraints[at(i())], C::kDimension, velocity_rows<C>());
    });
    return links;
  }();
  static constexpr Order<kBodyCount, kConstraintCount> kOrder =
      order_nodes<kBodyCount, kConstraintCount>(kDimensions, kLinks);
  static_assert(kOrder.status == Status::kOk,
                "a constraint on a body that does not exist, or a rate with a stiffness");

  static constexpr std::array<NodeShape, at(kOrder.node_count)> kNodes = [] {
    std::array<NodeShape, at(kOrder.node_count)> nodes{};
    std::copy_n(kOrder.nodes.begin(), nodes.size(), nodes.begin());
    return nodes;
  }();
  static constexpr std::array<BodyPlace, at(kBodyCount)> kBodyPlaces = [] {
    std::array<BodyPlace, at(kBodyCount)> places{};
    int x = 0, v = 0;
    unroll<kBodyCount>([&](auto i) {
      const int node = kOrder.body_node[at(i())];
      places[at(i())] = {x, v, kDimensions[at(i())], kOrder.nodes[at(node)], node};
      x += pose_count<BodyAt<i()>>();
      v += kDimensions[at(i())];
    });
    return places;
  }();
  static constexpr std::array<ConstraintPlace, at(kConstraintCount)> kConstraintPlaces = [] {
    std::array<ConstraintPlace, at(kConstraintCount)> places{};
    int lambda = 0;
    for (int i = 0; i < kConstraintCount; ++i) {
      places[at(i)] = detail::place_constraint(kOrder, i, kLinks[at(i)], kDimensions, lambda);
      lambda = places[at(i)].lambda + kLinks[at(i)].dimension;
    }
    return places;
  }();
  static constexpr MechanismCounts kCounts = [] {
    MechanismCounts counts = {
        .bodies = kBodyCount, .constraints = kConstraintCount, .auxiliary = kOrder.auxiliary_rows};
    unroll<kBodyCount>([&](auto i) { counts.x += pose_count<BodyAt<i()>>(); });
    for (const int dimension : kDimensions) counts.v += dimension;
    for (const Link& link : kLinks) {
      counts.lambda += link.joins ? 0 : link.dimension;
      counts.terms += link.dimension;
      counts.velocity_rows += std::popcount(link.velocity_rows);
      counts.soft += link.softness.yields() ? 1 : 0;
    }
    return counts;
  }();
  // A record's numbers in the scalar, so that nothing is converted at run time.
  template <const auto& kRecords, int kIndex>
  static constexpr auto kNumbers = [] {
    std::array<T, kRecords[at(kIndex)].numbers.size()> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = static_cast<T>(kRecords[at(kIndex)].numbers[i]);
    }
    return numbers;
  }();

 public:
  static constexpr int kMaxBodies = kBodyCount, kMaxConstraints = kConstraintCount;
  static constexpr int kMaxDimension = [] {
    int most = 0;
    for (const int dimension : kDimensions) most = std::max(most, dimension);
    return most;
  }();
  static constexpr int kMaxRows = [] {
    int most = 0;
    for (const Link& link : kLinks) most = std::max(most, link.dimension);
    return most;
  }();
  static constexpr int kMaxX = kCounts.x, kMaxV = kCounts.v, kMaxLambda = kCounts.lambda;
  static constexpr int kMaxAuxiliary = kCounts.auxiliary, kMostConstraints = kConstraintCount;
  static constexpr int kMaxAuxiliaryTerms = kOrder.auxiliary_terms, kMaxTerms = kCounts.terms;
  static constexpr bool kMayYield = kCounts.soft > 0;
  static constexpr int kMaxBlocks = kOrder.sizes.blocks, kMaxUnknowns = kOrder.sizes.x;

  // Nodes beyond this are walked in a loop: code for each would not pay any more.
  static constexpr int kUnrolledNodes = 64;

  static constexpr MechanismCounts counts() { return kCounts; }
  static constexpr NodeSizes sizes() { return kOrder.sizes; }
  static constexpr auto nodes() {
    if constexpr (kOrder.node_count <= kUnrolledNodes) {
      return ConstantNodes<kNodes>{};
    } else {
      return NodeSpan{kNodes};
    }
  }
  static constexpr std::span<const NodeShape> forward() { return kNodes; }

  // Whether bodies and constraints have parameters with a meaning.
  static Status check() {
    Status status = Status::kOk;
    const auto keep = [&](Status next) {
      if (status == Status::kOk) status = next;
    };
    unroll<kBodyCount>([&](auto i) { keep(body<i()>().check()); });
    unroll<kConstraintCount>([&](auto i) { keep(check_constraint(constraint<i()>())); });
    return status;
  }

  template <class F>
  static void bodies(F&& f) {
    unroll<kBodyCount>([&](auto i) { f(body<i()>(), kBodyPlaces[at(i())]); });
  }

  template <class F>
  static void body(int index, F&& f) {
    unroll<kBodyCount>([&](auto i) {
      if (i() == index) f(body<i()>(), kBodyPlaces[at(i())]);
    });
  }

  template <class F>
  static void constraints(F&& f) {
    unroll<kConstraintCount>([&](auto i) { f(kConstraintPlaces[at(i())], Evaluate<i()>{}); });
  }
  template <class F>
  static void constraint(int index, F&& f) {
    unroll<kConstraintCount>([&](auto i) {
      if (i() == index) f(kConstraintPlaces[at(i())], Evaluate<i()>{});
    });
  }
  static constexpr Link link(int i) { return kLinks[at(i)]; }
  template <class F>
  static void errors(const T* x, const T* v, const T& time, F&& f) {
    unroll<kConstraintCount>(
        [&](auto i) { f(kConstraintPlaces[at(i())], errors<i()>(x, v, time)); });
  }

 private:
  template <int kIndex>
  static BodyAt<kIndex> body() {
    return load<BodyAt<kIndex>>(kNumbers<Model::kBodies, kIndex>.data());
  }
  template <int kIndex>
  static ConstraintAt<kIndex> constraint() {
    return load<ConstraintAt<kIndex>>(kNumbers<Model::kConstraints, kIndex>.data());
  }

  template <int kIndex>
  struct Evaluate {
    template <Form kForm = Form::kWithValues>
    auto operator()(const T* x, const T* v, const T& time) const {
      constexpr int kA = kLinks[at(kIndex)].a, kB = kLinks[at(kIndex)].b;
      const auto own = constraint<kIndex>();
      if constexpr (kUsesFrames<ConstraintAt<kIndex>>) {
        return own.template evaluate<kForm>(end<kA>(), pose<kA>(x), velocity<kA>(v), end<kB>(),
                                            pose<kB>(x), velocity<kB>(v), time);
      } else {
        return own.evaluate(end<kA>(), pose<kA>(x), velocity<kA>(v), end<kB>(), pose<kB>(x),
                            velocity<kB>(v), time);
      }
    }
  };

  template <int kIndex>
  static auto errors(const T* x, const T* v, const T& time) {
    constexpr int kA = kLinks[at(kIndex)].a, kB = kLinks[at(kIndex)].b;
    const auto own = constraint<kIndex>();
    if constexpr (kUsesFrames<ConstraintAt<kIndex>>) {
      return own.errors(end<kA>().kinematics(pose<kA>(x), velocity<kA>(v), own.X_A).frame,
                        end<kB>().kinematics(pose<kB>(x), velocity<kB>(v), own.X_B).frame, time);
    } else {
      const auto all = Evaluate<kIndex>{}(x, v, time);
      return RowErrors<T, ConstraintAt<kIndex>::kDimension>{all.value, all.velocity_error};
    }
  }

  template <int kIndex>
  static auto end() {
    if constexpr (kIndex == kWorld) {
      return World<T>{};
    } else {
      return body<kIndex>();
    }
  }
  template <int kIndex>
  static auto pose(const T* x) {
    if constexpr (kIndex == kWorld) {
      return typename World<T>::Pose{};
    } else {
      return load<typename BodyAt<kIndex>::Pose>(x + kBodyPlaces[at(kIndex)].x);
    }
  }
  template <int kIndex>
  static auto velocity(const T* v) {
    if constexpr (kIndex == kWorld) {
      return Vector<T, 0>{};
    } else {
      return load<Vector<T, kDimensions[at(kIndex)]>>(v + kBodyPlaces[at(kIndex)].v);
    }
  }
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
