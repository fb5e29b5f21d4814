#include "text/suggest.hpp"

#include <algorithm>
#include <numeric>

namespace lockstep::host {

namespace {

constexpr std::size_t kMaxWord = 64;         // longer words are no typing errors
constexpr std::size_t kMaxCandidates = 500;  // bounds the work on hostile files

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Insertions, deletions, replacements and swaps of neighbours that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = above;
    above = row;
  }
  return above.back();
}

}  // namespace

std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& known) {
  std::string_view best;
  if (word.empty() || word.size() > kMaxWord || known.size() > kMaxCandidates) return best;
  std::size_t least = word.size() <= 4 ? 2 : 3;  // a distance must stay below it
  for (const std::string_view candidate : known) {
    if (candidate.size() > word.size() + 2 || candidate.size() + 2 < word.size()) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least && distance < candidate.size()) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace lockstep::host
