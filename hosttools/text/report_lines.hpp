// A report as people read it: values behind their names, one below the other.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lockstep::host {

class ReportLines {
 public:
  void add(const std::string& name, const std::string& value) { lines_.emplace_back(name, value); }

  const std::vector<std::pair<std::string, std::string>>& lines() const { return lines_; }
  std::string text() const {
    std::string text;
    for (const auto& [name, value] : lines_) {
      text += name + std::string(name.size() < 16 ? 16 - name.size() : 1, ' ') + value + "\n";
    }
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

}  // namespace lockstep::host
