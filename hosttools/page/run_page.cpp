#include "page/run_page.hpp"

#include <algorithm>
#include <cmath>

#include "page/encode.hpp"
#include "system/json_file.hpp"
#include "system/programs.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

constexpr std::string_view kPlace = "@LOCKSTEP_RUN@";

// A script element ends at the first </script>, whatever it is part of; a comment could hide that.
std::string without_markup(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

Json events_of(const RunPage& run, const Record& record, std::span<const EffortLimit> efforts,
               Json& notes) {
  std::vector<Event> events = find_events(record, efforts);
  events.insert(events.end(), run.events.begin(), run.events.end());
  std::ranges::stable_sort(events, {}, &Event::time);
  if (events.size() > kMostEvents) {
    // faults tell most, then what came first
    std::stable_partition(events.begin(), events.end(),
                          [](const Event& event) { return event.kind == "fault"; });
    notes.push_back("The first " + std::to_string(kMostEvents) + " of " +
                    std::to_string(events.size()) + " events are shown.");
    events.resize(kMostEvents);
    std::ranges::stable_sort(events, {}, &Event::time);
  }
  Json list = Json::array();
  for (const Event& event : events) {
    list.push_back({{"time", event.time}, {"kind", event.kind}, {"text", event.text}});
  }
  return list;
}

}  // namespace

std::vector<std::size_t> shown_rows(std::size_t rows, std::size_t columns) {
  const std::size_t bytes = sizeof(double) + sizeof(float) * columns;
  const std::size_t most =
      std::max<std::size_t>(2, std::min(kMostPageRows, kMostPageBytes / bytes));
  std::vector<std::size_t> shown;
  const std::size_t count = std::min(rows, most);
  for (std::size_t i = 0; i < count; ++i) {
    shown.push_back(count == rows ? i : i * (rows - 1) / (count - 1));
  }
  return shown;
}

std::string to_html(const std::string& page, const RunPage& run, const Record& record,
                    std::span<const EffortLimit> efforts) {
  const std::size_t place = page.find(kPlace);
  if (place == std::string::npos) {
    throw Error("the page of --report has no place for a run; build it again");
  }
  const std::vector<RecordColumn>& columns = record.columns();
  const std::vector<std::size_t> rows = shown_rows(record.steps(), columns.size());
  Json json;
  Json notes = Json::array();
  if (rows.size() < record.steps()) {
    notes.push_back("Shown are " + std::to_string(rows.size()) + " of " +
                    std::to_string(record.steps()) +
                    " rows, evenly spread; events are those of all rows.");
  }
  Json events = events_of(run, record, efforts, notes);
  json["title"] = run.title;
  json["subtitle"] = run.subtitle;
  json["version"] = LOCKSTEP_VERSION;
  json["command"] = run.command;
  json["card"] = Json::array();
  for (const CardSection& section : run.card) {
    json["card"].push_back({{"title", section.title}, {"lines", section.lines}});
  }
  json["notes"] = std::move(notes);
  json["events"] = std::move(events);
  json["columns"] = Json::array();
  json["base"] = Json::array();
  std::vector<double> times;
  for (const std::size_t row : rows) times.push_back(record.time(row));
  std::vector<float> values;
  values.reserve(rows.size() * columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double first = rows.empty() ? 0 : record.at(0, i);
    const double base = std::isfinite(first) ? first : 0;
    for (const std::size_t row : rows)
      values.push_back(static_cast<float>(record.at(row, i) - base));
    json["columns"].push_back({{"name", columns[i].name}, {"unit", columns[i].unit}});
    json["base"].push_back(base);
  }
  json["times"] = base64_doubles(times);
  json["values"] = base64_floats(values);
  json["scene"] = Json::parse(run.scene);
  // names may hold anything, broken UTF-8 too
  const std::string text = without_markup(json.dump(-1, ' ', true, Json::error_handler_t::replace));
  return page.substr(0, place) + text + page.substr(place + kPlace.size());
}

std::string built_page() {
  const std::string page = read_text(page_file());
  if (page.empty()) {
    throw Error(
        "--report: this program was built without node, which bundles the page; run "
        "toolchain/setup "
        "--page and build it again");
  }
  return page;
}

}  // namespace lockstep::host
