#include "chip/stack_bound.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "text/error.hpp"
#include "text/finding.hpp"

namespace lockstep::host {

namespace {

struct Function {
  std::optional<std::size_t> frame;  // nothing: defined elsewhere
  std::vector<std::string> calls;
};

using CallGraph = std::map<std::string, Function>;

// The text between the quotes that follow `key`.
std::string field(const std::string& line, const std::string& key) {
  const std::size_t begin = line.find(key + ": \"");
  if (begin == std::string::npos) return "";
  const std::size_t from = begin + key.size() + 3;
  return line.substr(from, line.find('"', from) - from);
}

std::optional<std::size_t> frame_of(const std::string& label) {
  static const std::regex kBytes("\\\\n([0-9]+) bytes \\((static|dynamic,bounded)\\)");
  static const std::regex kGrows("\\\\n[0-9]+ bytes \\(dynamic\\)");
  std::smatch match;
  if (std::regex_search(label, match, kBytes)) return std::stoul(match[1]);
  if (std::regex_search(label, kGrows)) throw Error("stack: " + label + ": has no bound");
  return std::nullopt;
}

CallGraph parse(const std::string& text) {
  CallGraph graph;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("node:")) {  // of several files, one has the frame
      Function& function = graph[field(line, "title")];
      if (const auto frame = frame_of(field(line, "label"))) function.frame = frame;
    }
    if (line.starts_with("edge:")) {
      graph[field(line, "sourcename")].calls.push_back(field(line, "targetname"));
    }
  }
  return graph;
}

class Depth {
 public:
  explicit Depth(const CallGraph& graph) : graph_(graph) {}

  std::size_t below(const std::string& name) {
    if (name == "__indirect_call") throw Error("stack: a call through a pointer has no bound");
    if (const auto known = known_.find(name); known != known_.end()) return known->second;
    if (!open_.insert(name).second) throw Error("stack: " + quote(name) + " calls itself");
    const Function& function = find(name);
    std::size_t deepest = 0;
    for (const std::string& callee : function.calls) deepest = std::max(deepest, below(callee));
    open_.erase(name);
    return known_[name] = function.frame.value_or(kLibraryStack) + deepest;
  }

 private:
  // A complete object's constructor or destructor may be another name for its base part's.
  const Function& find(const std::string& name) const {
    if (const auto found = graph_.find(name); found != graph_.end()) return found->second;
    // C1I: the constructor is a template; CI1: it is inherited
    for (const std::string_view kind : {"C1E", "C1I", "CI1", "D1E"}) {
      std::string base = name;
      const std::size_t at = base.rfind(kind);
      if (at == std::string::npos) continue;
      base[at + kind.find('1')] = '2';
      if (const auto found = graph_.find(base); found != graph_.end()) return found->second;
    }
    throw Error("stack: nothing is known of " + quote(name));
  }

  const CallGraph& graph_;
  std::map<std::string, std::size_t> known_;
  std::set<std::string> open_;
};

}  // namespace

std::size_t stack_bound(const std::string& call_graph, const std::string& function) {
  const CallGraph graph = parse(call_graph);
  if (!graph.contains(function)) throw Error("stack: no function " + quote(function));
  return Depth(graph).below(function);
}

}  // namespace lockstep::host
