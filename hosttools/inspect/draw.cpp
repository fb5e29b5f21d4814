#include "inspect/draw.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

struct Strokes {
  std::string_view branch, last, pass, gap;
};
constexpr Strokes kAscii = {"|- ", "`- ", "|  ", "   "};
constexpr Strokes kUtf8 = {"\u251C\u2500 ", "\u2514\u2500 ", "\u2502  ", "   "};

std::string label(const Tree& tree, std::size_t i) {
  const Body& body = tree.bodies[i];
  const auto fixed_links =
      std::ranges::count(tree.frames, static_cast<int>(i), &NamedFrame::body) - 1;
  std::string text = std::to_string(i) + " " + quote(tree.link_names[i]) + ": " +
                     joint_name(body.joint) + " " + quote(tree.joint_names[i]) + ", " +
                     brief(body.mass, 6) + " kg";
  if (fixed_links > 0) text += ", " + std::to_string(fixed_links) + " fixed to it";
  if (body.damping != 0) text += ", damping " + brief(body.damping, 6);
  if (body.stiffness != 0) text += ", spring " + brief(body.stiffness, 6);
  if (body.armature != 0) text += ", armature " + brief(body.armature, 6);
  if (std::ranges::binary_search(tree.dependent, static_cast<int>(i))) text += ", dependent";
  if (body.mimic.body != kNone) text += ", mimics " + std::to_string(body.mimic.body);
  return text;
}

}  // namespace

Charset terminal_charset() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    std::string name;
    for (const char* c = value; *c != '\0'; ++c) {
      if (*c != '-') name += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
    }
    return name.find("utf8") != std::string::npos ? Charset::kUtf8 : Charset::kAscii;
  }
  return Charset::kAscii;
}

const char* joint_name(JointType joint) {
  constexpr std::array<const char*, kJointTypes> kNames = {"revolute", "prismatic", "ball",
                                                           "planar", "floating"};
  return kNames[static_cast<std::size_t>(joint)];
}

// Bodies stand depth first, so each is drawn as it comes; only whether a sibling follows, and the
// line to draw below it, must be known before.
std::string draw_tree(const Tree& tree, Charset charset) {
  const Strokes& strokes = charset == Charset::kUtf8 ? kUtf8 : kAscii;
  const std::size_t count = tree.bodies.size();
  std::vector<int> last_child(count + 1, kNone);  // of the world first, then of each body
  const auto slot = [](int parent) { return static_cast<std::size_t>(parent + 1); };
  for (std::size_t i = 0; i < count; ++i)
    last_child[slot(tree.bodies[i].parent)] = static_cast<int>(i);

  std::vector<std::string> below(count + 1);
  std::string text = "world\n";
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t parent = slot(tree.bodies[i].parent);
    const bool last = last_child[parent] == static_cast<int>(i);
    text += below[parent];
    text += last ? strokes.last : strokes.branch;
    text += label(tree, i) + "\n";
    below[i + 1] = below[parent] + std::string(last ? strokes.gap : strokes.pass);
  }
  return text;
}

}  // namespace lockstep::host
