#include "sweep/finished_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "lockstep/hash.hpp"
#include "model/content_hash.hpp"
#include "system/read_file.hpp"
#include "text/error.hpp"

namespace lockstep::host::sweep {

namespace {

constexpr std::size_t kWord = 8, kWords = 5;  // besides the values
constexpr std::size_t kMostFileBytes = std::size_t{1} << 36;

std::string header_of_question(const Question& question) {
  return "lockstep sweep 1, question " + hash_text(question.hash) + ", " +
         std::to_string(question.measures.size()) + " values\n";
}

std::size_t record_size(const Question& question) {
  return kWord * (kWords + question.measures.size());
}

void put(std::string& bytes, std::uint64_t word) {
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(word >> shift & 0xFF);
}

std::uint64_t word_at(std::string_view bytes, std::size_t word) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < kWord; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[kWord * word + i])} << (8 * i);
  }
  return value;
}

std::uint64_t check_of(std::string_view bytes) {
  Hash hash;
  hash.add(bytes);
  return hash.value();
}

[[noreturn]] void refuse_file(const std::string& path, const std::string& why) {
  throw Error(path + ": " + why + "; choose another place with --finished");
}

void write_whole(const std::string& path, int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      refuse_file(path, std::string("cannot be written (") + std::strerror(errno) + ")");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// The text without a header that another question would not have; of no or a torn header, nothing.
std::string_view records_of(const std::string& path, std::string_view bytes,
                            const Question& question) {
  const std::string header = header_of_question(question);
  if (header.starts_with(bytes)) return {};
  if (bytes.starts_with(header)) return bytes.substr(header.size());
  throw Error(path +
              ": holds the finished runs of another question, or is another file; remove it, "
              "or choose another place with --finished");
}

}  // namespace

std::string to_bytes(const Finished& finished) {
  std::string bytes;
  put(bytes, finished.run);
  put(bytes, static_cast<std::uint64_t>(finished.verdict));
  put(bytes, finished.steps);
  put(bytes, finished.hash);
  for (const double value : finished.values) put(bytes, std::bit_cast<std::uint64_t>(value));
  put(bytes, check_of(bytes));
  return bytes;
}

void take_records(std::string_view bytes, const Question& question, FinishedRuns& to) {
  const std::size_t size = record_size(question);
  for (; bytes.size() >= size; bytes.remove_prefix(size)) {
    const std::string_view own = bytes.substr(0, size);
    if (word_at(own, size / kWord - 1) != check_of(own.substr(0, size - kWord))) continue;
    Finished finished = {.run = word_at(own, 0),
                         .verdict = static_cast<Verdict>(word_at(own, 1)),
                         .steps = word_at(own, 2),
                         .hash = word_at(own, 3)};
    if (finished.run >= question.plan.runs() || word_at(own, 1) > 2) continue;
    for (std::size_t i = 0; i < question.measures.size(); ++i) {
      finished.values.push_back(std::bit_cast<double>(word_at(own, 4 + i)));
    }
    to[finished.run] = std::move(finished);
  }
}

void read_finished(const std::string& path, const Question& question, FinishedRuns& to) {
  if (!std::filesystem::exists(path)) return;
  const std::string bytes = read_file(path, kMostFileBytes, "choose another place with --finished");
  take_records(records_of(path, bytes, question), question, to);
}

FinishedFile::FinishedFile(const std::string& path, const Question& question) : path_(path) {
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) refuse_file(path, std::string("cannot be opened (") + std::strerror(errno) + ")");
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    ::close(file_);
    refuse_file(path, "another sweep is writing it; wait for its end");
  }
  const std::string header = header_of_question(question);
  const off_t length = ::lseek(file_, 0, SEEK_END);
  const auto size = static_cast<off_t>(record_size(question));
  const auto head = static_cast<off_t>(header.size());
  // a torn header or record goes
  const off_t whole = length < head ? 0 : length - (length - head) % size;
  if (whole != length && ::ftruncate(file_, whole) != 0) {
    refuse_file(path, std::string("cannot be written (") + std::strerror(errno) + ")");
  }
  if (whole == 0) write_whole(path, file_, header);
}

FinishedFile::~FinishedFile() { ::close(file_); }

void FinishedFile::add(const Finished& finished) { write_whole(path_, file_, to_bytes(finished)); }

}  // namespace lockstep::host::sweep
