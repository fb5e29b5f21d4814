// Auxiliary rows over a tree (Baraff 1996, section 8): loop closures, couplings, limits, contacts.
// A row is a sum of terms, each on a body or on a joint, with J vdot + c its acceleration and K mu
// its force. Workless rows push where they measure (K = J^T): their terms do both.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lockstep/border.hpp"
#include "lockstep/constraint/frame.hpp"
#include "lockstep/joint.hpp"
#include "lockstep/status.hpp"

namespace lockstep::auxiliary {

enum class Side : std::uint8_t {
  kBoth,    // of J and of K
  kMotion,  // of J alone
  kForce,   // of K alone
};

// Linear in the velocities: value . V of the body, in its frame B; or, of a joint, value . S v.
template <class T>
struct Term {
  int body = kWorld;  // what the world would add is left out
  bool joint = false;
  Side side = Side::kBoth;
  Spatial<T> value{};
};

template <class T>
constexpr Term<T> wrench_term(int body, const Spatial<T>& wrench, Side side = Side::kBoth) {
  return {.body = body, .joint = false, .side = side, .value = wrench};
}

// On coordinate k of the joint's velocities.
template <class T>
constexpr Term<T> joint_term(JointType joint, int body, int k, const T& coefficient,
                             Side side = Side::kBoth) {
  Term<T> term{.body = body, .joint = true, .side = side};
  dispatch(joint, [&]<JointType kJoint>() {
    for_free_axes<kJoint>([&](auto i, auto axis) {
      if (i() == k) term.value[axis] = coefficient;
    });
  });
  return term;
}

template <class T>
struct Row {
  std::span<const Term<T>> terms;
  T bias;
  bool works;  // K is not J^T
};

// Rows in a fixed room. Their terms stand one after the other.
template <class T, int kMaxRows, int kMaxWorkingRows, int kMaxTerms>
class RowList {
 public:
  void clear() { count_ = working_ = term_count_ = 0; }
  int size() const { return count_; }
  bool has_working() const { return working_ > 0; }

  // Begins a row, to which terms are then appended. On any status but kOk it stays as it was.
  Status start(const T& bias) {
    if (count_ >= kMaxRows) return Status::kTooManyRows;
    if (!is_finite(bias)) return Status::kNotFinite;
    heads_[at(count_++)] = {term_count_, 0, bias, false};
    return Status::kOk;
  }
  Status append(const Term<T>& term) {
    if (term_count_ >= kMaxTerms) return Status::kTooManyRows;
    const Spatial<T>& value = term.value;
    if (!is_finite3(value.linear) || !is_finite3(value.angular)) {
      return Status::kNotFinite;
    }
    Head& head = heads_[at(count_ - 1)];
    if (term.side != Side::kBoth && !head.works) {
      if (working_ >= kMaxWorkingRows) return Status::kTooManyRows;
      head.works = true;
      ++working_;
    }
    ++head.count;
    terms_[at(term_count_++)] = term;
    return Status::kOk;
  }

  // Takes back the rows from number `count` on.
  void shorten(int count) {
    while (count_ > count) {
      const Head& last = heads_[at(--count_)];
      working_ -= last.works ? 1 : 0;
      term_count_ = last.first;
    }
  }

  Row<T> operator[](int i) const {
    const Head& head = heads_[at(i)];
    return {{terms_.data() + head.first, at(head.count)}, head.bias, head.works};
  }

 private:
  struct Head {
    int first, count;
    T bias;
    bool works;
  };

  std::array<Head, at(kMaxRows)> heads_;
  std::array<Term<T>, at(kMaxTerms)> terms_;
  int count_ = 0, working_ = 0, term_count_ = 0;
};

}  // namespace lockstep::auxiliary

#include "lockstep/restore_macros.hpp"
