// Constraints as plain numbers: what the host tool emits, what a table holds, what a hash covers.
// A record names a type by its place in a list of types and gives the type's members in their
// order, so that a type of a user's own needs no code besides itself. SI units, radians.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "lockstep/model.hpp"

namespace lockstep::constraint {

inline constexpr int kMaxConstraintNumbers = 32;  // two placements, and eight of the type itself

// Where a constraint stands in the order of elimination. One that is eliminated before its parent
// needs a child that can follow all of its rows, whatever the parent does. Last of its tree, as the
// root, or apart from it, as an auxiliary one, it needs no more than independent rows.
enum class Standing : std::uint8_t { kOrdered, kRoot, kAuxiliary };

struct ConstraintRecord {
  int type = 0;                // in Types::Constraints
  int a = kWorld, b = kWorld;  // bodies
  // of a Between: R_A by columns, p_A, R_B, p_B, then what its constraint holds
  std::array<double, kMaxConstraintNumbers> numbers = {};
  // A coupling is one row over any number of bodies, the sum of several of one row: all but the
  // first join the one before.
  bool joins = false;
  int turn_parts = 0;  // of a sum with angles: it counts up to turns over this; 0: as it is
  Standing standing = Standing::kOrdered;
  // of rows that yield, N/m and N s/m or N m/rad and N m s/rad; all zero: they do not
  double stiffness = 0, damping = 0;
  double armature = 0;  // kg or kg m^2, in maximal coordinates: an inertia on the row's own rate
  constexpr bool operator==(const ConstraintRecord&) const = default;
};

template <class... Ts>
struct TypeList {
  static constexpr int kSize = sizeof...(Ts);
  using Self = TypeList;  // also of a list that inherits
};

namespace detail {
template <int kIndex, class List>
struct TypeAtImpl;
template <int kIndex, class First, class... Rest>
struct TypeAtImpl<kIndex, TypeList<First, Rest...>> : TypeAtImpl<kIndex - 1, TypeList<Rest...>> {};
template <class First, class... Rest>
struct TypeAtImpl<0, TypeList<First, Rest...>> {
  using Type = First;
};
}  // namespace detail

template <class List, int kIndex>
using TypeAt = typename detail::TypeAtImpl<kIndex, typename List::Self>::Type;

// f.operator()<Type>() for the type that `index` names. False if it names none.
template <class... Ts, class F>
constexpr bool visit_type(TypeList<Ts...>, int index, F&& f) {
  int i = 0;
  return ((index == i++ ? (f.template operator()<Ts>(), true) : false) || ...);
}

// The largest f<Type>() over a list.
template <class... Ts, class F>
constexpr int largest_of(TypeList<Ts...>, F&& f) {
  return std::max({0, f.template operator()<Ts>()...});
}

// How many numbers a type holds: all of its members are scalars, or made of them.
template <class Type>
constexpr int number_count() {
  if constexpr (std::is_empty_v<Type>) {
    return 0;
  } else {
    using T = typename Type::Scalar;
    static_assert(std::is_trivially_copyable_v<Type> && sizeof(Type) % sizeof(T) == 0,
                  "a body or constraint holds nothing but numbers of its Scalar");
    return static_cast<int>(sizeof(Type) / sizeof(T));
  }
}

// A value from the numbers that it consists of, and back.
template <class Type, class T>
constexpr Type load(const T* numbers) {
  if constexpr (std::is_empty_v<Type>) {
    return {};
  } else {
    std::array<T, sizeof(Type) / sizeof(T)> own{};
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = numbers[i];
    return std::bit_cast<Type>(own);
  }
}
template <class Type, class T>
constexpr void store(const Type& value, T* numbers) {
  if constexpr (!std::is_empty_v<Type>) {
    const auto own = std::bit_cast<std::array<T, sizeof(Type) / sizeof(T)>>(value);
    for (std::size_t i = 0; i < own.size(); ++i) numbers[i] = own[i];
  }
}

template <class Type, std::size_t kSize>
constexpr Type from_numbers(const std::array<double, kSize>& numbers) {
  using T = typename Type::Scalar;
  constexpr auto kCount = static_cast<std::size_t>(number_count<Type>());
  static_assert(kCount <= kSize, "more members than a record has room for");
  std::array<T, kSize> own{};
  for (std::size_t i = 0; i < kCount; ++i) own[i] = static_cast<T>(numbers[i]);
  return load<Type>(own.data());
}

// The way back, for those who write records: Type's Scalar is double.
template <std::size_t kSize, class Type>
constexpr std::array<double, kSize> to_numbers(const Type& value) {
  static_assert(std::is_same_v<typename Type::Scalar, double>);
  static_assert(number_count<Type>() <= static_cast<int>(kSize));
  std::array<double, kSize> numbers{};
  store(value, numbers.data());
  return numbers;
}

}  // namespace lockstep::constraint

#include "lockstep/restore_macros.hpp"
