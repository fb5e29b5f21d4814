// Equation (8) of Baraff 1996 at a state: a mechanism's M and J in the blocks of factor.hpp, and
// the values of its rows. Forming, factoring and solving are apart, for those who solve more often
// than they factor. Which right side makes which problem is lagrange.hpp's.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/maximal/forest_sweep.hpp"
#include "lockstep/maximal/node_blocks.hpp"
#include "lockstep/maximal/soft_rows.hpp"
#include "lockstep/rows/anticipate.hpp"
#include "lockstep/rows/dense.hpp"
#include "lockstep/rows/held.hpp"

namespace lockstep::maximal {

template <class MechanismType>
class SparseSystem {
 public:
  using Mechanism = MechanismType;
  using T = typename Mechanism::Scalar;
  using State = maximal::State<Mechanism>;
  using Solution = maximal::SystemSolution<Mechanism>;
  static constexpr bool kIsExact = true;

  SparseSystem() requires Mechanism::kIsStatic = default;
  explicit SparseSystem(const Mechanism& mechanism) : mechanism_(mechanism) {}

  // How rows that yield do so in the problems to come.
  void soften(const SoftStep<T>& step) {
    if constexpr (Mechanism::kMayYield) soft_step_ = step;
  }

  // H and the rows' values at the state.
  template <Form kForm = Form::kWithValues>
  Status form(const State& state) {
    if (const Status status = check_state(mechanism_, state); status != Status::kOk) return status;
    fill_bodies(state);
    const auto put = [&](const ConstraintPlace& place, const auto& blocks) {
      if (place.auxiliary) return put_auxiliary(place, blocks);
      put_jacobians(place, blocks, blocks_.data());
      if constexpr (Mechanism::kMayYield) {
        if (place.softness.yields()) put_compliance(place, compliance(place), blocks_.data());
      }
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
      if (status == Status::kOk) return anticipate();
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
    solve_forward(mechanism_.nodes(), blocks_.data(), x_.data());
    if constexpr (Mechanism::kMaxAuxiliary > 0) add_auxiliary_forces();
    solve_backward(mechanism_.nodes(), blocks_.data(), x_.data());
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

  // For rows beyond the mechanism's own, on what was factored: half a solve each; then what loops,
  // which hold, take from A = z^T D^-1 z.
  using Sweep = ForestSweep<Mechanism>;
  bool sweep(const BodyRow<T>& row, Sweep& z) const {
    return z.sweep(mechanism_.forward(), blocks_.data(), {&row, 1});
  }
  T product(const Sweep& a, const Sweep& b) const { return a.product(mechanism_.forward(), b); }
  static constexpr int kLoopRows = Mechanism::kMaxAuxiliary > 0 ? Mechanism::kMaxAuxiliary : 1;
  using LoopValues = rows::Values<T, kLoopRows>;
  // `pushed` is room for what each row's force does to the loops.
  template <int kMaxRows>
  void hold_loops(std::span<const Sweep> z, std::span<LoopValues> pushed,
                  rows::Matrix<T, kMaxRows>& A) const {
    if constexpr (Mechanism::kMaxAuxiliary > 0) {
      const int count = static_cast<int>(z.size()), loops = mechanism_.counts().auxiliary;
      for (int i = 0; i < count; ++i) {
        for (int l = 0; l < loops; ++l) {
          pushed[at(i)][at(l)] = product(auxiliary_.z[at(l)], z[at(i)]);
        }
      }
      for (int j = 0; j < count && loops > 0; ++j) {
        LoopValues mu = {};
        auxiliary_.factor.solve(pushed[at(j)], mu);
        for (int i = j; i < count; ++i) {
          T& entry = A[at(i)][at(j)];
          for (int l = 0; l < loops; ++l) entry = entry - mu[at(l)] * pushed[at(i)][at(l)];
          A[at(j)][at(i)] = entry;
        }
      }
    }
  }

  // Auxiliary rows that the others settle: they get no multiplier.
  int redundant_rows() const { return auxiliary_.redundant; }

  // After kSingular: the first constraint in Forward order that has no pivot, which spoils those
  // above it; kNone if it is a body that has none.
  int singular_constraint() const {
    int x = kNone;
    for (const NodeShape& n : mechanism_.forward()) {
      bool regular = true;
      for (int i = 0; i < n.dimension; ++i) {
        const T reciprocal = blocks_[at(n.D + i * (n.dimension + 1))];
        const bool wrong = n.kind == NodeKind::kBody         ? reciprocal < T(0)
                           : n.kind == NodeKind::kConstraint ? reciprocal > T(0)
                                                             : false;
        regular = regular && !wrong && is_finite(reciprocal);
      }
      if (regular) continue;
      x = n.x;
      break;
    }
    int next = 0, found = kNone;
    mechanism_.constraints([&](const ConstraintPlace& place, const auto&) {
      if (x != kNone && found == kNone && !place.auxiliary && place.node.x == x) found = next;
      ++next;
    });
    return found;
  }

  const RowValues<Mechanism>& rows() const { return rows_; }
  RowValues<Mechanism>& editable_rows() { return rows_; }
  const Mechanism& mechanism() const { return mechanism_; }

 private:
  T compliance(const ConstraintPlace& place) const {
    return T(1) / soft_step_.P(place.softness.template in<T>());
  }

  void fill_bodies(const State& state) {
    mechanism_.bodies([&]<class B>(const B& body, const BodyPlace& place) {
      const auto pose = load<typename B::Pose>(state.x.data() + place.x);
      put_mass(body.mass_matrix(pose), place.node, blocks_.data());
    });
  }

  // Rows beyond the forest (Baraff 1996, section 8): their forces are found first, from the k x k
  // system A mu + b = 0 with A = J H^-1 J^T, and then act on the forest like any other.
  struct Auxiliary {
    static constexpr int kRows = kLoopRows;
    static constexpr int kTerms = kRows + Mechanism::kMaxAuxiliaryTerms - Mechanism::kMaxAuxiliary;
    std::array<BodyRow<T>, at(kTerms)> terms;
    std::array<int, at(kRows + 1)> first;  // of each row's terms; a loop's row is one
    std::array<T, at(kRows)> alone;        // about the row's response if its bodies were free
    std::array<T, at(Mechanism::kMayYield ? kRows : 1)> compliance;
    std::array<Sweep, at(kRows)> z;
    rows::Matrix<T, kRows> A;
    rows::SymmetricFactor<T, kRows> factor;
    rows::Values<T, kRows> right, lacking, mu;
    int redundant = 0;
  };
  // For rows::anticipate.
  struct Sweeps {
    SparseSystem& own;

    static bool works(int) { return false; }
    bool sweep(int i) {
      Auxiliary& rows = own.auxiliary_;
      const int first = rows.first[at(i)], end = rows.first[at(i + 1)];
      return rows.z[at(i)].template sweep<Auxiliary::kTerms>(
          own.mechanism_.forward(), own.blocks_.data(),
          {rows.terms.data() + first, at(end - first)});
    }
    T product(int i, int j) const {
      return own.product(own.auxiliary_.z[at(i)], own.auxiliary_.z[at(j)]);
    }
  };
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
        a.node = place.a.number, a.x = place.a.node.x, a.dimension = place.a.dimension;
        b.node = place.b.number, b.x = place.b.node.x, b.dimension = place.b.dimension;
        take(blocks.J_A[at(i)], a);
        take(blocks.J_B[at(i)], b);
        if (!place.joins) auxiliary_.first[at(row)] = term;
        if constexpr (Mechanism::kMayYield) {
          const bool yields = place.softness.yields();
          if (!place.joins) auxiliary_.compliance[at(row)] = yields ? compliance(place) : T(0);
        }
        auxiliary_.first[at(row + 1)] = term + 1;
        detail::take_term(place, mobility(a, place.a.node) + mobility(b, place.b.node),
                          auxiliary_.alone[at(row)]);
      }
    }
  }

  template <class Row>
  static void take(const Row& J, typename BodyRow<T>::End& end) {
    // the world's has no columns, and no address
    if constexpr (std::tuple_size_v < Row >> 0)
      std::copy_n(J.begin(), end.dimension, end.J.begin());
  }

  // J M^-1 J^T by M's diagonal, which D holds until it is factored.
  T mobility(const typename BodyRow<T>::End& end, const NodeShape& node) const {
    T sum(0);
    for (int i = 0; i < end.dimension; ++i) {
      sum = sum + end.J[at(i)] * end.J[at(i)] / blocks_[at(node.D + i * (node.dimension + 1))];
    }
    return sum;
  }

  // Steps 3 and 4 of section 8.2: the matrix of equation (12), and its factor.
  Status anticipate() {
    const int count = mechanism_.counts().auxiliary;
    auto& A = auxiliary_.A;
    const Status status = rows::anticipate<T, Auxiliary::kRows>(Sweeps{*this}, count, A);
    if (status != Status::kOk) return status;
    constexpr T kShare = rows::kHeldByMechanism<T>;
    for (int i = 0; i < count; ++i) {
      T& own = A[at(i)][at(i)];
      if (rows::is_held(own, auxiliary_.alone[at(i)], kShare)) own = T(0);
      if constexpr (Mechanism::kMayYield) {
        if (auxiliary_.compliance[at(i)] > T(0)) own = own + auxiliary_.compliance[at(i)];
      }
      if (!is_finite(own)) return Status::kOverflow;
    }
    const auto element = [&](int i, int j) { return A[at(i)][at(j)]; };
    auxiliary_.redundant = count - auxiliary_.factor.factor(element, count, kShare);
    return Status::kOk;
  }

  // Step 5, between the two halves of a solve: the rows' forces join the right side.
  void add_auxiliary_forces() {
    auto& own = auxiliary_;
    const int count = mechanism_.counts().auxiliary;
    const std::span<const NodeShape> nodes = mechanism_.forward();
    for (int i = 0; i < count; ++i) {
      own.lacking[at(i)] = -(own.z[at(i)].rate(nodes, x_.data()) + own.right[at(i)]);
    }
    own.factor.solve(own.lacking, own.mu);
    for (int i = 0; i < count; ++i) own.z[at(i)].push(nodes, own.mu[at(i)], x_.data());
  }

  [[no_unique_address]] MechanismMember<Mechanism> mechanism_;
  std::array<T, at(Mechanism::kMaxBlocks)> blocks_;
  std::array<T, at(Mechanism::kMaxUnknowns)> x_;
  RowValues<Mechanism> rows_;
  std::conditional_t<Mechanism::kMayYield, SoftStep<T>, NoSoftRows> soft_step_;
  std::conditional_t<(Mechanism::kMaxAuxiliary > 0), Auxiliary, NoAuxiliary> auxiliary_;
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
