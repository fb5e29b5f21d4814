// A report as people read it: values behind their names, one below the other.
#pragma once

#include <string>

namespace lockstep::host {

class ReportLines {
 public:
  void add(const std::string& name, const std::string& value) {
    text_ += name + std::string(name.size() < 16 ? 16 - name.size() : 1, ' ') + value + "\n";
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace lockstep::host
