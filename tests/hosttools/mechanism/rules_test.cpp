#include "mechanism/rules.hpp"

#include <algorithm>

#include "hosttools/mechanism/texts.hpp"
#include "system/programs.hpp"

using namespace lockstep::host;
using lockstep::test::door_with;
using lockstep::test::kDoor;
using lockstep::test::model_file;

namespace {

struct Case {
  std::string_view from, to;  // the change that breaks the door
  const char* rule;
  int line;
};

// Exactly one finding, and that one.
void check_warning(const Case& c) {
  const auto findings = examine_mechanism_text(door_with(c.from, c.to), {}).findings;
  std::string context = std::string(c.from) + " -> " + std::string(c.to);
  for (const Finding& f : findings) context += "\n  " + format_labelled("door.xml", f);
  CHECK_EQUAL_TEXT(1u, findings.size(), context.c_str());
  STRCMP_EQUAL_TEXT(c.rule, findings[0].rule.c_str(), context.c_str());
  CHECK_EQUAL_TEXT(c.line, findings[0].line, context.c_str());
  STRCMP_EQUAL_TEXT("warning", to_string(findings[0].severity), context.c_str());
  CHECK_TRUE_TEXT(!findings[0].message.empty() && !findings[0].remedy.empty(), context.c_str());
}

// That error at least: some have consequences.
void check_error(const Case& c) {
  const auto findings = examine_mechanism_text(door_with(c.from, c.to), {}).findings;
  std::string context = std::string(c.from) + " -> " + std::string(c.to);
  for (const Finding& f : findings) context += "\n  " + format_labelled("door.xml", f);
  const bool found = std::any_of(findings.begin(), findings.end(), [&](const Finding& f) {
    return f.severity == Severity::kError && f.rule == c.rule && f.line == c.line;
  });
  CHECK_TRUE_TEXT(found, context.c_str());
}

std::string first_message(const std::string& text) {
  const auto findings = examine_mechanism_text(text, {}).findings;
  return findings.empty() ? "" : format_finding("door.xml", findings[0]);
}

}  // namespace

TEST_GROUP(MechanismRules){};

TEST(MechanismRules, SoundMechanismHasNoFinding) {
  CHECK_EQUAL(0u, examine_mechanism_text(std::string(kDoor), {}).findings.size());
}

TEST(MechanismRules, BrokenCouplingsAreErrors) {
  const auto coupled = [](const char* name, const char* terms) {
    return "<coupling name=\"" + std::string(name) + "\">" + terms + "</coupling></mechanism>";
  };
  const std::pair<std::string, const char*> cases[] = {
      {coupled("belt", "<term constraint=\"hinge\"/>"), "coupling-terms"},
      {coupled("hinge", "<term constraint=\"hinge\"/>"), "duplicate-name"},
      {coupled("belt", "<term constraint=\"hing\"/>"), "unknown-constraint"},
      {coupled("belt", "<term/>"), "missing-attribute"},
      {coupled("belt", "<term constraint=\"screw\"/>"), "coupled-type"},
      {coupled("belt", "<term constraint=\"hinge\" factor=\"0\"/>"), "zero-factor"},
      {coupled("belt", "<term constraint=\"hinge\" factor=\"two\"/>"), "not-a-number"}};
  for (const auto& [text, rule] : cases) check_error({"</mechanism>", text, rule, 23});
  const std::string near =
      coupled("belt", "<term constraint=\"hinge\"/><term constraint=\"hing\"/>");
  STRCMP_CONTAINS("did you mean 'hinge'?", first_message(door_with("</mechanism>", near)).c_str());
}

TEST(MechanismRules, CouplingsHoldAtTheStart) {
  const std::string text = read_text(model_file("differential"));
  const auto findings = [&](const char* from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), std::string(from).size(), to);
    const auto found = examine_mechanism_text(changed, {}).findings;
    CHECK_EQUAL(1u, found.size());
    return format_finding("differential.xml", found[0]);
  };
  STRCMP_CONTAINS("coupling 'bevel_gears': does not hold at the initial poses",
                  findings("\"bevel_gears\"", "\"bevel_gears\" offset=\"0.5\"").c_str());
  STRCMP_CONTAINS("coupling 'bevel_gears': the initial velocities break it by",
                  findings("<moment xyz=\"0 0 0.6\"/>", "<velocity angular=\"0 0 1\"/>").c_str());
  const std::string twice =
      "<coupling name=\"again\"><term constraint=\"ring_bearing\" factor=\"4\"/>"
      "<term constraint=\"left_bearing\" factor=\"-2\"/>"
      "<term constraint=\"right_bearing\" factor=\"-2\"/></coupling></mechanism>";
  STRCMP_CONTAINS("coupling 'again': at the initial poses a row says",
                  findings("</mechanism>", twice).c_str());
}

TEST(MechanismRules, BrokenBodiesAreErrors) {
  const Case cases[] = {
      {"value=\"2\"", "value=\"2kg\"", "not-a-number", 4},
      {"value=\"2\"", "value=\"0\"", "massless", 4},
      {"value=\"2\"", "value=\"-2\"", "negative-mass", 4},
      {"    <mass value=\"2\"/>\n", "", "missing-element", 3},
      {" izz=\"0.1\"", "", "missing-attribute", 5},
      {"ixx=\"0.3\"", "ixx=\"-0.3\"", "negative-inertia", 5},
      {"izz=\"0.1\"", "izz=\"0.1\" ixy=\"0.5\"", "bad-inertia", 3},
      {"name=\"knob\"", "name=\"leaf\"", "duplicate-name", 9},
      {"type=\"rigid\"", "type=\"rigit\"", "body-type", 3},
      {"xyz=\"0.8 0 0\"/>\n  </body>", "rpy=\"0 0 1\"/>\n  </body>", "out-of-reach", 11},
      {"<velocity linear=\"0 0 0\"/>", "<velocity scale=\"1\"/>", "out-of-reach", 7},
      {"<velocity linear=\"0 0 0\"/>", "<scale value=\"2\"/>", "out-of-reach", 7},
  };
  for (const Case& c : cases) check_error(c);
}

TEST(MechanismRules, BrokenConstraintsAreErrors) {
  const Case cases[] = {
      {"type=\"ball\"", "type=\"bal\"", "constraint-type", 18},
      {"<b body=\"knob\"/>", "<b body=\"kob\"/>", "unknown-body", 20},
      {"<a body=\"leaf\"/>", "<a body=\"knob\"/>", "one-body", 18},
      {"<b body=\"leaf\"/>", "<b/>", "one-body", 13},
      {"<at xyz=\"0 0 0\"/>", "", "no-frame", 13},
      {"<b body=\"leaf\"/>", "<b body=\"leaf\"><origin/></b>", "frame-twice", 13},
      {"<at xyz=\"0 0 0\"/>", "<at xyz=\"0 0 0\"/><axis xyz=\"0 0 0\"/>", "zero-axis", 16},
      {"\"revolute\"", "\"driven_revolute\"", "missing-parameter", 13},
      {"type=\"ball\"", "type=\"distance\" length=\"-1\"", "not-positive", 18},
      {"name=\"screw\"", "name=\"hinge\"", "duplicate-name", 18},
      {"<b body=\"leaf\"/>", "<b body=\"knob\"/>", "out-of-reach", 13},  // does not turn
  };
  for (const Case& c : cases) check_error(c);
}

TEST(MechanismRules, WhatCannotYieldIsAnError) {
  const auto hinge = [](const std::string& dynamics) {
    return "<at xyz=\"0 0 0\"/><dynamics " + dynamics + "/>";
  };
  const std::string at = "<at xyz=\"0 0 0\"/>", ball = "type=\"ball\"", end = "</mechanism>";
  const auto belt = [](const std::string& softness) {
    return "<coupling name=\"belt\" " + softness +
           "><term constraint=\"hinge\"/><term constraint=\"hinge\"/></coupling></mechanism>";
  };
  const struct {
    std::string from, to;
    const char* rule;
    int line;
  } cases[] = {
      {ball, "type=\"ball\" stiffness=\"-1\"", "negative-dynamics", 18},
      {ball, "type=\"ball\" damping=\"-1\"", "negative-dynamics", 18},
      {ball, "type=\"ball\" stiffness=\"nan\"", "not-a-number", 18},
      {ball, "type=\"ball\" damping=\"inf\"", "not-a-number", 18},
      {ball, "type=\"ball\" stiffness=\"0\"", "holds-nothing", 18},
      {ball, "type=\"gear\" ratio=\"1\" stiffness=\"2\" damping=\"1\"", "cannot-yield", 18},
      {ball, "type=\"rolling_ball\" radius=\"1\" damping=\"1\"", "cannot-yield", 18},
      {ball, "type=\"rolling_disc\" radius=\"1\" stiffness=\"1\"", "cannot-yield", 18},
      {ball, "type=\"driven_distance\" stiffness=\"1\"", "cannot-yield", 18},
      {end, belt("stiffness=\"-2\""), "negative-dynamics", 23},
      {end, belt("damping=\"0\""), "holds-nothing", 23},
      {at, hinge("damping=\"-1\""), "negative-dynamics", 16},
      {at, hinge("spring_stiffness=\"-1\""), "negative-dynamics", 16},
      {at, hinge("armature=\"-1\""), "negative-dynamics", 16},
      {at, hinge("armature=\"nan\""), "not-a-number", 16},
      {at, hinge(""), "missing-attribute", 16},
      {"<at xyz=\"0.8 0 0\"/>", "<at xyz=\"0.8 0 0\"/><dynamics damping=\"1\"/>", "no-coordinate",
       21},
  };
  for (const auto& c : cases) check_error({c.from, c.to, c.rule, c.line});
  std::string twice = door_with(at, hinge("damping=\"1\""));
  twice.replace(twice.find("\"screw\""), 7, "\"hinge.passive\"");
  STRCMP_CONTAINS("constraint 'hinge': its <dynamics> has the name of another, 'hinge.passive'",
                  first_message(twice).c_str());
  check_warning({at, hinge("damping=\"1\" spring_reference=\"1\""), "unused", 16});
}

// What yields may be open, takes no freedom, and shares the node of what holds the same bodies.
TEST(MechanismRules, WhatYieldsMayBeOpen) {
  const auto clean = [](const std::string& more) {
    const auto findings = examine_mechanism_text(door_with("</mechanism>", more), {}).findings;
    std::string all;
    for (const Finding& f : findings) all += format_finding("door.xml", f) + "\n";
    STRCMP_EQUAL("", all.c_str());
  };
  clean(
      "<constraint name=\"stop\" type=\"point_on_plane\" stiffness=\"10\"><a/>"
      "<b body=\"knob\"/></constraint></mechanism>");
  clean(
      "<constraint name=\"bushing\" type=\"ball\" stiffness=\"10\"><a><origin xyz=\"0 1 0\"/>"
      "</a><b body=\"knob\"><origin/></b></constraint></mechanism>");
  clean(
      "<constraint name=\"again\" type=\"distance\" length=\"2\" damping=\"1\">"
      "<a body=\"knob\"/><b body=\"leaf\"/></constraint></mechanism>");
}

TEST(MechanismRules, DoubtfulThingsAreWarnings) {
  const Case cases[] = {
      {"ixx=\"0.3\"", "ixx=\"0.5\"", "triangle-inequality", 5},
      {"type=\"ball\"", "type=\"ball\" ratio=\"1\"", "unused", 18},
      {"<at xyz=\"0.8 0 0\"/>", "<at xyz=\"0.8 0 0\"/><motion/>", "unused", 18},
      {"<at xyz=\"0.8 0 0\"/>", "<at xyz=\"0.8 0 0\"/><axis xyz=\"1 0 0\"/>", "unused", 21},
      {"linear=\"0 0 0\"", "angular=\"0 0 0.1\" linear=\"0 0.04 0\"", "velocity-error", 18},
      {"<velocity linear", "<velocity lineer", "misspelt-attribute", 7},
  };
  for (const Case& c : cases) check_warning(c);
}

TEST(MechanismRules, GapIsTold) {
  std::string apart = door_with("<at xyz=\"0.8 0 0\"/>", "");
  apart.replace(apart.find("<b body=\"knob\"/>"), 16,
                "<b body=\"knob\"><origin xyz=\"0 0 0.25\"/></b>");
  apart.replace(apart.find("<a body=\"leaf\"/>"), 16,
                "<a body=\"leaf\"><origin xyz=\"0.35103302475615 -0.19177021544168 0\"/></a>");
  const std::string message = first_message(apart);
  CHECK_TRUE_TEXT(message.find("does not hold at the initial poses, by 0.25") != std::string::npos,
                  message.c_str());
}

TEST(MechanismRules, LoopIsNamed) {
  const std::string third = R"(  <body name="rod" type="rigid">
    <mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1"/>
  </body>
  <constraint name="left" type="ball"><a body="leaf"/><b body="rod"/><at/></constraint>
  <constraint name="right" type="distance"><a body="rod"/><b body="knob"/></constraint>
</mechanism>)";
  const std::string message = first_message(door_with("</mechanism>", third));
  CHECK_TRUE_TEXT(
      message.find("constraint 'right': closes a loop with 'left', 'screw'") != std::string::npos,
      message.c_str());
}

TEST(MechanismRules, TwoConstraintsBetweenTheSameBodiesAreALoop) {
  const std::string second =
      "<constraint name=\"again\" type=\"distance\"><a body=\"knob\"/><b body=\"leaf\"/>"
      "</constraint></mechanism>";
  const std::string message = first_message(door_with("</mechanism>", second));
  CHECK_TRUE_TEXT(message.find("'again': closes a loop with 'screw'") != std::string::npos,
                  message.c_str());
}

TEST(MechanismRules, WorldClosesNoLoopButMayHoldTwice) {
  const std::string second =
      "<constraint name=\"stop\" type=\"point_on_plane\"><a/><b body=\"knob\"/></constraint>"
      "</mechanism>";
  const auto findings = examine_mechanism_text(door_with("</mechanism>", second), {}).findings;
  CHECK_EQUAL(1u, findings.size());  // the hinge keeps the height already
  STRCMP_EQUAL("dependent-rows", findings[0].rule.c_str());
  STRCMP_EQUAL("warning", to_string(findings[0].severity));
}

TEST(MechanismRules, MisspeltNamesHaveASuggestion) {
  CHECK_TRUE(first_message(door_with("\"revolute\"", "\"revolut\"")).find("'revolute'") !=
             std::string::npos);
  CHECK_TRUE(first_message(door_with("<b body=\"knob\"/>", "<b body=\"kob\"/>")).find("'knob'") !=
             std::string::npos);
}
