#include "urdf/xacro.hpp"

#include <algorithm>

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

int first_macro(std::string_view text) {
  constexpr std::string_view kComment = "<!--", kMacro = "<xacro:";
  // a file may have no macros but values such as ${pi / 2} and $(arg side)
  const bool declared = text.find("xmlns:xacro") != text.npos;
  for (std::size_t at = text.find_first_of("<$"); at != text.npos;
       at = text.find_first_of("<$", at + 1)) {
    const std::string_view rest = text.substr(at);
    const bool value = declared && (rest.starts_with("${") || rest.starts_with("$("));
    if (value || rest.starts_with(kMacro)) {
      return 1 + static_cast<int>(std::ranges::count(text.substr(0, at), '\n'));
    }
    if (!rest.starts_with(kComment)) continue;
    at = text.find("-->", at);
    if (at == text.npos) break;
  }
  return 0;
}

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
