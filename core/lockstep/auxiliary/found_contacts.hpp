// The contacts of a step, in a fixed room: those of the scene and those that were handed in.
#pragma once

#include <span>

#include "lockstep/auxiliary/bounded_settings.hpp"
#include "lockstep/auxiliary/step_result.hpp"
#include "lockstep/contact/contact_rows.hpp"
#include "lockstep/contact/scene.hpp"

namespace lockstep::auxiliary {

template <class T, contact::Ground<T> Ground, int kMaxContacts>
class FoundContacts {
 public:
  explicit FoundContacts(const contact::Scene<T, Ground>& scene) : scene_(scene) {}

  Status check(int bodies) const {
    if (kMaxContacts == 0) return scene_.colliders.empty() ? Status::kOk : Status::kTooManyRows;
    return scene_.check(bodies);
  }

  // `room`: for rows.
  Status find(std::span<const Placement<T>> X_WB, const BoundedSettings<T>& settings,
              std::span<const contact::Contact<T>> given, int room) {
    list_.clear();
    left_out_ = static_cast<int>(given.size());
    if constexpr (kMaxContacts > 0) {
      const Status status = contact::detect<T>(scene_.colliders, scene_.pairs, X_WB, scene_.ground,
                                               settings.margin(T(0)), list_);
      if (status != Status::kOk) return status;
      const auto has = [&](int body) {
        return body >= kWorld && body < static_cast<int>(X_WB.size());
      };
      for (const contact::Contact<T>& own : given) {
        if (!has(own.a) || !has(own.b)) return Status::kBadFrame;
        list_.add(own);
      }
      const int most = room / contact::kRowsOfContact;
      list_.shorten(most < settings.most_contacts ? most : settings.most_contacts);
      left_out_ = list_.dropped();
    }
    return Status::kOk;
  }

  int size() const { return list_.size(); }
  const contact::Contact<T>& operator[](int i) const { return list_[i]; }
  std::span<const contact::Contact<T>> span() const { return list_.span(); }

  // Of a contact's first row.
  RowKey key(int i) const {
    RowKey key = {.of = RowOf::kContact, .number = list_[i].a, .other = list_[i].b};
    for (int j = 0; j < i; ++j) {
      const bool same = list_[j].a == list_[i].a && list_[j].b == list_[i].b;
      key.count += same ? contact::kRowsOfContact : 0;
    }
    return key;
  }

  // `forces` of their rows.
  template <class Result>
  void report(const T* forces, Result& result) const {
    result.contact_count = list_.size();
    result.contacts_left_out = left_out_;
    if constexpr (kMaxContacts > 0) {
      for (int i = 0; i < list_.size(); ++i, forces += contact::kRowsOfContact) {
        const Vec3<T>&n = list_[i].normal, t = contact::across(n);
        result.contact_forces[at(i)] = {list_[i], forces[0],
                                        forces[1] * t + forces[2] * cross(n, t)};
      }
    }
  }

 private:
  contact::Scene<T, Ground> scene_;
  contact::ContactList<T, kMaxContacts> list_;
  int left_out_ = 0;
};

}  // namespace lockstep::auxiliary
