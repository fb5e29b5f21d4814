#include "robot/ground.hpp"

#include <algorithm>
#include <sstream>

#include "system/read_file.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {


std::vector<double> numbers_of(std::string line, const std::string& where) {
  line.erase(std::min(line.find('#'), line.size()));
  std::ranges::replace(line, ',', ' ');
  std::istringstream words(line);
  std::vector<double> numbers;
  for (std::string word; words >> word;) {
    const auto number = parse_number(word);
    if (!number) throw Error(where + ": " + quote(word) + " is no number; give heights in m");
    numbers.push_back(*number);
  }
  return numbers;
}

void read_field(const std::string& path, Bounds& bounds) {
  std::istringstream stream(read_file(path, 64 * kMebibyte,
                                      "give --ground none, plane, a height in m, or a file with "
                                      "a line `x y spacing` and rows of heights"));
  firmware::Field& field = bounds.field;
  std::vector<double> heights;
  bool begun = false;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    const std::string where = path + ":" + std::to_string(number);
    const std::vector<double> numbers = numbers_of(line, where);
    if (numbers.empty()) continue;
    if (!begun) {
      if (numbers.size() != 3 || !(numbers[2] > 0)) {
        throw Error(where + ": give x and y of the first height and the spacing, in m");
      }
      field.x = numbers[0], field.y = numbers[1], field.spacing = numbers[2];
      begun = true;
      continue;
    }
    const int count = static_cast<int>(numbers.size());
    if (field.rows > 0 && count != field.columns) {
      throw Error(where + ": has " + std::to_string(count) + " heights, and the first row " +
                  std::to_string(field.columns) + "; give each row as many");
    }
    field.columns = count;
    ++field.rows;
    heights.insert(heights.end(), numbers.begin(), numbers.end());
  }
  if (field.rows < 2 || field.columns < 2) {
    throw Error(path + ": has " + std::to_string(field.rows) + " rows of " +
                std::to_string(field.columns) + " heights; give at least 2 of 2");
  }
  bounds.heights = std::make_shared<const std::vector<double>>(std::move(heights));
  field.heights = *bounds.heights;
}

}  // namespace

void read_ground(const std::string& text, Bounds& bounds) {
  if (text == "none") return;
  const auto height = parse_number(text == "plane" ? "0" : text);
  if (!height) return read_field(text, bounds);
  bounds.ground = true;
  bounds.height = *height;
}

}  // namespace lockstep::host
