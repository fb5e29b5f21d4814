#include "options/command.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>

#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

// `label` is what the help shows.
template <class Fits>
CLI::Validator number(const std::string& label, const std::string& wanted, Fits fits) {
  return {[wanted, fits](std::string& text) {
            const std::optional<double> value = parse_number(text);
            return value && fits(*value) ? std::string()
                                         : quote(text) + " does not fit; give " + wanted;
          },
          label};
}

}  // namespace

Option& Option::required(bool is_required) { return own_->required(is_required), *this; }
Option& Option::shows_default() { return own_->capture_default_str(), *this; }
Option& Option::shown_as(const char* text) { return own_->option_text(text), *this; }
Option& Option::named(const char* type_name) { return own_->type_name(type_name), *this; }
Option& Option::needs(const char* other) { return own_->needs(std::string(other)), *this; }
Option& Option::excludes(const char* other) { return own_->excludes(std::string(other)), *this; }
Option& Option::one_of(std::vector<std::string> words) {
  return own_->check(CLI::IsMember(std::move(words))), *this;
}
Option& Option::positive() {
  own_->check(number("POSITIVE", "a number above 0", [](double x) { return x > 0; }));
  return *this;
}
Option& Option::not_negative() {
  own_->check(number("NONNEGATIVE", "0 or a number above", [](double x) { return x >= 0; }));
  return *this;
}
Option& Option::within(int least, int most) { return own_->check(CLI::Range(least, most)), *this; }
Option& Option::within(double least, double most) {
  const std::string range = write_number(least) + " to " + write_number(most);
  const auto fits = [least, most](double x) { return x >= least && x <= most; };
  own_->check(number("in " + range, "a number from " + range, fits));
  return *this;
}
Option& Option::existing_file() { return own_->check(CLI::ExistingFile), *this; }
Option& Option::svg() {
  own_->check([](const std::string& path) {
    return std::string(path.ends_with(".svg") ? "" : path + ": pictures are SVG; name it *.svg");
  });
  return *this;
}
Option& Option::html() {
  own_->check([](const std::string& path) {
    return std::string(path.ends_with(".html") ? "" : path + ": pages are HTML; name it *.html");
  });
  return *this;
}
Option& Option::list(int count) {
  own_->delimiter(',');
  if (count != 0) own_->expected(count);
  return *this;
}

Command::Command(CLI::App& app, const char* name, const char* what)
    : own_(app.add_subcommand(name, what)) {}

template <class T>
Option Command::add(const char* name, T& value, const std::string& help) {
  if constexpr (std::is_same_v<T, bool>) {
    return Option(own_->add_flag(name, value, help));
  } else {
    return Option(own_->add_option(name, value, help));
  }
}

template Option Command::add(const char*, bool&, const std::string&);
template Option Command::add(const char*, int&, const std::string&);
template Option Command::add(const char*, unsigned&, const std::string&);
template Option Command::add(const char*, std::uint64_t&, const std::string&);
template Option Command::add(const char*, double&, const std::string&);
template Option Command::add(const char*, std::optional<double>&, const std::string&);
template Option Command::add(const char*, std::string&, const std::string&);
template Option Command::add(const char*, std::vector<double>&, const std::string&);
template Option Command::add(const char*, std::vector<std::string>&, const std::string&);

Option Command::take(const char* name, Take take, const std::string& help) {
  return Option(own_->add_option_function<std::string>(name, std::move(take), help));
}
Option Command::take_all(const char* name, TakeAll take, const std::string& help) {
  using All = std::vector<std::string>;
  CLI::Option* own = own_->add_option_function<All>(name, std::move(take), help);
  return Option(own->take_all()->allow_extra_args(false));
}
Option Command::find(const char* name) { return Option(own_->get_option(name)); }

void Command::footer(const char* text) { own_->footer(text); }
void Command::runs(std::function<void()> run) { own_->callback(std::move(run)); }

void fail() { throw CLI::RuntimeError(1); }

}  // namespace lockstep::host
