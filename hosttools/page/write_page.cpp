#include "page/write_page.hpp"

#include <algorithm>
#include <limits>

#include "mechanism/content_hash.hpp"
#include "mechanism/summary.hpp"
#include "model/content_hash.hpp"
#include "model/summary.hpp"
#include "page/scene.hpp"
#include "page/visuals.hpp"
#include "system/programs.hpp"
#include "system/write_file.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

void write(const RunFacts& facts, const std::string& name, CardLines model, std::string scene,
           const Record& record, std::span<const EffortLimit> efforts) {
  model.emplace_back("made by", "lockstep " LOCKSTEP_VERSION);
  std::vector<CardSection> card;
  if (!facts.lines.empty()) card.push_back({"Run", facts.lines});
  card.push_back({"Model", std::move(model)});
  const RunPage run = {.title = name,
                       .subtitle = facts.subtitle,
                       .command = own_command(),
                       .card = std::move(card),
                       .events = facts.events,
                       .scene = std::move(scene)};
  write_file(facts.path, to_html(facts.page, run, record, efforts));
}

void add_count(CardLines& lines, const char* name, std::size_t count) {
  if (count != 0) lines.emplace_back(name, std::to_string(count));
}

}  // namespace

void write_page(const RunFacts& facts, const LoadOptions& load, const RobotTrees& robot,
                const Bounds& bounds, const Record& record) {
  const Tree& tree = robot.computed;
  double mass = 0;
  for (const Body& body : tree.bodies) mass += body.mass;
  const auto is_limited = [](const Body& body) {
    return body.limits.lower != -std::numeric_limits<double>::infinity() ||
           body.limits.upper != std::numeric_limits<double>::infinity();
  };
  CardLines model = {{"file", load.file},
                     {"size", summary(tree)},
                     {"mass", brief(mass, 6) + " kg, of what moves"}};
  add_count(model, "loops", tree.loops.size());
  add_count(model, "couplings", tree.couplings.size());
  add_count(model, "shapes", tree.colliders.size());
  add_count(model, "pairs", tree.collider_pairs.size());
  add_count(model, "limited joints",
            static_cast<std::size_t>(std::ranges::count_if(tree.bodies, is_limited)));
  model.emplace_back("model hash", hash_text(content_hash(tree)));
  const Visuals visuals = read_visuals(load.file, load.read.limits, load.read.mesh);
  write(facts, tree.name, std::move(model),
        scene_of(robot.whole, visuals, bounds, record.columns()), record,
        effort_limits(robot.whole, record.columns()));
}

void write_page(const RunFacts& facts, const LoadOptions& load, const Mechanism& mechanism,
                const Record& record) {
  CardLines model = {{"file", load.file}, {"size", summary(mechanism)}};
  add_count(model, "shapes", mechanism.colliders.size());
  model.emplace_back("model hash", hash_text(content_hash(mechanism)));
  write(facts, mechanism.name, std::move(model), scene_of(mechanism, record.columns()), record, {});
}

}  // namespace lockstep::host
