#include "urdf/xacro.hpp"

#include "system/captured_run.hpp"
#include "text/one_line.hpp"

namespace lockstep::host {

namespace {

// robot.urdf.xacro and robot.xacro become robot.urdf, and no file itself.
std::string expanded_name(std::filesystem::path file) {
  const bool macros = file.extension() == ".xacro";
  file.replace_extension();
  if (file.extension() == ".urdf") file.replace_extension();
  return file.string() + (macros ? ".urdf" : "_expanded.urdf");
}

}  // namespace

std::string expand_macros(const std::filesystem::path& file, int line, const ScanLimits& limits,
                          Findings& findings) {
  std::error_code ignored;
  // an absolute path is never taken for an option
  const std::string path = std::filesystem::absolute(file, ignored).string();
  CapturedRun run = run_captured({"xacro", path}, limits.max_bytes);
  if (run.ended_well) return std::move(run.output);
  if (!run.found) {
    findings.error(line, "xacro", "the file has macros, and no program xacro is installed",
                   "where one is, run: xacro " + file.string() + " > " + expanded_name(file));
  } else if (run.output.size() > limits.max_bytes) {
    findings.error(line, "too-large",
                   "xacro writes more than " + std::to_string(limits.max_bytes) + " bytes",
                   "is it a robot description? If so, raise --max-bytes");
  } else {
    findings.error(
        line, "xacro",
        "xacro fails: " + (run.errors.empty() ? "it says nothing" : as_one_line(run.errors)),
        "correct it, or run xacro with the arguments that it needs");
  }
  return {};
}

}  // namespace lockstep::host
