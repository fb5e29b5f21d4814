// What is wrong with a robot's file, where, and what to do about it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::host {

enum class Severity {
  kNote,     // harmless or a matter of taste; `doctor` mentions it
  kWarning,  // readable but probably not what was meant; `compile` warns, `doctor` exits with 1
  kError,    // has no meaning; nothing is read
};

struct Finding {
  Severity severity = Severity::kError;
  int line = 0;         // 0: the file as a whole
  std::string rule;     // "zero-axis"
  std::string message;  // "joint 'elbow': axis has zero length"
  std::string remedy;   // "give a non-zero <axis xyz=...>"
};

const char* to_string(Severity severity);

// arm.urdf:12: joint 'elbow': axis has zero length; give a non-zero <axis xyz=...> [zero-axis]
std::string format_finding(std::string_view file, const Finding& finding);

// The same with the severity before the message, as compilers print it.
std::string format_labelled(std::string_view file, const Finding& finding);

// Text from a file made fit for a message: quoted, clipped, control characters and broken UTF-8
// replaced.
std::string quote(std::string_view text);

// The length of the UTF-8 character at the start of text; 0 if it is none or a control character.
std::size_t printable_length(std::string_view text);

// Throws Error with the first error, if there is one, and how many there are.
void refuse_errors(const std::string& file, const std::vector<Finding>& findings);

void append_warnings(const std::vector<Finding>& findings, std::vector<Finding>& warnings);

// Collects findings; the rules' only output. Keeps the first thousand of each severity: a hostile
// file must not fill the memory.
class Findings {
 public:
  void error(int line, const char* rule, std::string message, std::string remedy) {
    add(Severity::kError, line, rule, std::move(message), std::move(remedy));
  }
  void warning(int line, const char* rule, std::string message, std::string remedy) {
    add(Severity::kWarning, line, rule, std::move(message), std::move(remedy));
  }
  void note(int line, const char* rule, std::string message, std::string remedy) {
    add(Severity::kNote, line, rule, std::move(message), std::move(remedy));
  }
  void add(Severity severity, int line, const char* rule, std::string message, std::string remedy);
  bool has_error() const { return count_[static_cast<std::size_t>(Severity::kError)] > 0; }
  std::vector<Finding> by_line() &&;  // one line's findings stay in the order they were made

 private:
  std::vector<Finding> all_;
  std::array<int, 3> count_ = {};  // by severity
};

}  // namespace lockstep::host
