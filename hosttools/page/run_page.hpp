// A run as one HTML file that needs nothing else: the page of hosttools/view with the record, the
// scene and the model card written into it. The same run gives the same bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "page/events.hpp"
#include "record/record.hpp"

namespace lockstep::host {

using CardLines = std::vector<std::pair<std::string, std::string>>;  // name and text

struct CardSection {
  std::string title;
  CardLines lines;
};

struct RunPage {
  std::string title, subtitle;  // the robot's name; what was done
  std::string command;
  std::vector<CardSection> card;
  std::vector<Event> events;  // beyond those that the record shows
  std::string scene;          // JSON, of page/scene.hpp
};

// What a page has room for: more rows than a screen has pixels, and bytes that a phone loads.
inline constexpr std::size_t kMostPageRows = 20'000, kMostPageBytes = 12u << 20;
inline constexpr std::size_t kMostEvents = 1000;

// Rows of a record that the page shows: all, or evenly spread ones with the first and the last.
std::vector<std::size_t> shown_rows(std::size_t rows, std::size_t columns);

// `page` is the built page. Throws Error if it has no place for a run.
std::string to_html(const std::string& page, const RunPage& run, const Record& record,
                    std::span<const EffortLimit> efforts);

// The built page of this program. Throws Error that tells how to get one where it was built without
// node; to be asked before a run, which may be long.
std::string built_page();

}  // namespace lockstep::host
