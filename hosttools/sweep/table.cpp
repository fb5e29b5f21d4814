#include "sweep/table.hpp"

#include <bit>

#include "lockstep/hash.hpp"
#include "model/content_hash.hpp"
#include "record/csv.hpp"
#include "text/number.hpp"

namespace lockstep::host::sweep {

namespace {

constexpr std::size_t kStatusBytes = 9;  // "broke off"

std::string python_string(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

void put_word(std::string& bytes, std::uint64_t word) {
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(word >> shift & 0xFF);
}

void put_number(std::string& bytes, double value) {
  put_word(bytes, std::bit_cast<std::uint64_t>(value));
}

std::vector<RecordColumn> measured_columns(const Question& question) {
  return measure_columns(question.measures, question.columns);
}

}  // namespace

std::string table_csv(const Question& question, const std::vector<Finished>& runs) {
  std::string text = "run";
  for (const RecordColumn& column : question.varied) text += "," + csv_field(header_of(column));
  text += ",status,steps";
  for (const RecordColumn& column : measured_columns(question)) {
    text += "," + csv_field(header_of(column));
  }
  text += ",hash\n";
  for (const Finished& own : runs) {
    text += std::to_string(own.run);
    for (const sim::Change& change : question.plan.changes(own.run)) {
      text += "," + write_number(change.value);
    }
    text += std::string(",") + to_string(own.verdict) + "," + std::to_string(own.steps);
    for (const double value : own.values) text += "," + write_number(value);
    text += "," + hash_text(own.hash) + "\n";
  }
  return text;
}

std::string table_npy(const Question& question, const std::vector<Finished>& runs) {
  std::string types;
  const auto add = [&](const std::string& name, const std::string& type) {
    types += "(" + python_string(name) + ", '" + type + "'), ";
  };
  add("run", "<u8");
  for (const RecordColumn& column : question.varied) add(header_of(column), "<f8");
  add("status", "|S" + std::to_string(kStatusBytes));
  add("steps", "<u8");
  for (const RecordColumn& column : measured_columns(question)) add(header_of(column), "<f8");
  add("hash", "<u8");
  std::string header = "{'descr': [" + types + "], 'fortran_order': False, 'shape': (" +
                       std::to_string(runs.size()) + ",), }";
  constexpr std::size_t kBefore = 12, kAligned = 64;  // magic, version 3.0, four bytes of length
  header.append(kAligned - 1 - (kBefore + header.size()) % kAligned, ' ');
  header += '\n';
  std::string bytes = "\x93NUMPY\x03";
  bytes += '\0';
  for (int shift = 0; shift < 32; shift += 8) {
    bytes += static_cast<char>(header.size() >> shift & 0xFF);
  }
  bytes += header;
  for (const Finished& own : runs) {
    put_word(bytes, own.run);
    for (const sim::Change& change : question.plan.changes(own.run)) {
      put_number(bytes, change.value);
    }
    std::string status = to_string(own.verdict);
    status.resize(kStatusBytes, '\0');
    bytes += status;
    put_word(bytes, own.steps);
    for (const double value : own.values) put_number(bytes, value);
    put_word(bytes, own.hash);
  }
  return bytes;
}

std::uint64_t table_hash(const std::vector<Finished>& runs) {
  Hash hash;
  for (const Finished& own : runs) hash.add(own.hash);
  return hash.value();
}

}  // namespace lockstep::host::sweep
