#include "doctor/checkup.hpp"

#include <algorithm>
#include <iterator>

#include "doctor/contact.hpp"
#include "doctor/mechanism.hpp"
#include "mechanism/read.hpp"
#include "text/error.hpp"

namespace lockstep::host {

std::vector<Finding> check_up(const std::filesystem::path& file, const ReadOptions& read,
                              const ReduceOptions& reduced) {
  if (is_mechanism(file, read.limits)) return examine_mechanism(file, read.limits).findings;
  return check_up_robot(file, read, reduced);
}

std::vector<Finding> check_up_robot(const std::filesystem::path& file, const ReadOptions& read,
                                    const ReduceOptions& reduced) {
  Examination examination = examine(file, read.limits);
  if (read.ignore_mimic) forget_mimics(examination);
  std::vector<Finding>& findings = examination.findings;
  const bool broken = std::any_of(findings.begin(), findings.end(),
                                  [](const Finding& f) { return f.severity == Severity::kError; });
  if (broken) return std::move(findings);
  Findings more;
  try {
    Description robot = describe(examination.draft, file.string());
    describe_collisions(examination.draft, read.mesh, robot, more);
    const Tree tree = reduce(robot, reduced, more);
    check_mechanism(robot, tree, more);
    check_contact(robot, tree, more);
  } catch (const Error& error) {
    // the error names the file, as the finding will
    std::string message = error.what();
    const std::string prefix = file.string() + ": ";
    if (message.starts_with(prefix)) message.erase(0, prefix.size());
    more.error(0, "no-model", message, "");
  }
  std::ranges::move(std::move(more).by_line(), std::back_inserter(findings));
  std::ranges::stable_sort(findings, {}, &Finding::line);
  return std::move(findings);
}

}  // namespace lockstep::host
