#include "robot/saved_head.hpp"

#include <charconv>

#include "model/content_hash.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

std::string text_of(const JsonFields& fields, const char* key) {
  if (!fields.find(key)->is_string()) fields.refuse(key, "what --save wrote");
  return fields.find(key)->get<std::string>();
}

std::uint64_t hash_of(const JsonFields& fields, const char* key) {
  const std::string text = text_of(fields, key);
  std::uint64_t hash = 0;
  const char* end = text.data() + text.size();
  const bool fits = text.size() == 18 && text.starts_with("0x") &&
                    std::from_chars(text.data() + 2, end, hash, 16).ptr == end;
  if (!fits) fields.refuse(key, "0x and sixteen digits");
  return hash;
}

}  // namespace

Json to_json(const SavedHead& head) {
  return {{"model", hash_text(head.model)},
          {"scalar", head.scalar},
          {"dt", head.dt},
          {"step", head.step},
          {"hash", hash_text(head.hash)}};
}

SavedHead read_head(const JsonFields& fields, const std::string& path, const SavedHead& own) {
  for (const char* key : {"model", "scalar", "dt", "step", "hash"}) {
    if (fields.find(key) == nullptr) {
      throw Error(path + ": has no '" + key + "'; give a file that --save wrote");
    }
  }
  if (hash_of(fields, "model") != own.model) {
    throw Error(path + ": 'model' is " + text_of(fields, "model") + ", and this " + own.owner +
                " is " + hash_text(own.model) + "; give the same file and the same options");
  }
  if (text_of(fields, "scalar") != own.scalar) fields.refuse("scalar", "--scalar the same");
  return {.owner = own.owner,
          .model = own.model,
          .scalar = own.scalar,
          .dt = fields.positive("dt", 0),
          .step = fields.whole("step", 0, 0),
          .hash = hash_of(fields, "hash")};
}

}  // namespace lockstep::host
