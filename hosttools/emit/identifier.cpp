#include "emit/identifier.hpp"

#include <algorithm>

#include "text/number.hpp"

namespace lockstep::host {

namespace {

// C++20's keywords and alternative operators.
constexpr std::string_view kKeywords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t "
    "char32_t char8_t class co_await co_return co_yield compl concept const const_cast "
    "consteval constexpr constinit continue decltype default delete do double dynamic_cast "
    "else enum explicit export extern false float for friend goto if inline int long mutable "
    "namespace new noexcept not not_eq nullptr operator or or_eq private protected public "
    "register reinterpret_cast requires return short signed sizeof static static_assert "
    "static_cast struct switch template this thread_local throw true try typedef typeid "
    "typename union unsigned using virtual void volatile wchar_t while xor xor_eq";

// Names that the header itself needs, and macros that compilers predefine.
constexpr std::string_view kTaken =
    "lockstep std kName kHash kBodies kForward kBackward kLinkNames kJoints kJointNames kFrames "
    "kFrameNames linux Types kBodyNames kConstraints kConstraintNames kInitialPoses "
    "kInitialVelocities kForces kGravity kColliders kColliderPoints kColliderNames "
    "kColliderPairs";

bool is_among(std::string_view words, const std::string& name) {
  const std::vector<std::string_view> known = words_of(words);
  return std::ranges::find(known, name) != known.end();
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string default_struct_name(const std::string& robot) {
  std::string name;
  for (const char c : robot) {
    if (is_letter(c) || is_digit(c)) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';  // never two in a row: such names are reserved
    }
  }
  if (!name.empty() && name.back() == '_') name.pop_back();
  if (name.empty()) return "robot_model";
  return (is_digit(name.front()) ? "robot_" : "") + name + "_model";
}

std::string why_not_struct_name(const std::string& name) {
  const auto fits = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
  if (name.empty() || is_digit(name.front()) || !std::ranges::all_of(name, fits)) {
    return "is no C++ identifier; use letters, digits and _, a letter first";
  }
  if (is_among(kKeywords, name)) return "is a keyword of C++; choose another name";
  if (is_among(kTaken, name)) return "means something else in the header; choose another name";
  return "";
}

}  // namespace lockstep::host
