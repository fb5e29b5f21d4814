// A frame constraint of a type that is known only at run time, for tables: evaluated once, into a
// plain struct of rows that trees and mechanisms both read. A template over the scalar and the list
// of types alone, so that 27 types are compiled once, whatever uses them; its verbs are not inline
// for the same reason. The same operations as the types' own, the same bits.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/constraint/catalogue.hpp"

namespace lockstep::constraint {

inline constexpr int kMostRows = 6;

template <class T>
struct AnyRows : Rows<T, kMostRows> {
  int count = 0;
  constexpr int size() const { return count; }
};

template <class T>
struct AnyErrors : RowErrors<T, kMostRows> {
  int count = 0;
  constexpr int size() const { return count; }
};

template <class T, class List = StandardConstraints<T>>
class AnyConstraint {
 public:
  Placement<T> X_A, X_B;  // each frame in its body

  AnyConstraint() = default;
  explicit AnyConstraint(const ConstraintRecord& record);

  int type() const { return type_; }
  int dimension() const;  // rows; none of an unknown type
  Status check() const;
  AnyRows<T> rows(const FrameMotion<T>& A, const FrameMotion<T>& B, const T& time) const;
  // Their values and rates alone.
  AnyErrors<T> errors(const FrameMotion<T>& A, const FrameMotion<T>& B, const T& time) const;

 private:
  static constexpr std::size_t kPlacements = 24;  // numbers of a record before its own

  // f(constraint) with its own type, if it looks through frames.
  template <class F>
  void visit(F&& f) const {
    visit_type(List{}, type_, [&]<class C>() {
      if constexpr (kUsesFrames<C>) f(load<decltype(C::constraint)>(numbers_.data()));
    });
  }

  int type_ = -1;
  std::array<T, kMaxConstraintNumbers - kPlacements> numbers_;
};

template <class T, class List>
AnyConstraint<T, List>::AnyConstraint(const ConstraintRecord& record) : type_(record.type) {
  std::array<T, kMaxConstraintNumbers> numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<T>(record.numbers[i]);
  X_A = load<Placement<T>>(numbers.data());
  X_B = load<Placement<T>>(numbers.data() + kPlacements / 2);
  std::copy(numbers.begin() + kPlacements, numbers.end(), numbers_.begin());
}

template <class T, class List>
int AnyConstraint<T, List>::dimension() const {
  int rows = 0;
  visit([&]<class C>(const C&) { rows = C::kDimension; });
  return rows;
}

template <class T, class List>
Status AnyConstraint<T, List>::check() const {
  Status status = Status::kBadConstraint;
  if (!is_placement(X_A) || !is_placement(X_B)) return status;
  visit([&](const auto& constraint) { status = check_constraint(constraint); });
  return status;
}

template <class T, class List>
AnyRows<T> AnyConstraint<T, List>::rows(const FrameMotion<T>& A, const FrameMotion<T>& B,
                                        const T& time) const {
  AnyRows<T> any;
  visit([&](const auto& constraint) {
    const auto rows = constraint.rows(A, B, time);
    any.count = rows.size();
    std::copy(rows.value.begin(), rows.value.end(), any.value.begin());
    std::copy(rows.a.begin(), rows.a.end(), any.a.begin());
    std::copy(rows.b.begin(), rows.b.end(), any.b.begin());
    std::copy(rows.phi_t.begin(), rows.phi_t.end(), any.phi_t.begin());
    std::copy(rows.bias.begin(), rows.bias.end(), any.bias.begin());
  });
  return any;
}

template <class T, class List>
AnyErrors<T> AnyConstraint<T, List>::errors(const FrameMotion<T>& A, const FrameMotion<T>& B,
                                            const T& time) const {
  AnyErrors<T> any;
  visit([&](const auto& constraint) {
    const auto errors = constraint::errors(constraint, A, B, time);
    any.count = errors.size();
    std::copy(errors.value.begin(), errors.value.end(), any.value.begin());
    std::copy(errors.velocity_error.begin(), errors.velocity_error.end(),
              any.velocity_error.begin());
  });
  return any;
}

}  // namespace lockstep::constraint

#include "lockstep/restore_macros.hpp"
