// The contacts of a step, in a fixed room: those of the scene and those that were handed in, and
// the keys of their rows.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <span>

#include "lockstep/contact/contact_rows.hpp"
#include "lockstep/contact/scene.hpp"
#include "lockstep/rows/warm_start.hpp"

namespace lockstep::contact {

template <class T, Ground<T> G, int kMaxContacts>
class FoundContacts {
 public:
  FoundContacts() = default;
  explicit FoundContacts(const Scene<T, G>& scene) : scene_(scene) {}

  // Another scene; unchanged unless kOk.
  Status assign(const Scene<T, G>& scene, int bodies) {
    const Status status = check(scene, bodies);
    if (status == Status::kOk) scene_ = scene;
    return status;
  }
  Status check(int bodies) const { return check(scene_, bodies); }

  // What is within `margin`, and what was handed in; the deepest stay, at most so many.
  Status find(std::span<const Placement<T>> X_WB, const T& margin,
              std::span<const Contact<T>> given = {}, int most = kMaxContacts) {
    list_.clear();
    if constexpr (kMaxContacts > 0) {
      const Status status =
          detect<T>(scene_.colliders, scene_.pairs, X_WB, scene_.ground, margin, list_);
      if (status != Status::kOk) return status;
    }
    const auto has = [&](int body) {
      return body >= kWorld && body < static_cast<int>(X_WB.size());
    };
    for (const Contact<T>& own : given) {
      if (!has(own.a) || !has(own.b)) return Status::kBadFrame;
      list_.add(own);
    }
    list_.shorten(most);
    return Status::kOk;
  }

  int size() const { return list_.size(); }
  int dropped() const { return list_.dropped(); }  // without room
  const Contact<T>& operator[](int i) const { return list_[i]; }
  std::span<const Contact<T>> span() const { return list_.span(); }

  // Of a contact's first row.
  RowKey key(int i) const {
    RowKey key = {.of = RowOf::kContact, .number = list_[i].a, .other = list_[i].b};
    for (int j = 0; j < i; ++j) {
      const bool same = list_[j].a == list_[i].a && list_[j].b == list_[i].b;
      key.count += same ? kRowsOfContact : 0;
    }
    return key;
  }

  // `forces` of their rows.
  template <class Result>
  void report(const T* forces, Result& result) const {
    result.contact_count = list_.size();
    result.contacts_left_out = list_.dropped();
    if constexpr (kMaxContacts > 0) {
      for (int i = 0; i < list_.size(); ++i, forces += kRowsOfContact) {
        const auto [n, t, s] = directions(list_[i].normal);
        result.contact_forces[at(i)] = {list_[i], forces[0], forces[1] * t + forces[2] * s};
      }
    }
  }

 private:
  static Status check(const Scene<T, G>& scene, int bodies) {
    if (kMaxContacts == 0) return scene.colliders.empty() ? Status::kOk : Status::kTooManyRows;
    return scene.check(bodies);
  }

  Scene<T, G> scene_;
  ContactList<T, kMaxContacts> list_;
};

}  // namespace lockstep::contact

#include "lockstep/restore_macros.hpp"
