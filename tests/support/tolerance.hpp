// How far an answer is from its reference: max |x - ref| / max(1, max |ref|), the measure of the
// conformance data. Infinite where sizes differ or a number is NaN, so that no bound lets it pass.
#pragma once

#include <CppUTest/TestHarness.h>

#include <Eigen/Core>
#include <algorithm>
#include <limits>

namespace lockstep::test {

template <class X, class Reference>
double relative_error(const Eigen::DenseBase<X>& x, const Eigen::DenseBase<Reference>& reference) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (x.rows() != reference.rows() || x.cols() != reference.cols()) return kInfinity;
  if (x.size() == 0) return 0;
  const auto a = x.derived().template cast<double>().array().eval();
  const auto b = reference.derived().template cast<double>().array().eval();
  if (!a.allFinite() || !b.allFinite()) return kInfinity;
  return (a - b).abs().maxCoeff() / std::max(1.0, b.abs().maxCoeff());
}

// Fails with both numbers and a word on where; a NaN fails too.
inline void check_at_most(double bound, double value, const char* where, const char* file,
                          std::size_t line) {
  UtestShell* test = UtestShell::getCurrent();
  test->countCheck();
  if (value <= bound) return;
  test->fail(StringFromFormat("%s: %g is more than %g", where, value, bound).asCharString(), file,
             line);
}

}  // namespace lockstep::test

#define CHECK_AT_MOST(bound, value, where) \
  lockstep::test::check_at_most((bound), (value), (where), __FILE__, __LINE__)
