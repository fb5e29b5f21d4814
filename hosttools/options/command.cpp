#include "options/command.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>

namespace lockstep::host {

Option& Option::required(bool is_required) { return own_->required(is_required), *this; }
Option& Option::shows_default() { return own_->capture_default_str(), *this; }
Option& Option::shown_as(const char* text) { return own_->option_text(text), *this; }
Option& Option::named(const char* type_name) { return own_->type_name(type_name), *this; }
Option& Option::needs(const char* other) { return own_->needs(std::string(other)), *this; }
Option& Option::excludes(const char* other) { return own_->excludes(std::string(other)), *this; }
Option& Option::one_of(std::vector<std::string> words) {
  return own_->check(CLI::IsMember(std::move(words))), *this;
}
Option& Option::positive() { return own_->check(CLI::PositiveNumber), *this; }
Option& Option::not_negative() { return own_->check(CLI::NonNegativeNumber), *this; }
Option& Option::within(int least, int most) { return own_->check(CLI::Range(least, most)), *this; }
Option& Option::within(double least, double most) {
  return own_->check(CLI::Range(least, most)), *this;
}
Option& Option::existing_file() { return own_->check(CLI::ExistingFile), *this; }
Option& Option::svg() {
  own_->check([](const std::string& path) {
    return std::string(path.ends_with(".svg") ? "" : path + ": pictures are SVG; name it *.svg");
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
