// The model that an application runs: compiled into the image, or a table that arrives over the
// link. Both make solvers in the same way.
#pragma once

#include <cstdint>

#include "lockstep/static_model.hpp"
#include "lockstep/table_model.hpp"

namespace lockstep::firmware {

template <class Model, class T>
class Robot {  // compiled in
 public:
  using View = StaticModel<Model, T>;
  static constexpr bool kIsTable = false;

  View view() const { return {}; }
  std::uint64_t hash() const { return Model::kHash; }
  template <class S>
  S make() const {
    return S();
  }
};

template <class T, int kCapacity, bool kRotors>
class Robot<TableModel<T, kCapacity, kRotors>, T> {
 public:
  using View = TableModel<T, kCapacity, kRotors>;
  static constexpr bool kIsTable = true;

  const View& view() const { return table_; }
  View& table() { return table_; }
  std::uint64_t hash() const { return hash_; }
  void set_hash(std::uint64_t hash) { hash_ = hash; }  // 0: no model is there
  template <class S, class... More>
  S make(const More&... more) const {
    return S(table_, more...);
  }

 private:
  View table_;
  std::uint64_t hash_ = 0;
};

}  // namespace lockstep::firmware
