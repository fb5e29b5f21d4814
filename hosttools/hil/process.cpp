#include "hil/process.hpp"

#include <sys/socket.h>

#include <deque>

#include "hil/descriptor.hpp"
#include "system/child_process.hpp"
#include "text/number.hpp"

namespace lockstep::host::hil {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kKeptLines = 20, kKeptColumns = 400;

// The last lines of a text that comes in pieces.
class Tail {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      if (c == '\n') {
        end_line();
      } else if (line_.size() < kKeptColumns && c != '\r') {
        line_ += c;
      }
    }
  }

  std::string text() const {
    std::string all = listed(lines_, "\n");
    if (!line_.empty()) all += (all.empty() ? "" : "\n") + line_;
    return all;
  }

 private:
  void end_line() {
    if (line_.empty()) return;
    lines_.push_back(std::move(line_));
    line_.clear();
    if (lines_.size() > kKeptLines) lines_.pop_front();
  }

  std::deque<std::string> lines_;
  std::string line_;
};

class Process final : public DescriptorTransport {
 public:
  Process(std::string name, const std::vector<std::string>& words)
      : Process(std::move(name), std::make_unique<ChildProcess>(words)) {}

  std::string ended() override {
    // who closes the link is about to end
    if (!child_->has_ended(trouble().empty() ? 0ms : 100ms)) {
      return trouble().empty() ? "" : name_ + " " + trouble() + with_errors();
    }
    return name_ + " " + child_->how_it_ended() + with_errors();
  }

 private:
  Process(std::string name, std::unique_ptr<ChildProcess> child)
      : DescriptorTransport(std::move(child->link), std::move(child->errors)),
        name_(std::move(name)),
        child_(std::move(child)) {}

  ssize_t put(int file, std::span<const std::uint8_t> bytes) override {
    return ::send(file, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

  void hear(std::string_view text) override { errors_.add(text); }

  std::string with_errors() {
    listen_aside();
    const std::string text = errors_.text();
    return text.empty() ? "" : ": " + text;
  }

  std::string name_;
  std::unique_ptr<ChildProcess> child_;
  Tail errors_;
};

}  // namespace

std::unique_ptr<Transport> start_process(const std::string& name,
                                         const std::vector<std::string>& words) {
  return std::make_unique<Process>(name, words);
}

}  // namespace lockstep::host::hil
