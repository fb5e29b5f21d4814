#include "sweep/share.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "robot/lane_stepping.hpp"
#include "sweep/crew.hpp"
#include "system/status_line.hpp"
#include "text/number.hpp"

namespace lockstep::host::sweep {

namespace fs = std::filesystem;

namespace {

std::string time_text(double seconds) {
  if (seconds < 100) return brief(seconds, 2) + " s";
  const auto minutes = static_cast<long>(seconds / 60);
  return minutes < 100
             ? std::to_string(minutes) + " min"
             : std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

// Neighbours stay together, for lanes.
bool is_own(const Share& share, std::uint64_t run) {
  return run / kStepLanes % static_cast<std::uint64_t>(share.count) ==
         static_cast<std::uint64_t>(share.rank);
}

}  // namespace

std::string Share::file() const {
  return base.empty() || count == 1 ? base : base + "." + std::to_string(rank);
}

std::vector<std::string> finished_files(const std::string& base) {
  std::vector<std::string> files;
  if (base.empty()) return files;
  const fs::path path(base);
  const std::string name = path.filename().string();
  std::error_code none;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    const std::string own = entry.path().filename().string();
    if (!own.starts_with(name)) continue;
    const std::string rest = own.substr(name.size());
    const bool numbered = rest.size() > 1 && rest[0] == '.' &&
                          rest.find_first_not_of("0123456789", 1) == std::string::npos;
    if (rest.empty() || numbered) files.push_back((path.parent_path() / own).string());
  }
  std::ranges::sort(files);
  return files;
}

void finish_share(const Question& question, const Share& share, FinishedRuns& finished) {
  std::vector<std::uint64_t> left;
  std::size_t whole = 0;
  for (std::uint64_t run = 0; run < question.plan.runs(); ++run) {
    if (!is_own(share, run)) continue;
    ++whole;
    if (!finished.contains(run)) left.push_back(run);
  }
  std::unique_ptr<FinishedFile> file;  // from the first on: one that holds nothing helps nobody
  StatusLine status;
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  std::size_t done = 0;
  run_all(question, left, share.threads, [&](const Finished& own) {
    if (!file && !share.base.empty()) {
      file = std::make_unique<FinishedFile>(share.file(), question);
    }
    if (file) file->add(own);
    finished[own.run] = own;
    ++done;
    if (share.rank != 0) return;
    status.show([&] {
      const double rate =
          static_cast<double>(done) / std::chrono::duration<double>(Clock::now() - begin).count();
      return "sweep: " + std::to_string(whole - left.size() + done) + " of " +
             std::to_string(whole) + " runs, " + brief(rate) + " a second, " +
             time_text(static_cast<double>(left.size() - done) / rate) + " left" +
             (share.count == 1 ? "" : "; of rank 0 of " + std::to_string(share.count));
    });
  });
}

}  // namespace lockstep::host::sweep
