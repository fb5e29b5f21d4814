#include "doctor/checkup.hpp"

#include <algorithm>
#include <iterator>

#include "doctor/contact.hpp"
#include "doctor/mechanism.hpp"
#include "mechanism/read.hpp"
#include "model/reduce.hpp"
#include "text/error.hpp"
#include "urdf/read.hpp"

namespace lockstep::host {

std::vector<Finding> check_up(const std::filesystem::path& file, const ScanLimits& limits,
                              const MeshOptions& meshes) {
  if (is_mechanism(file, limits)) return examine_mechanism(file, limits).findings;
  Examination examination = examine(file, limits);
  std::vector<Finding>& findings = examination.findings;
  const bool broken = std::any_of(findings.begin(), findings.end(),
                                  [](const Finding& f) { return f.severity == Severity::kError; });
  if (broken) return std::move(findings);
  Findings more;
  try {
    Description robot = describe(examination.draft, file.string());
    describe_collisions(examination.draft, meshes, robot, more);
    const Tree tree = reduce(robot, {});
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
