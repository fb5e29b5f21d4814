// A mechanism's rows without their tree, as equation (6) of Bender 2007 has them: J and M^-1 J^T of
// each, over its one or two bodies, or more of a coupling. What methods that know no order of
// elimination begin with.
#pragma once

#include "lockstep/maximal/soft_rows.hpp"
#include "lockstep/rows/held.hpp"

namespace lockstep::host::methods {

using namespace maximal;

template <class MechanismType, int kMaxRows>
class FreeRows {
 public:
  using Mechanism = MechanismType;
  using T = typename Mechanism::Scalar;
  using State = maximal::State<Mechanism>;
  using Solution = maximal::SystemSolution<Mechanism>;

  FreeRows() requires Mechanism::kIsStatic = default;
  explicit FreeRows(const Mechanism& mechanism) : mechanism_(mechanism) {}

  template <Form kForm = Form::kWithValues>
  Status form(const State& state) {
    if (mechanism_.counts().terms > kMaxRows) return Status::kTooManyRows;
    if (const Status status = check_state(mechanism_, state); status != Status::kOk) return status;
    regular_ = true;
    mechanism_.bodies([&]<class B>(const B& body, const BodyPlace& place) {
      const auto M = body.mass_matrix(load<typename B::Pose>(state.x.data() + place.x));
      T* own = mass(place.node);
      for (int i = 0; i < B::kDimension; ++i) {
        for (int j = 0; j <= i; ++j) own[i * B::kDimension + j] = M[at(i)][at(j)];
      }
      regular_ &= lockstep::detail::factor_definite(NodeShape{.dimension = B::kDimension}, own);
    });
    int count = 0;
    const auto put_rows = [&](const ConstraintPlace& place, const auto& blocks) {
      for (int i = 0; i < place.dimension; ++i) {
        auto& [a, b] = terms_[at(count)];
        put(place.a, blocks.J_A[at(i)], a);
        put(place.b, blocks.J_B[at(i)], b);
        if (!place.joins) first_[at(place.lambda + i)] = count;
        first_[at(place.lambda + i + 1)] = ++count;
      }
    };
    evaluate_rows<kForm>(mechanism_, state, rows_, put_rows);
    return Status::kOk;
  }
  Status evaluate(const State& state) {
    if (const Status status = check_state(mechanism_, state); status != Status::kOk) return status;
    evaluate_errors(mechanism_, state, rows_);
    return Status::kOk;
  }

  template <class F>
  void set_bodies(F&& force) {
    mechanism_.bodies([&]<class B>(const B& body, const BodyPlace& place) {
      store(force(body, place), x_.data() + place.node.x);
    });
  }
  template <class F>
  void set_rows(F&& value) {
    for (int i = 0; i < mechanism_.counts().lambda; ++i) right_[at(i)] = value(i);
  }

  const RowValues<Mechanism>& rows() const { return rows_; }
  RowValues<Mechanism>& editable_rows() { return rows_; }
  const Mechanism& mechanism() const { return mechanism_; }

 protected:
  bool is_regular() const { return regular_; }

  // What row i's rate lacks as bodies move now, and how they move when it pushes.
  T lack(int i) const {
    T rate = right_[at(i)];
    for_ends(i, [&](const End& end) {
      for (int c = 0; c < end.dimension; ++c) rate = rate + end.J[at(c)] * x_[at(end.x + c)];
    });
    return -rate;
  }
  void push(int i, const T& lambda) {
    for_ends(i, [&](const End& end) {
      for (int c = 0; c < end.dimension; ++c) {
        x_[at(end.x + c)] = x_[at(end.x + c)] + lambda * end.response[at(c)];
      }
    });
  }
  // J_i M^-1 J_j^T: the rate of row i as row j pushes.
  T response(int i, int j) const {
    T sum(0);
    for_ends(i, [&](const End& own) {
      for_ends(j, [&](const End& other) {
        if (own.x != other.x || own.dimension == 0 || other.dimension == 0) return;
        for (int c = 0; c < own.dimension; ++c) {
          sum = sum + own.J[at(c)] * other.response[at(c)];
        }
      });
    });
    return sum;
  }

  // From the forces to what bodies do if no row pushes.
  void move_freely() {
    mechanism_.bodies([&]<class B>(const B&, const BodyPlace& place) {
      lockstep::detail::apply_inverse(NodeShape{.dimension = B::kDimension}, mass(place.node),
                                      x_.data() + place.node.x, 1);
    });
  }
  Status take_motion(Solution& out) const {
    const MechanismCounts counts = mechanism_.counts();
    if (out.v.size() != counts.v || out.lambda.size() != counts.lambda) return Status::kWrongSize;
    mechanism_.bodies([&]<class B>(const B&, const BodyPlace& place) {
      for (int i = 0; i < B::kDimension; ++i) out.v[place.v + i] = x_[at(place.node.x + i)];
    });
    return all_finite(out.v.data(), counts.v) ? Status::kOk : Status::kOverflow;
  }

  static constexpr T kHeld = rows::kHeldByMechanism<T>;

 private:
  static constexpr int kMaxColumns = lockstep::detail::kMaxColumns;

  struct End {
    int x = 0, dimension = 0;  // where the body's unknowns are
    std::array<T, at(kMaxColumns)> J, response;
  };

  template <class F>
  void for_ends(int row, F&& f) const {
    for (int i = first_[at(row)]; i < first_[at(row + 1)]; ++i) {
      for (const End& end : terms_[at(i)]) f(end);
    }
  }

  T* mass(const NodeShape& node) { return masses_.data() + node.x * kMaxColumns; }

  template <class Row>
  void put(const EndPlace& place, const Row& J, End& end) {
    end.x = place.node.x, end.dimension = place.dimension;
    std::copy_n(J.begin(), place.dimension, end.J.begin());
    std::copy_n(J.begin(), place.dimension, end.response.begin());
    lockstep::detail::apply_inverse(NodeShape{.dimension = place.dimension}, mass(place.node),
                                    end.response.data(), 1);
  }

 protected:
  [[no_unique_address]] MechanismMember<Mechanism> mechanism_;

 private:
  bool regular_ = false;
  std::array<T, at(Mechanism::kMaxUnknowns* kMaxColumns)> masses_;  // their factors
  std::array<std::array<End, 2>, at(kMaxRows)> terms_;
  std::array<int, at(kMaxRows + 1)> first_;  // of each row's terms
  std::array<T, at(Mechanism::kMaxUnknowns)> x_;
  std::array<T, at(kMaxRows)> right_;
  RowValues<Mechanism> rows_;
};

}  // namespace lockstep::host::methods
