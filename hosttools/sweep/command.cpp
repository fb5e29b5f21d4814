#include <chrono>
#include <exception>
#include <filesystem>
#include <memory>
#include <thread>

#include "commands.hpp"
#include "model/content_hash.hpp"
#include "sim/run_options.hpp"
#include "sweep/ranks.hpp"
#include "sweep/share.hpp"
#include "sweep/table.hpp"
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

std::string summary(const Question& question, const std::vector<Finished>& runs,
                    std::uint64_t found, double rate, const Share& share) {
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
  if (found < runs.size()) {
    const std::string ranks = counted(static_cast<std::size_t>(share.count), "rank", "ranks");
    lines.add("speed", brief(rate) + " runs a second on " +
                           counted(static_cast<std::size_t>(share.threads), "thread", "threads") +
                           (share.count == 1 ? "" : " of each of " + ranks));
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

constexpr char kRecords = 'r', kComplaint = 'e';  // what a rank's message begins with

// This rank's share as a message: its records, or why there are none.
std::string message_of(const SweepOptions& options, const Share& share,
                       std::optional<Question>& question, std::uint64_t& found) {
  try {
    question = ask(options.run, options.file, options.every);
    if (options.shown) return std::string(1, kRecords);
    FinishedRuns finished;
    for (const std::string& file : finished_files(share.base)) {
      read_finished(file, *question, finished);
    }
    found = finished.size();
    finish_share(*question, share, finished);
    std::string message(1, kRecords);
    for (const auto& [run, own] : finished) message += to_bytes(own);
    return message;
  } catch (const Error& error) {
    return kComplaint + std::string(error.what());
  }
}

std::vector<Finished> runs_of(const Question& question, const std::vector<std::string>& messages) {
  FinishedRuns all;
  for (const std::string& message : messages) {
    take_records(std::string_view(message).substr(1), question, all);
  }
  std::vector<Finished> runs;
  for (auto& [run, own] : all) runs.push_back(std::move(own));
  return runs;
}

// Of rank 0.
void conclude(const SweepOptions& options, const std::optional<Question>& question,
              const std::vector<std::string>& messages, const Share& share, std::uint64_t found,
              double seconds) {
  for (const std::string& message : messages) {
    if (message[0] == kComplaint) throw Error(message.substr(1));
  }
  if (options.shown) return show_run(*question, *options.shown);
  const std::vector<Finished> runs = runs_of(*question, messages);
  write_tables(options, *question, runs);
  // the table has them now
  for (const std::string& file : finished_files(share.base)) std::filesystem::remove(file);
  const bool taken =
      options.csv == "-" || options.npy == "-" || (options.csv + options.npy).empty();
  if (!taken) {
    const double rate = static_cast<double>(runs.size() - found) / seconds;
    write_file("-", summary(*question, runs, found, rate, share));
  }
}

void sweep_command(SweepOptions options) {
  const Ranks ranks;
  const auto begin = std::chrono::steady_clock::now();
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const Share share = {.base = finished_path(options),
                       .rank = ranks.rank(),
                       .count = ranks.count(),
                       .threads = options.threads > 0 ? options.threads
                                  : ranks.count() > 1 ? 1
                                                      : cores};
  if (share.rank != 0) options.run.load.quiet = true;  // one tells what all would
  std::optional<Question> question;
  std::uint64_t found = 0;
  const std::vector<std::string> messages =
      ranks.gather(message_of(options, share, question, found));
  std::exception_ptr trouble;
  if (share.rank == 0) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    try {
      conclude(options, question, messages, share, found, taken.count());
    } catch (...) {
      trouble = std::current_exception();
    }
  }
  const bool done = ranks.hear(trouble == nullptr);
  if (trouble) std::rethrow_exception(trouble);
  if (!done) fail();  // rank 0 says why
  std::error_code gone;
  if (!share.base.empty() && !options.shown) std::filesystem::remove(share.file(), gone);
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
           "How many runs at once; the table is the same for any number (default: all cores; of "
           "each "
           "rank of mpirun 1)")
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
