#include "text/finding.hpp"

#include <algorithm>
#include <iterator>

#include "text/error.hpp"

namespace lockstep::host {

namespace {

std::string where(std::string_view file, const Finding& finding) {
  std::string text(file);
  if (finding.line > 0) text += ":" + std::to_string(finding.line);
  return text + ": ";
}

std::string what(const Finding& finding) {
  const std::string remedy = finding.remedy.empty() ? "" : "; " + finding.remedy;
  return finding.message + remedy + " [" + finding.rule + "]";
}

}  // namespace

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::kNote: return "note";
    case Severity::kWarning: return "warning";
    case Severity::kError: break;
  }
  return "error";
}

std::string format_finding(std::string_view file, const Finding& finding) {
  return where(file, finding) + what(finding);
}

std::string format_labelled(std::string_view file, const Finding& finding) {
  return where(file, finding) + to_string(finding.severity) + ": " + what(finding);
}

std::size_t printable_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  unsigned code = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return 0;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  const bool control = code < 0xA0;
  return overlong || surrogate || control || code > 0x10FFFF ? 0 : length;
}

std::string quote(std::string_view text) {
  constexpr std::size_t kMaxLength = 60;
  std::string result = "'";
  while (!text.empty()) {
    if (result.size() > kMaxLength) {
      result += "...";
      break;
    }
    const std::size_t length = printable_length(text);
    result += length == 0 ? std::string_view("?") : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result + "'";
}

void refuse_errors(const std::string& file, const std::vector<Finding>& findings) {
  const auto is_error = [](const Finding& f) { return f.severity == Severity::kError; };
  const auto first = std::ranges::find_if(findings, is_error);
  if (first == findings.end()) return;
  std::string message = format_finding(file, *first);
  if (const auto errors = std::ranges::count_if(findings, is_error); errors > 1) {
    message += " (one of " + std::to_string(errors) + " errors; see: lockstep doctor " + file + ")";
  }
  throw Error(message);
}

void append_warnings(const std::vector<Finding>& findings, std::vector<Finding>& warnings) {
  std::ranges::copy_if(findings, std::back_inserter(warnings),
                       [](const Finding& f) { return f.severity == Severity::kWarning; });
}

void Findings::add(Severity severity, int line, const char* rule, std::string message,
                   std::string remedy) {
  constexpr int kMaxCount = 1000;
  if (count_[static_cast<std::size_t>(severity)]++ >= kMaxCount) return;
  all_.push_back({severity, line, rule, std::move(message), std::move(remedy)});
}

std::vector<Finding> Findings::by_line() && {
  std::stable_sort(all_.begin(), all_.end(),
                   [](const Finding& a, const Finding& b) { return a.line < b.line; });
  return std::move(all_);
}

}  // namespace lockstep::host
