#include "urdf/read.hpp"

#include <algorithm>
#include <iterator>

namespace lockstep::host {

void forget_mimics(Examination& examination) {
  for (DraftJoint& joint : examination.draft.joints) joint.mimic.reset();
  for (Finding& finding : examination.findings) {
    if (finding.rule.starts_with("mimic-"))
      finding.severity = std::min(finding.severity, Severity::kWarning);
  }
}

namespace {

Description finish(Examination examination, const std::string& file, const ReadOptions& options,
                   std::vector<Finding>& warnings) {
  if (options.ignore_mimic) forget_mimics(examination);
  refuse_errors(file, examination.findings);
  Description description = describe(examination.draft, file);
  Findings found;
  describe_collisions(examination.draft, options.mesh, description, found);
  const std::vector<Finding> meshes = std::move(found).by_line();
  refuse_errors(file, meshes);
  append_warnings(examination.findings, warnings);
  // without its meshes a robot falls through the ground: a note that everyone should see
  std::ranges::copy_if(meshes, std::back_inserter(warnings),
                       [](const Finding& f) { return f.rule == "missing-mesh"; });
  return description;
}

}  // namespace

Description read_urdf(const std::filesystem::path& file, const ReadOptions& options,
                      std::vector<Finding>& warnings) {
  return finish(examine(file, options.limits), file.string(), options, warnings);
}

Description read_urdf_text(std::string text, const std::string& file, const ReadOptions& options,
                           std::vector<Finding>& warnings) {
  return finish(examine_text(std::move(text), options.limits), file, options, warnings);
}

}  // namespace lockstep::host
