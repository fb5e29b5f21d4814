// What touches, and what is bounded, in a mechanism that steps by the tree.
#pragma once

#include "lockstep/maximal/contacts.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/table.hpp"
#include "text/error.hpp"

namespace lockstep::host {

template <class T>
class HostContacts {
 public:
  static constexpr int kMost = 128, kMostBounds = 32;
  using Contacts = maximal::Contacts<HostMechanism<T>, kMost, kMostBounds>;

  HostContacts(const Mechanism& mechanism, const HostMechanism<T>& table) : contacts_(table) {
    for (const auto& record : mechanism.colliders) {
      colliders_.push_back(contact::to_collider<T>(record, {}));
    }
    for (const auto& record : mechanism.bounds) bounds_.emplace_back(record);
    const Status status = contacts_.assign(
        {colliders_, mechanism.collider_pairs, maximal::to_ground<T>(mechanism.ground)}, bounds_);
    if (status == Status::kOk) return;
    throw Error("mechanism " + quote(mechanism.name) + ": collisions and limits: " +
                to_string(status) + " (room for " + std::to_string(kMostBounds) + " limits)");
  }

  Contacts& contacts() { return contacts_; }
  const Contacts& contacts() const { return contacts_; }
  Eigen::VectorXd forces(double dt) const {
    return contacts_.contact_impulse().template cast<double>() / dt;
  }
  Eigen::VectorXd bounds(double dt) const {
    Eigen::VectorXd all(static_cast<Eigen::Index>(bounds_.size()));
    for (int i = 0; i < all.size(); ++i) {
      all[i] = static_cast<double>(contacts_.bound_impulse(i)) / dt;
    }
    return all;
  }

 private:
  std::vector<contact::Collider<T>> colliders_;
  std::vector<maximal::JointBound<T>> bounds_;
  Contacts contacts_;
};

}  // namespace lockstep::host
