#include "page/encode.hpp"

#include <bit>
#include <cstdint>

namespace lockstep::host {

namespace {

template <class Word, class Number>
std::string little_endian(std::span<const Number> values) {
  std::string bytes;
  bytes.reserve(sizeof(Word) * values.size());
  for (const Number value : values) {
    const Word word = std::bit_cast<Word>(value);
    for (std::size_t i = 0; i < sizeof(Word); ++i) bytes += static_cast<char>(word >> 8 * i & 255);
  }
  return bytes;
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? kDigits[word >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

std::string base64_doubles(std::span<const double> values) {
  return base64(little_endian<std::uint64_t>(values));
}

std::string base64_floats(std::span<const float> values) {
  return base64(little_endian<std::uint32_t>(values));
}

}  // namespace lockstep::host
