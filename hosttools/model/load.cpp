#include "model/load.hpp"

#include <iostream>
#include <map>

#include "model/merge.hpp"

namespace lockstep::host {

void print_warnings(const LoadOptions& options, const std::vector<Finding>& warnings) {
  if (options.quiet) return;
  const auto tell = [&options](const std::string& line) {
    options.tell ? options.tell(line) : void(std::cerr << line << '\n');
  };
  constexpr int kShown = 3;  // of each rule: an exporter makes one mistake on every joint
  std::map<std::string, int> count;
  for (const Finding& warning : warnings) {
    if (++count[warning.rule] > kShown) continue;
    tell(format_labelled(options.file, warning));
  }
  for (const auto& [rule, number] : count) {
    if (number <= kShown) continue;
    tell(options.file + ": " + std::to_string(number - kShown) + " more such; see: lockstep doctor " +
         options.file + " [" + rule + "]");
  }
}

Description read_description(const LoadOptions& options) {
  std::vector<Finding> warnings;
  Description description = read_urdf(options.file, options.read, warnings);
  print_warnings(options, warnings);  // they may tell why the next step fails
  return description;
}

Tree reduce_description(const LoadOptions& options, const Description& description) {
  Findings changes;
  Tree tree = reduce(description, options.reduce, changes);
  print_warnings(options, std::move(changes).by_line());
  return tree;
}

Tree load_tree(const LoadOptions& options) {
  const Tree tree = reduce_description(options, read_description(options));
  return options.keep_rotors ? tree : merge_rotors(tree);
}

}  // namespace lockstep::host
