#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include "commands.hpp"
#include "model/content_hash.hpp"
#include "sim/run_options.hpp"
#include "sweep/crew.hpp"
#include "sweep/finished_file.hpp"
#include "sweep/table.hpp"
#include "system/status_line.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"
#include "text/number.hpp"
#include "text/report_lines.hpp"

namespace lockstep::host {

namespace {

using namespace sweep;

struct SweepOptions {
  sim::SimOptions run;
  std::string file, csv, npy, finished;
  std::uint64_t every = 10;
  int threads = 0;
  std::optional<std::uint64_t> shown;
};

// Where finished runs go: beside the table.
std::string finished_path(const SweepOptions& options) {
  if (!options.finished.empty()) return options.finished;
  const std::string& table = options.csv.empty() || options.csv == "-" ? options.npy : options.csv;
  return table.empty() || table == "-" ? "" : table + ".finished";
}

std::string time_text(double seconds) {
  if (seconds < 100) return brief(seconds, 2) + " s";
  const auto minutes = static_cast<long>(seconds / 60);
  return minutes < 100
             ? std::to_string(minutes) + " min"
             : std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

// Runs what is not finished, and tells how far it is. Returns how many a second.
double finish_all(const Question& question, int threads, const std::string& path,
                  FinishedRuns& finished) {
  const std::uint64_t count = question.plan.runs();
  std::vector<std::uint64_t> left;
  for (std::uint64_t run = 0; run < count; ++run) {
    if (!finished.contains(run)) left.push_back(run);
  }
  if (left.empty()) return 0;
  std::unique_ptr<FinishedFile> file;  // from the first on: a file that holds nothing helps nobody
  StatusLine status;
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  std::size_t done = 0;
  run_all(question, left, threads, [&](const Finished& own) {
    if (!file && !path.empty()) file = std::make_unique<FinishedFile>(path, question);
    if (file) file->add(own);
    finished[own.run] = own;
    ++done;
    status.show([&] {
      const double rate = static_cast<double>(done) / seconds();
      return "sweep: " + std::to_string(finished.size()) + " of " + std::to_string(count) +
             " runs, " + brief(rate) + " a second, " +
             time_text(static_cast<double>(left.size() - done) / rate) + " left";
    });
  });
  return static_cast<double>(done) / seconds();
}

std::string summary(const Question& question, const std::vector<Finished>& runs,
                    std::uint64_t found, double rate, int threads) {
  std::uint64_t unstable = 0, broke_off = 0;
  for (const Finished& own : runs) {
    unstable += own.verdict == Verdict::kUnstable;
    broke_off += own.verdict == Verdict::kBrokeOff;
  }
  ReportLines lines;
  lines.add("robot", question.description.name + ", " + question.options.scalar + ", " +
                         question.options.integrator);
  lines.add("runs", std::to_string(runs.size()) + " of " + std::to_string(question.steps) +
                        " steps; " + std::to_string(unstable) + " unstable, " +
                        std::to_string(broke_off) + " broke off");
  if (found != 0) lines.add("finished before", std::to_string(found) + " of them");
  if (rate > 0) {
    lines.add("speed", brief(rate) + " runs a second on " +
                           counted(static_cast<std::size_t>(threads), "thread", "threads"));
  }
  lines.add("hash", hash_text(table_hash(runs)));
  return lines.text();
}

void write_tables(const SweepOptions& options, const Question& question,
                  const std::vector<Finished>& runs) {
  if (!options.npy.empty()) write_file(options.npy, table_npy(question, runs));
  if (!options.csv.empty() || options.npy.empty()) {
    write_file(options.csv.empty() ? "-" : options.csv, table_csv(question, runs));
  }
}

// The words that make `lockstep sim` take this run.
void show_run(const Question& question, std::uint64_t run) {
  if (run >= question.plan.runs()) {
    throw Error("--run " + std::to_string(run) + ": there are " +
                std::to_string(question.plan.runs()) + ", from 0");
  }
  std::string text;
  for (const sim::Change& change : question.plan.changes(run)) {
    text += (text.empty() ? "--set " : " --set ") + change_text(change);
  }
  write_file("-", text + "\n");
}

void sweep_command(const SweepOptions& options) {
  const Question question = ask(options.run, options.file, options.every);
  if (options.shown) return show_run(question, *options.shown);
  const int threads = options.threads > 0
                          ? options.threads
                          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const std::string path = finished_path(options);
  FinishedRuns finished;
  if (!path.empty()) read_finished(path, question, finished);
  const std::uint64_t found = finished.size();
  const double rate = finish_all(question, threads, path, finished);
  std::vector<Finished> runs;
  for (auto& [run, own] : finished) runs.push_back(std::move(own));
  write_tables(options, question, runs);
  // the table has them now
  if (!path.empty()) std::filesystem::remove(path);
  const bool taken =
      options.csv == "-" || options.npy == "-" || (options.csv + options.npy).empty();
  if (!taken) write_file("-", summary(question, runs, found, rate, threads));
}

}  // namespace

void add_sweep_command(CLI::App& app) {
  const auto options = std::make_shared<SweepOptions>();
  Command command(app, "sweep", "Many runs of a robot that differ in what a file says varies");
  sim::add_run_options(command, options->run, false);
  command.add("sweep", options->file, "JSON file that says what varies")
      .required()
      .shown_as("FILE");
  command.add("--csv", options->csv, "Write the table to this file (default: standard output)");
  command.add("--npy", options->npy,
              "Write the table as records that numpy.load reads; with --csv both");
  command
      .add("--threads", options->threads,
           "How many runs at once; the table is the same for any number (default: all cores)")
      .within(1, 1024)
      .shown_as("N");
  command
      .add("--every", options->every,
           "Look at each Nth state, and the last, for what is measured and the energy")
      .within(1, 1'000'000'000)
      .shows_default();
  command.add("--finished", options->finished,
              "Where finished runs are kept until the table is there, so that a sweep that was "
              "stopped goes on (default: the table's name and .finished)");
  const auto show = [options](const std::string& text) {
    const auto number = parse_number(text);
    if (!number || !(*number >= 0 && *number < 1e15) || *number != std::floor(*number)) {
      throw Error("--run " + text + ": give a run's number, from 0");
    }
    options->shown = static_cast<std::uint64_t>(*number);
  };
  command.take("--run", show, "Only print what makes `lockstep sim` take this run: --set ...")
      .shown_as("N");
  command.footer(
      "The file is described in docs/sweep.md.\n"
      "Examples:\n"
      "  lockstep sweep arm.urdf sweep.json --hold 100,5 --duration 2 --csv table.csv\n"
      "  lockstep sim arm.urdf --hold 100,5 --duration 2 $(lockstep sweep arm.urdf sweep.json "
      "--hold 100,5 --run 17) --report run17.html\n"
      "  lockstep sweep quadruped.urdf pushes.json --base floating --hold 60,0.6 --npy table.npy");
  command.runs([options] { sweep_command(*options); });
}

}  // namespace lockstep::host
