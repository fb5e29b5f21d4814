#include "urdf/xacro.hpp"

#include <algorithm>

#include "system/captured_run.hpp"

namespace lockstep::host {

namespace {

// The lines of another program's complaint as one, printable and not too long.
std::string as_one_line(std::string_view text) {
  constexpr std::size_t kMost = 300;
  std::string line;
  while (!text.empty() && line.size() < kMost) {
    const std::size_t length = printable_length(text);
    const bool gap = length == 0 || text[0] == ' ';
    if (!gap) line += text.substr(0, length);
    if (gap && !line.empty() && line.back() != ' ') line += ' ';
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  while (line.ends_with(' ')) line.pop_back();
  return line.empty() ? "it says nothing" : line;
}

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
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with(kMacro)) {
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
    findings.error(line, "xacro", "xacro fails: " + as_one_line(run.errors),
                   "correct it, or run xacro with the arguments that it needs");
  }
  return {};
}

}  // namespace lockstep::host
