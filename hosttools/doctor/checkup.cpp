#include "doctor/checkup.hpp"

#include <algorithm>

#include "error.hpp"
#include "mechanism/read.hpp"
#include "model/reduce.hpp"
#include "urdf/read.hpp"

namespace lockstep::host {

std::vector<Finding> check_up(const std::filesystem::path& file, const ScanLimits& limits) {
  if (is_mechanism(file, limits)) return examine_mechanism(file, limits).findings;
  Examination examination = examine(file, limits);
  std::vector<Finding>& findings = examination.findings;
  const bool broken = std::any_of(findings.begin(), findings.end(),
                                  [](const Finding& f) { return f.severity == Severity::kError; });
  if (broken) return std::move(findings);
  try {
    reduce(describe(examination.draft, file.string()), {});
  } catch (const Error& error) {
    // the error names the file, as the finding will
    std::string message = error.what();
    const std::string prefix = file.string() + ": ";
    if (message.starts_with(prefix)) message.erase(0, prefix.size());
    findings.push_back({Severity::kError, 0, "no-model", message, ""});
  }
  return std::move(findings);
}

}  // namespace lockstep::host
