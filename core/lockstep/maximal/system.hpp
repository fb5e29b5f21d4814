// Equation (8) of Baraff 1996 at a state: a mechanism's M and J in the blocks of factor.hpp, and
// the values of its rows. Forming, factoring and solving are apart, for those who solve more often
// than they factor. Which right side makes which problem is lagrange.hpp's.
#pragma once

#include "lockstep/maximal/body_row.hpp"
#include "lockstep/maximal/node_blocks.hpp"
#include "lockstep/maximal/state.hpp"
#include "lockstep/rows/dense.hpp"

namespace lockstep::maximal {

template <class MechanismType>
class System {
 public:
  using Mechanism = MechanismType;
  using T = typename Mechanism::Scalar;
  using State = maximal::State<Mechanism>;
  using Solution = maximal::Solution<Mechanism>;
  static constexpr bool kIsExact = true;

  System() requires Mechanism::kIsStatic = default;
  explicit System(const Mechanism& mechanism) : mechanism_(mechanism) {}

  // H and the rows' values at the state.
  template <Form kForm = Form::kWithValues>
  Status form(const State& state) {
    if (const Status status = check_state(mechanism_, state); status != Status::kOk) return status;
    fill_bodies(state);
    const auto put = [&](const ConstraintPlace& place, const auto& blocks) {
      if (place.auxiliary) return put_auxiliary(place, blocks);
      put_jacobians(place, blocks, blocks_.data());
    };
    evaluate_rows<kForm>(mechanism_, state, rows_, put);
    return Status::kOk;
  }
  // The rows' errors alone; H or its factor stays.
  Status evaluate(const State& state) {
    if (const Status status = check_state(mechanism_, state); status != Status::kOk) return status;
    evaluate_errors(mechanism_, state, rows_);
    return Status::kOk;
  }
  // Of what was formed; the factor takes its place.
  Status factor() {
    const Status status = lockstep::factor(mechanism_.nodes(), blocks_.data());
    if constexpr (Mechanism::kMaxAuxiliary > 0) {
      if (status == Status::kOk) anticipate();
    }
    return status;
  }

  // The right side: force(body, place) for each body, value(i) for each row.
  template <class F>
  void set_bodies(F&& force) {
    mechanism_.bodies([&]<class B>(const B& body, const BodyPlace& place) {
      store(force(body, place), x_.data() + place.node.x);
    });
  }
  template <class F>
  void set_rows(F&& value) {
    mechanism_.constraints([&](const ConstraintPlace& place, const auto&) {
      T* right = place.auxiliary ? auxiliary_.right.data() : x_.data() + place.node.x;
      for (int i = 0; i < place.dimension; ++i) right[place.row + i] = value(place.lambda + i);
    });
  }

  // Of the right side, which it overwrites.
  Status solve(Solution& out) {
    const MechanismCounts counts = mechanism_.counts();
    if (out.v.size() != counts.v || out.lambda.size() != counts.lambda) return Status::kWrongSize;
    if constexpr (Mechanism::kMaxAuxiliary > 0) {
      if (counts.auxiliary > 0) add_auxiliary_forces();
    }
    lockstep::solve(mechanism_.nodes(), blocks_.data(), x_.data());
    if (!all_finite(x_.data(), mechanism_.sizes().x)) return Status::kOverflow;
    mechanism_.bodies([&]<class B>(const B&, const BodyPlace& place) {
      for (int i = 0; i < B::kDimension; ++i) out.v[place.v + i] = x_[at(place.node.x + i)];
    });
    mechanism_.constraints([&](const ConstraintPlace& place, const auto&) {
      const T* solved = place.auxiliary ? auxiliary_.mu.data() : x_.data() + place.node.x;
      for (int i = 0; i < place.dimension; ++i)
        out.lambda[place.lambda + i] = solved[place.row + i];
    });
    return Status::kOk;
  }

  // For rows beyond the mechanism's own, of what was factored: x has forces on bodies among `ways`,
  // and zeros, and gets the velocity changes there. Joints and loops hold. The ways of loops are
  // among them.
  template <class Ways>
  void respond(const Ways& ways, T* x) {
    lockstep::solve(ways, blocks_.data(), x);
    if constexpr (Mechanism::kMaxAuxiliary > 0) {
      if (mechanism_.counts().auxiliary > 0) close_loops(ways, x);
    }
  }

  // Auxiliary rows that the others settle: they get no multiplier.
  int redundant_rows() const { return auxiliary_.redundant; }

  const RowValues<Mechanism>& rows() const { return rows_; }
  const Mechanism& mechanism() const { return mechanism_; }

 private:
  void fill_bodies(const State& state) {
    mechanism_.bodies([&]<class B>(const B& body, const BodyPlace& place) {
      const auto pose = load<typename B::Pose>(state.x.data() + place.x);
      put_mass(body.mass_matrix(pose), place.node, blocks_.data());
    });
  }

  // Rows beyond the forest (Baraff 1996, section 8): their forces are found first, from the k x k
  // system A mu + b = 0 with A = J H^-1 J^T, and then act on the forest like any other.
  struct Auxiliary {
    static constexpr int kRows = Mechanism::kMaxAuxiliary > 0 ? Mechanism::kMaxAuxiliary : 1;
    static constexpr int kTerms = kRows + Mechanism::kMaxAuxiliaryTerms - Mechanism::kMaxAuxiliary;
    std::array<BodyRow<T>, at(kTerms)> terms;
    std::array<int, at(kRows + 1)> first;  // of each row's terms; a loop's row is one
    std::array<T, at(kRows)> alone;        // about the row's response if its bodies were free
    rows::Matrix<T, kRows> A;
    rows::SymmetricFactor<T, kRows> factor;
    rows::Values<T, kRows> right, mu;
    std::array<T, at(Mechanism::kMaxUnknowns)> x;
    int redundant = 0;

    T rate(int row, const T* bodies) const {
      T sum = terms[at(first[at(row)])].rate(bodies);
      for (int i = first[at(row)] + 1; i < first[at(row + 1)]; ++i) {
        sum = sum + terms[at(i)].rate(bodies);
      }
      return sum;
    }
    void push(int row, const T& force, T* bodies) const {
      for (int i = first[at(row)]; i < first[at(row + 1)]; ++i) terms[at(i)].push(force, bodies);
    }
  };
  // Joints that are off by 1e-4 leave 1e-8 of a row's response where there should be none.
  static constexpr T kHeld = sizeof(T) == sizeof(float) ? T(3e-5) : T(1e-8);
  struct NoAuxiliary {
    std::array<T, 1> right, mu;
    static constexpr int redundant = 0;
  };

  template <class AnyBlocks>
  void put_auxiliary(const ConstraintPlace& place, const AnyBlocks& blocks) {
    if constexpr (Mechanism::kMaxAuxiliary > 0) {
      for (int i = 0; i < place.dimension; ++i) {
        const int term = place.term + i, row = place.row + i;
        auto& [a, b] = auxiliary_.terms[at(term)].ends;
        a.x = place.a.node.x, a.dimension = place.a.dimension;
        b.x = place.b.node.x, b.dimension = place.b.dimension;
        std::copy_n(blocks.J_A[at(i)].begin(), a.dimension, a.J.begin());
        std::copy_n(blocks.J_B[at(i)].begin(), b.dimension, b.J.begin());
        if (!place.joins) auxiliary_.first[at(row)] = term;
        auxiliary_.first[at(row + 1)] = term + 1;
        detail::take_term(place, mobility(a, place.a.node) + mobility(b, place.b.node),
                          auxiliary_.alone[at(row)]);
      }
    }
  }

  // J M^-1 J^T by M's diagonal, which D holds until it is factored.
  T mobility(const typename BodyRow<T>::End& end, const NodeShape& node) const {
    T sum(0);
    for (int i = 0; i < end.dimension; ++i) {
      sum = sum + end.J[at(i)] * end.J[at(i)] / blocks_[at(node.D + i * (node.dimension + 1))];
    }
    return sum;
  }

  // What a unit force along each row does to all of them. Only nodes on the ways from their bodies
  // to the roots take part: O(k depth) for each of the k rows.
  void anticipate() {
    const int count = mechanism_.counts().auxiliary;
    const NodeSpan ways = mechanism_.auxiliary_nodes();
    T* x = auxiliary_.x.data();
    for (int j = 0; j < count; ++j) {
      ways.forward([&](const auto& n) { std::fill_n(x + n.x, n.dimension, T(0)); });
      auxiliary_.push(j, T(1), x);
      lockstep::solve(ways, blocks_.data(), x);
      for (int i = j; i < count; ++i) {
        auxiliary_.A[at(i)][at(j)] = auxiliary_.rate(i, x);
      }
    }
    // what the forest holds by itself is left with rounding, and with the square of its drift
    for (int i = 0; i < count; ++i) {
      T& own = auxiliary_.A[at(i)][at(i)];
      if (!(own > kHeld * auxiliary_.alone[at(i)])) own = T(0);
    }
    const auto element = [&](int i, int j) { return auxiliary_.A[at(i)][at(j)]; };
    auxiliary_.redundant = count - auxiliary_.factor.factor(element, count, kHeld);
  }

  // Solves for mu, and adds the rows' forces to the right side.
  void add_auxiliary_forces() {
    const int count = mechanism_.counts().auxiliary;
    T* x = auxiliary_.x.data();
    std::copy_n(x_.begin(), mechanism_.sizes().x, x);
    lockstep::solve(mechanism_.nodes(), blocks_.data(), x);
    rows::Values<T, Auxiliary::kRows> lacking;
    for (int i = 0; i < count; ++i) {
      lacking[at(i)] = -(auxiliary_.rate(i, x) + auxiliary_.right[at(i)]);
    }
    auxiliary_.factor.solve(lacking, auxiliary_.mu);
    for (int i = 0; i < count; ++i) auxiliary_.push(i, auxiliary_.mu[at(i)], x_.data());
  }

  // Adds what the loops' forces do, so that x breaks none.
  template <class Ways>
  void close_loops(const Ways& ways, T* x) {
    const int count = mechanism_.counts().auxiliary;
    rows::Values<T, Auxiliary::kRows> lacking;
    for (int i = 0; i < count; ++i) lacking[at(i)] = -auxiliary_.rate(i, x);
    auxiliary_.factor.solve(lacking, auxiliary_.mu);
    T* own = auxiliary_.x.data();
    ways.forward([&](const auto& n) { std::fill_n(own + n.x, n.dimension, T(0)); });
    for (int i = 0; i < count; ++i) auxiliary_.push(i, auxiliary_.mu[at(i)], own);
    lockstep::solve(ways, blocks_.data(), own);
    ways.forward([&](const auto& n) {
      for (int i = n.x; i < n.x + n.dimension; ++i) x[i] = x[i] + own[i];
    });
  }

  [[no_unique_address]] MechanismMember<Mechanism> mechanism_;
  std::array<T, at(Mechanism::kMaxBlocks)> blocks_;
  std::array<T, at(Mechanism::kMaxUnknowns)> x_;
  RowValues<Mechanism> rows_;
  std::conditional_t<(Mechanism::kMaxAuxiliary > 0), Auxiliary, NoAuxiliary> auxiliary_;
};

}  // namespace lockstep::maximal
