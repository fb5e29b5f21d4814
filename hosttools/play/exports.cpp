// What the page calls, hosttools/view/play/solver.js: numbers, and texts at an address within the
// module's memory. A function that throws ends the module with the error's words (runtime.cpp).
#include <bit>
#include <memory>

#include "doctor/checkup.hpp"
#include "model/content_hash.hpp"
#include "play/session.hpp"
#include "text/error.hpp"

#define LOCKSTEP_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace lockstep::host::play {

namespace {

std::string text;  // that came, and then the one that goes
std::unique_ptr<Session> session;

Session& own() {
  if (!session) throw Error("no robot is open; open one");
  return *session;
}

// The page's choices under the names of sim's options; what it does not name is as sim has it.
sim::SimOptions options_from(const std::string& words) {
  const Json given = Json::parse(words);
  const JsonFields fields(given, "options", {"file", "floating", "drop", "hold", "zero", "quiet"});
  sim::SimOptions options;
  options.integrator = "midpoint";
  options.stabilization = "baumgarte";
  options.load.file = given.at("file").get<std::string>();
  options.load.quiet = given.value("quiet", false);
  if (given.value("floating", false)) options.load.reduce.base = ReduceOptions::Base::kFloating;
  if (given.value("zero", false)) options.start = "zero";
  if (fields.find("drop")) options.drop = fields.not_negative("drop", 0);
  if (const Json* hold = fields.find("hold")) options.hold = hold->get<std::vector<double>>();
  return options;
}

Json to_json(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"severity", to_string(finding.severity)},
                    {"line", finding.line},
                    {"rule", finding.rule},
                    {"message", finding.message},
                    {"remedy", finding.remedy}});
  }
  return list;
}

// Its length; text_at() is where it is.
int answer(std::string words) {
  text = std::move(words);
  return static_cast<int>(text.size());
}

}  // namespace

LOCKSTEP_EXPORT(room_for) char* room_for(int size) {
  text.resize(static_cast<std::size_t>(size));
  return text.data();
}
LOCKSTEP_EXPORT(text_at) const char* text_at() { return text.data(); }

// All take options in `text`. What can be told of the file alone, and then of the robot in it too.
LOCKSTEP_EXPORT(examine) int examine_file() {
  const sim::SimOptions options = options_from(text);
  return answer(to_json(examine(options.load.file, options.load.read.limits).findings).dump());
}
LOCKSTEP_EXPORT(check_up) int check_up_file() {
  const sim::SimOptions options = options_from(text);
  return answer(
      to_json(check_up_robot(options.load.file, options.load.read, options.load.reduce)).dump());
}
LOCKSTEP_EXPORT(open) void open_session() {
  session = std::make_unique<Session>(options_from(text));
}

LOCKSTEP_EXPORT(facts) int facts() { return answer(own().facts().dump()); }
LOCKSTEP_EXPORT(saved) int saved() { return answer(own().saved()); }
LOCKSTEP_EXPORT(hash) int hash() { return answer(hash_text(own().hash())); }
LOCKSTEP_EXPORT(step) void step(int count) { own().step(static_cast<std::uint64_t>(count)); }
LOCKSTEP_EXPORT(steps) double steps() { return static_cast<double>(own().steps()); }
LOCKSTEP_EXPORT(row_at) const double* row_at() { return own().row().data(); }
LOCKSTEP_EXPORT(row_size) int row_size() { return static_cast<int>(own().row().size()); }
LOCKSTEP_EXPORT(set_joint) int set_joint(int place, double value) {
  return own().set_joint(place, value);
}
LOCKSTEP_EXPORT(push)
int push(int body, double x, double y, double z, double px, double py, double pz) {
  return own().push(body, {x, y, z}, {px, py, pz});
}
LOCKSTEP_EXPORT(hold) void hold(double kp, double kd) { own().hold(Hold{kp, kd}); }
LOCKSTEP_EXPORT(let_go) void let_go() { own().hold(std::nullopt); }

}  // namespace lockstep::host::play
