// "Did you mean ...?": the known word nearest to a misspelt one.
#pragma once

#include <string_view>
#include <vector>

namespace lockstep::host {

// Empty if no candidate is near enough to be meant. Letter case does not count.
std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace lockstep::host
