// For run-mutants: a header that holds all of its changes, of which one acts, or none. MUTANT in
// the environment says which. `a + mutants::At<7>{} + b` is a + b, and a - b in mutant 7.
#pragma once

#include <cstdlib>

namespace mutants {

inline const int chosen = [] {
  const char* const number = std::getenv("MUTANT");
  return number == nullptr ? -1 : std::atoi(number);
}();
template <int k>
constexpr bool on() {
  return chosen == k;
}

template <int k>
struct At {};
template <class A, int k>
struct Left {
  const A& a;
};

#define MUTANTS_SWAP(op, other)                                    \
  template <class A, int k>                                        \
  constexpr Left<A, k> operator op(const A& a, At<k>) {            \
    return {a};                                                    \
  }                                                                \
  template <class A, int k, class B>                               \
  constexpr auto operator op(const Left<A, k>& left, const B& b) { \
    return on<k>() ? left.a other b : left.a op b;                 \
  }
MUTANTS_SWAP(+, -)
MUTANTS_SWAP(-, +)
MUTANTS_SWAP(*, /)
MUTANTS_SWAP(/, *)
MUTANTS_SWAP(<, <=)
MUTANTS_SWAP(<=, <)
MUTANTS_SWAP(>, >=)
MUTANTS_SWAP(>=, >)
MUTANTS_SWAP(==, !=)
MUTANTS_SWAP(!=, ==)
#undef MUTANTS_SWAP

#define MUTANTS_SWAP(op, other)                               \
  template <int k, class B>                                   \
  constexpr Left<B, k> operator op(At<k>, const B& b) {       \
    return {b};                                               \
  }                                                           \
  template <class A, class B, int k>                          \
  constexpr void operator op(A& a, const Left<B, k>& right) { \
    on<k>() ? void(a other right.a) : void(a op right.a);     \
  }
MUTANTS_SWAP(+=, -=)
MUTANTS_SWAP(-=, +=)
#undef MUTANTS_SWAP

// ++b, and --b in mutant k
template <int k>
struct Step {};
template <int k, class B>
constexpr B& operator*(Step<k>, B& b) {
  return on<k>() ? --b : ++b;
}

// -b, and b in mutant k
template <int k>
struct Minus {};
template <int k, class B>
constexpr auto operator*(Minus<k>, const B& b) {
  return on<k>() ? b : -b;
}

}  // namespace mutants
