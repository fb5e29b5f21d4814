#include "urdf/read.hpp"

#include <algorithm>

namespace lockstep::host {

namespace {

void forget_mimics(Examination& examination) {
  for (DraftJoint& joint : examination.draft.joints) joint.mimic.reset();
  for (Finding& finding : examination.findings) {
    if (finding.rule.starts_with("mimic-"))
      finding.severity = std::min(finding.severity, Severity::kWarning);
  }
}

Description finish(Examination examination, const std::string& file, const ReadOptions& options,
                   std::vector<Finding>& warnings) {
  if (options.ignore_mimic) forget_mimics(examination);
  refuse_errors(file, examination.findings);
  Description description = describe(examination.draft, file);
  Findings meshes;
  describe_collisions(examination.draft, options.mesh, description, meshes);
  refuse_errors(file, std::move(meshes).by_line());
  append_warnings(examination.findings, warnings);
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
