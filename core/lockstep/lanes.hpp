// Several numbers side by side, one operation on all of them: a scalar for the kernels. Each lane
// gets the bits that the kernel gives for its number alone, whatever the machine's vector width;
// where registers are narrower, the compiler splits the operation. Aligned to their size, which a
// compiler would otherwise do with some flags and not with others.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "lockstep/trig.hpp"

namespace lockstep {

// A truth for each lane; plain bool for plain numbers.
template <class T, int kWidth>
class LaneTruth {
 public:
  using Word = std::make_signed_t<typename TrigConstants<T>::Bits>;
  using Vector [[gnu::vector_size(sizeof(T) * kWidth)]] = Word;

  constexpr explicit(false) LaneTruth(bool all) : mask_(Word(all ? -1 : 0) - Vector{}) {}
  constexpr explicit LaneTruth(const Vector& mask) : mask_(mask) {}

  constexpr bool operator[](int lane) const { return mask_[lane] != 0; }
  constexpr const Vector& mask() const { return mask_; }
  friend constexpr LaneTruth operator&(const LaneTruth& a, const LaneTruth& b) {
    return LaneTruth(a.mask_ & b.mask_);
  }
  constexpr LaneTruth& operator&=(const LaneTruth& other) { return *this = *this & other; }

 private:
  alignas(sizeof(Vector)) Vector mask_;
};

// The bits of lanes, for sincos_kernel.
template <class T, int kWidth>
class LaneBits {
 public:
  using Word = typename TrigConstants<T>::Bits;
  using Vector [[gnu::vector_size(sizeof(T) * kWidth)]] = Word;

  constexpr LaneBits() : bits_{} {}
  constexpr explicit LaneBits(const Vector& bits) : bits_(bits) {}

  friend constexpr LaneBits operator^(const LaneBits& a, const LaneBits& b) {
    return LaneBits(a.bits_ ^ b.bits_);
  }
  friend constexpr LaneBits operator&(const LaneBits& a, const LaneBits& b) {
    return LaneBits(a.bits_ & b.bits_);
  }
  friend constexpr LaneBits operator-(const LaneBits& a, const LaneBits& b) {
    return LaneBits(a.bits_ - b.bits_);
  }
  friend constexpr LaneBits operator&(const LaneBits& a, Word b) { return LaneBits(a.bits_ & b); }
  friend constexpr LaneBits operator+(const LaneBits& a, Word b) { return LaneBits(a.bits_ + b); }
  friend constexpr LaneBits operator<<(const LaneBits& a, int places) {
    return LaneBits(a.bits_ << places);
  }

 private:
  alignas(sizeof(Vector)) Vector bits_;
};

template <class T, int kWidth>
class Lanes {
 public:
  using Vector [[gnu::vector_size(sizeof(T) * kWidth)]] = T;
  using Truth = LaneTruth<T, kWidth>;

  constexpr Lanes() : values_{} {}
  constexpr explicit(false) Lanes(T all) : values_(all - Vector{}) {}  // -0 stays -0
  template <std::floating_point Other>
  constexpr explicit Lanes(Other all) : Lanes(static_cast<T>(all)) {}
  constexpr explicit Lanes(const Vector& values) : values_(values) {}
  constexpr explicit Lanes(const std::array<T, kWidth>& values)
      : Lanes(values, std::make_index_sequence<kWidth>{}) {}

  constexpr T operator[](int lane) const { return values_[lane]; }
  constexpr void set(int lane, T value) { values_[lane] = value; }

  friend constexpr Lanes operator+(const Lanes& a, const Lanes& b) {
    return Lanes(a.values_ + b.values_);
  }
  friend constexpr Lanes operator-(const Lanes& a, const Lanes& b) {
    return Lanes(a.values_ - b.values_);
  }
  friend constexpr Lanes operator*(const Lanes& a, const Lanes& b) {
    return Lanes(a.values_ * b.values_);
  }
  friend constexpr Lanes operator/(const Lanes& a, const Lanes& b) {
    return Lanes(a.values_ / b.values_);
  }
  friend constexpr Lanes operator-(const Lanes& a) { return Lanes(-a.values_); }
  friend constexpr Truth operator>(const Lanes& a, const Lanes& b) {
    return Truth(typename Truth::Vector(a.values_ > b.values_));
  }
  friend constexpr Truth operator<=(const Lanes& a, const Lanes& b) {
    return Truth(typename Truth::Vector(a.values_ <= b.values_));
  }
  friend constexpr Truth operator==(const Lanes& a, const Lanes& b) {
    return Truth(typename Truth::Vector(a.values_ == b.values_));
  }
  friend constexpr Lanes select(const Truth& which, const Lanes& a, const Lanes& b) {
    return Lanes(Vector(which.mask() ? a.values_ : b.values_));
  }
  friend Lanes sqrt(const Lanes& x) {
    Lanes root;
    for (int k = 0; k < kWidth; ++k) root.set(k, std::sqrt(x[k]));
    return root;
  }
  friend constexpr void sincos(const Lanes& x, Lanes& s, Lanes& c) {
    sincos_kernel<T, Lanes, LaneBits<T, kWidth>>(x, s, c);
  }

 private:
  template <std::size_t... kLane>
  constexpr Lanes(const std::array<T, kWidth>& values, std::index_sequence<kLane...>)
      : values_{values[kLane]...} {}

  alignas(sizeof(Vector)) Vector values_;
};

// What a comparison of two T gives: bool, or a truth a lane.
template <class T>
using Truth = decltype(std::declval<T>() > std::declval<T>());

constexpr bool all(bool truth) { return truth; }
template <class T, int kWidth>
constexpr bool all(const LaneTruth<T, kWidth>& truth) {
  bool result = true;
  for (int k = 0; k < kWidth; ++k) result &= truth[k];
  return result;
}

constexpr bool any(bool truth) { return truth; }
template <class T, int kWidth>
constexpr bool any(const LaneTruth<T, kWidth>& truth) {
  bool result = false;
  for (int k = 0; k < kWidth; ++k) result |= truth[k];
  return result;
}

// What a truth says of one lane.
constexpr bool holds(bool truth, int) { return truth; }
template <class T, int kWidth>
constexpr bool holds(const LaneTruth<T, kWidth>& truth, int lane) {
  return truth[lane];
}

// The number that lanes hold; a plain number itself.
template <class T>
struct NumberIn {
  using Type = T;
  static constexpr int kLanes = 1;
};
template <class T, int kWidth>
struct NumberIn<Lanes<T, kWidth>> {
  using Type = T;
  static constexpr int kLanes = kWidth;
};
template <class T>
using NumberOf = typename NumberIn<T>::Type;
template <class T>
inline constexpr int kLanesOf = NumberIn<T>::kLanes;
template <class T>
inline constexpr bool kIsLanes = !std::is_same_v<NumberOf<T>, T>;

// What lanes bring with them.
template <class T>
requires(!kIsLanes<T>) constexpr T select(bool which, const T& a, const T& b) {
  return which ? a : b;
}

// Angles beyond it lose digits, for lanes too.
template <class T, int kWidth>
inline constexpr T kMaxAngle<Lanes<T, kWidth>> = kMaxAngle<T>;

// The numbers that one vector register holds, with the flags of this object.
template <class T>
inline constexpr int kNativeLanes = static_cast<int>(
#if defined(__AVX__)
    32
#elif defined(__SSE2__) || (defined(__ARM_NEON) && defined(__aarch64__))
    16
#else
    0
#endif
    / sizeof(T));

// The same with any flags: for what is kept, which all objects of a program must see alike.
template <class T>
inline constexpr int kWidestLanes = static_cast<int>(
#if defined(__x86_64__) || defined(__i386__)
    32
#elif defined(__aarch64__)
    16
#else
    0
#endif
    / sizeof(T));
static_assert(kNativeLanes<float> <= kWidestLanes<float>);

// Sine and cosine of several angles, a register's worth at a time.
template <int kCount, class T>
constexpr void sincos_each(const T* angle, T* s, T* c) {
  using lockstep::sincos;
  int i = 0;
  if constexpr (std::is_floating_point_v<T> && kNativeLanes < T >> 1) {
    constexpr int kWidth = kNativeLanes<T> < 4 ? kNativeLanes<T> : 4;
    for (; i + 1 < kCount; i += kWidth) {
      std::array<T, kWidth> some{};
      for (int k = 0; k < kWidth && i + k < kCount; ++k) {
        some[static_cast<std::size_t>(k)] = angle[i + k];
      }
      Lanes<T, kWidth> sine, cosine;
      sincos(Lanes<T, kWidth>(some), sine, cosine);
      for (int k = 0; k < kWidth && i + k < kCount; ++k) s[i + k] = sine[k], c[i + k] = cosine[k];
    }
  }
  for (; i < kCount; ++i) sincos(angle[i], s[i], c[i]);
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
