// Numbers, names, records and lists of them into a hash, in the order given.
#pragma once

#include <ranges>
#include <string_view>
#include <type_traits>

#include "lockstep/hash.hpp"

namespace lockstep::host {

template <class... Items>
void add(Hash& hash, const Items&... items) {
  const auto add_one = [&]<class Item>(const Item& item) {
    if constexpr (std::is_convertible_v<const Item&, std::string_view>) {
      hash.add(std::string_view(item));
    } else if constexpr (std::ranges::range<Item>) {
      hash.add_all(item);
    } else if constexpr (std::is_same_v<Item, std::size_t>) {
      hash.add(static_cast<std::uint32_t>(item));
    } else if constexpr (std::is_enum_v<Item> || std::is_same_v<Item, bool>) {
      hash.add(static_cast<std::uint8_t>(item));
    } else {
      hash.add(item);
    }
  };
  (add_one(items), ...);
}

}  // namespace lockstep::host
