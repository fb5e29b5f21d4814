#include "urdf/scan.hpp"

#include <algorithm>

#include "system/read_file.hpp"
#include "text/xml.hpp"

namespace lockstep::host {

namespace {

constexpr int kKeptDepth = 64;  // tinyxml2 stops at 100
constexpr std::size_t kNowhere = std::string::npos;

int line_of(std::string_view text, std::size_t offset) {
  return 1 +
         static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(offset), '\n'));
}

void blank(std::string& text, std::size_t begin, std::size_t end) {
  std::replace_if(
      text.begin() + static_cast<long>(begin), text.begin() + static_cast<long>(end),
      [](char c) { return c != '\n'; }, ' ');
}

void scan_tags(std::string& text, int max_depth, Findings& findings) {
  const std::string_view view = text;
  int depth = 0;
  std::size_t deep = kNowhere;  // where the part to blank begins
  std::size_t end = 0;
  for (std::size_t at = view.find('<'); at != kNowhere; at = view.find('<', end)) {
    const std::string_view rest = view.substr(at);
    const bool closes = rest.starts_with("</");
    if (rest.starts_with("<!") && !rest.starts_with("<!--") && !rest.starts_with("<![CDATA[")) {
      findings.error(line_of(view, at), "doctype", "document type declaration or entity definition",
                     "remove it: URDF has none, and entities can expand without bound");
      return;
    }
    const Markup markup = markup_at(view, at);
    end = markup.end;
    if (markup.attributes > kMaxAttributes) {
      findings.error(line_of(view, at), "too-many-attributes",
                     "an element has more than " + std::to_string(kMaxAttributes) + " attributes",
                     "is it a robot description?");
      return;
    }
    if (end == kNowhere) {
      findings.error(line_of(view, at), "xml-syntax",
                     "what begins with " + quote(rest.substr(0, 20)) + " never ends",
                     "close it; is the file complete?");
      return;
    }
    if (rest[1] == '!' || rest[1] == '?') continue;

    depth = std::max(0, depth + (closes ? -1 : 1));
    if (depth > max_depth) {
      findings.error(line_of(view, at), "too-deep",
                     "elements are nested deeper than " + std::to_string(max_depth),
                     "correct the nesting, or raise --max-depth");
      return;
    }
    if (depth > kKeptDepth && deep == kNowhere) deep = at;
    if (!closes && view[end - 2] == '/') --depth;
    if (depth <= kKeptDepth && deep != kNowhere) {
      blank(text, deep, end);
      deep = kNowhere;
    }
  }
}

}  // namespace

std::string load(const std::filesystem::path& file, const ScanLimits& limits, Findings& findings) {
  FileText text = try_read_file(file, limits.max_bytes);
  if (!text.trouble.empty()) {
    findings.error(0, "unreadable", "the file " + text.trouble,
                   "check the path and its permissions");
    return {};
  }
  return std::move(text.bytes);
}

void scan(std::string& text, const ScanLimits& limits, Findings& findings) {
  if (text.size() > limits.max_bytes) {
    findings.error(0, "too-large",
                   "the file is larger than " + std::to_string(limits.max_bytes) + " bytes",
                   "is it a robot description? If so, raise --max-bytes");
    return;
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.replace(0, 3, 3, ' ');
  if (text.starts_with("\xFE\xFF") || text.starts_with("\xFF\xFE")) {
    findings.error(1, "not-xml", "the file is UTF-16", "save it as UTF-8");
    return;
  }
  if (const std::size_t nul = text.find('\0'); nul != kNowhere) {
    findings.error(line_of(text, nul), "nul-byte", "the text holds a NUL byte",
                   "is it a robot description? Save it as UTF-8 text");
    return;
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == kNowhere) {
    findings.error(0, "not-xml", "the file is empty", "give a URDF file");
    return;
  }
  if (text[first] != '<') {
    findings.error(line_of(text, first), "not-xml", "the text does not begin with '<'",
                   "give a URDF file");
    return;
  }
  scan_tags(text, limits.max_depth, findings);
}

}  // namespace lockstep::host
