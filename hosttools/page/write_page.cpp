#include "page/write_page.hpp"

#include "page/card.hpp"
#include "page/scene.hpp"
#include "page/visuals.hpp"
#include "system/programs.hpp"
#include "system/write_file.hpp"

namespace lockstep::host {

namespace {

void write(const RunFacts& facts, const std::string& name, std::vector<CardSection> card,
           std::string scene, const Record& record, std::span<const EffortLimit> efforts) {
  if (!facts.options.empty()) card.insert(card.begin(), {"Options", facts.options});
  if (!facts.lines.empty()) card.insert(card.begin(), {"Run", facts.lines});
  card.push_back({"Made by", {{"lockstep", LOCKSTEP_VERSION}}});
  const RunPage run = {.title = name,
                       .subtitle = facts.subtitle,
                       .command = own_command(),
                       .card = std::move(card),
                       .events = facts.events,
                       .scene = std::move(scene)};
  write_file(facts.path, to_html(facts.page, run, record, efforts));
}

}  // namespace

void write_page(const RunFacts& facts, const LoadOptions& load, const RobotTrees& robot,
                const Bounds& bounds, const Record& record) {
  const Tree& tree = robot.computed;
  const Visuals visuals = read_visuals(load.file, load.read.limits, load.read.mesh);
  write(facts, tree.name, {{"Model", model_lines(load, tree)}, {"Cost", cost_lines(tree)}},
        scene_of(robot.whole, visuals, bounds, record.columns()), record,
        effort_limits(robot.whole, record.columns()));
}

void write_page(const RunFacts& facts, const LoadOptions& load, const Mechanism& mechanism,
                const Record& record) {
  write(facts, mechanism.name, {{"Model", model_lines(load, mechanism)}},
        scene_of(mechanism, record.columns()), record, {});
}

}  // namespace lockstep::host
