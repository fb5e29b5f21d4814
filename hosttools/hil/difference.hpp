// The first bit in which a target and its twin differ.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hil/remote.hpp"
#include "hil/twin.hpp"
#include "record/joint_columns.hpp"
#include "text/number.hpp"

namespace lockstep::host::hil {

struct Difference {
  std::uint64_t step = 0;
  std::string quantity;      // such as q[elbow]
  std::string target, twin;  // both values, in decimal and in bits

  std::string text() const {
    return "step " + std::to_string(step) + ": " + quantity + " differs: target " + target +
           ", host " + twin;
  }
};

// Nine or seventeen digits tell any two numbers apart; the bits tell even two NaNs.
template <class T>
std::string with_bits(T value) {
  if constexpr (sizeof(T) == 4) {
    return format("%.9g (0x%08x)", static_cast<double>(value), std::bit_cast<std::uint32_t>(value));
  } else {
    return format("%.17g (0x%016llx)", value,
                  static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(value)));
  }
}

template <class T>
std::optional<Difference> compare(std::uint64_t step, const std::string& quantity,
                                  const std::vector<std::string>& names, std::span<const T> target,
                                  std::span<const T> twin) {
  for (std::size_t i = 0; i < twin.size(); ++i) {
    if (same_bits(target[i], twin[i])) continue;
    return Difference{step, quantity + "[" + names[i] + "]", with_bits(target[i]),
                      with_bits(twin[i])};
  }
  return {};
}

// Compares plants; knows the names of their coordinates.
template <class T>
class PlantComparison {
 public:
  explicit PlantComparison(const Tree& tree) : names_(coordinate_names(tree)) {}

  std::optional<Difference> compare(const PlantState<T>& target, const PlantState<T>& twin) const {
    const auto look = [&](const char* quantity, const std::vector<std::string>& names,
                          const std::vector<T>& a, const std::vector<T>& b) {
      return hil::compare<T>(twin.step, quantity, names, a, b);
    };
    if (auto found = look("q", names_.q, target.q, twin.q)) return found;
    if (auto found = look("v", names_.v, target.v, twin.v)) return found;
    if (auto found = look("tau", names_.v, target.tau, twin.tau)) return found;
    if (target.step != twin.step || target.hash != twin.hash) {
      return Difference{twin.step, "hash", hash_text(target.hash), hash_text(twin.hash)};
    }
    return {};
  }

  // Both agreed on `before` and differed `count` steps later: halves the steps until the first that
  // differs is left, and says what it is.
  Difference find_first(PlantTarget<T>& target, PlantTwin<T>& twin, const PlantState<T>& before,
                        std::uint32_t count, const std::vector<T>& tau) const {
    PlantState<T> agreed = before;
    std::uint32_t left = count;
    for (;;) {
      target.set(agreed);
      twin.set(agreed);
      const std::uint32_t half = left == 1 ? 1 : left / 2;
      const PlantState<T> on_target = target.run(half, tau), on_host = twin.run(half, tau);
      const std::optional<Difference> found = compare(on_target, on_host);
      if (!found) {
        agreed = on_host;
        left -= half;
        if (left == 0) {
          return {before.step + count, "hash", "differed once", "and not when it was run again"};
        }
      } else if (half == 1) {
        return *found;
      } else {
        left = half;
      }
    }
  }

 private:
  CoordinateNames names_;
};

}  // namespace lockstep::host::hil
