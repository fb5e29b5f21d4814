// A command and its options, declared without CLI11: whoever includes that compiles its validators,
// seconds a file.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lockstep::host {

class Option {
 public:
  explicit Option(CLI::Option* own) : own_(own) {}

  Option& required(bool is_required = true);
  Option& shows_default();               // in the help, as it is now
  Option& shown_as(const char* text);    // in the help, in place of type and default
  Option& named(const char* type_name);  // in the help, in place of the type
  Option& needs(const char* other);
  Option& excludes(const char* other);
  // What is accepted.
  Option& one_of(std::vector<std::string> words);
  Option& positive();
  Option& not_negative();
  Option& within(int least, int most);
  Option& within(double least, double most);
  Option& existing_file();
  Option& svg();  // a path that ends so
  Option& html();
  Option& list(int count = 0);  // separated by commas; 0: any number

 private:
  CLI::Option* own_;
};

class Command {
 public:
  using Take = std::function<void(const std::string&)>;
  using TakeAll = std::function<void(const std::vector<std::string>&)>;

  Command(CLI::App& app, const char* name, const char* what);

  // T is std::string, a number, std::optional<double>, or a vector of strings or doubles; a bool
  // makes a flag.
  template <class T>
  Option add(const char* name, T& value, const std::string& help);
  // For what is more than its text; of an option that may be repeated.
  Option take(const char* name, Take take, const std::string& help);
  Option take_all(const char* name, TakeAll take, const std::string& help);
  Option find(const char* name);

  void footer(const char* text);
  void runs(std::function<void()> run);

 private:
  CLI::App* own_;
};

// Ends the program with code 1; the command has said why.
[[noreturn]] void fail();

}  // namespace lockstep::host
