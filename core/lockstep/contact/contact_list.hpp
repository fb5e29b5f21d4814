// Contacts in a fixed room, in the order in which they were found. What does not fit is counted;
// the deepest stay, of equals the first.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <span>

#include "lockstep/contact/ground.hpp"

namespace lockstep::contact {

// One point where A touches B, or is about to. World axes.
template <class T>
struct Contact {
  int a = kWorld, b = kWorld;  // bodies
  Vec3<T> point;               // halfway between the surfaces
  Vec3<T> normal;              // unit, out of B into A
  T distance;                  // m, negative where they overlap
  // m, how far above the point, in A and in B, is what carries it along: the centre of a rolling
  // ball. Zero for a corner.
  T rolling_a = T(0), rolling_b = T(0);
  Material<T> material;
};

template <class T, int kCapacity>
class ContactList {
 public:
  void clear() { count_ = dropped_ = 0; }
  int size() const { return count_; }
  int dropped() const { return dropped_; }  // found, and not in the list
  const Contact<T>& operator[](int i) const { return items_[at(i)]; }
  std::span<const Contact<T>> span() const { return {items_.data(), at(count_)}; }

  void add(const Contact<T>& contact) {
    if (count_ == kCapacity) {
      if (count_ == 0 || !(contact.distance < items_[at(shallowest())].distance)) {
        ++dropped_;
        return;
      }
      shorten(count_ - 1);
    }
    items_[at(count_++)] = contact;
  }

  // Leaves at most `count`, which is not negative.
  void shorten(int count) {
    for (; count_ > count; --count_, ++dropped_) {
      for (int i = shallowest(); i + 1 < count_; ++i) items_[at(i)] = items_[at(i) + 1];
    }
  }

 private:
  // Of equals the last.
  int shallowest() const {
    int least = 0;
    for (int i = 1; i < count_; ++i) {
      if (items_[at(i)].distance >= items_[at(least)].distance) least = i;
    }
    return least;
  }

  std::array<Contact<T>, at(kCapacity)> items_;
  int count_ = 0, dropped_ = 0;
};

}  // namespace lockstep::contact

#include "lockstep/restore_macros.hpp"
