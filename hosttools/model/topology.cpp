#include "model/topology.hpp"

#include <unordered_map>

#include "text/error.hpp"
#include "text/finding.hpp"

namespace lockstep::host {

namespace {

[[noreturn]] void fail(const Description& robot, const std::string& element,
                       const std::string& what) {
  throw Error(robot.file + ": " + element + ": " + what);
}

}  // namespace

std::vector<Visit> depth_first(const Description& robot) {
  std::unordered_map<std::string, int> link_of;
  for (const LinkDescription& link : robot.links) {
    if (!link_of.emplace(link.name, static_cast<int>(link_of.size())).second) {
      fail(robot, "link " + quote(link.name), "exists twice; rename one of the two");
    }
  }

  std::vector<bool> carried(robot.links.size());
  std::vector<std::vector<Visit>> children(robot.links.size());
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const JointDescription& joint = robot.joints[i];
    const auto find = [&](const std::string& name) {
      const auto found = link_of.find(name);
      if (found == link_of.end()) {
        fail(robot, "joint " + quote(joint.name),
             "link " + quote(name) + " does not exist; add it or correct the name");
      }
      return found->second;
    };
    const int parent = find(joint.parent_link);
    const int child = find(joint.child_link);
    if (carried[at(child)]) {
      fail(robot, "link " + quote(joint.child_link),
           "is the child of two joints; a link has one parent, remove one of the joints");
    }
    carried[at(child)] = true;
    children[at(parent)].push_back({child, parent, static_cast<int>(i)});
  }

  // no recursion: a chain may be as long as the file allows
  std::vector<Visit> order, pending;
  std::vector<bool> visited(robot.links.size());
  for (int root = 0; root < static_cast<int>(robot.links.size()); ++root) {
    if (carried[at(root)]) continue;
    pending.push_back({.link = root});
    while (!pending.empty()) {
      const Visit visit = pending.back();
      pending.pop_back();
      order.push_back(visit);
      const std::size_t link = at(visit.link);
      visited[link] = true;
      pending.insert(pending.end(), children[link].rbegin(), children[link].rend());
    }
  }
  for (std::size_t link = 0; link < robot.links.size(); ++link) {
    if (!visited[link]) {
      fail(robot, "link " + quote(robot.links[link].name),
           "its joints form a cycle without a root; remove one of them");
    }
  }
  return order;
}

}  // namespace lockstep::host
