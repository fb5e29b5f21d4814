// What writes recorded operations as C++ statements.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emit/straight_line.hpp"
#include "emit/traced.hpp"

namespace lockstep::host {

// name[0], name[1], ...
std::vector<Traced> inputs(Graph& graph, const std::string& name, int count);

// Which expressions the results need, and what the program demanded on the way.
std::vector<bool> needed_for(const Recording& recording,
                             std::initializer_list<const std::vector<Traced>*> results);

// The counts of the operations that are needed, and the text up to the function's first statement.
StraightLine open_line(const Graph& graph, const std::vector<bool>& needed,
                       const std::string& types, const std::string& name,
                       const std::vector<std::string>& parameters, bool wide);
// The two parts of it: the counts alone, and a member function's text up to its body.
StraightLine count_line(const Graph& graph, const std::vector<bool>& needed);
std::string open_function(const std::string& types, const std::string& result,
                          const std::string& name, const std::vector<std::string>& parameters,
                          bool wide);

class Writer {
 public:
  explicit Writer(const Graph& graph) : graph_(graph) {}

  // Sines and cosines come first and together, a register's worth of angles at a time.
  std::string angles(const std::vector<bool>& needed);

  std::string statement(int id);  // empty where there is nothing to compute
  std::string name(int id) const;
  // What another function computed and left there.
  void call(int id, const std::string& place) { names_[id] = place; }

  // What was demanded of these, compared with zero, as statements about the verdict's `field`.
  std::string verdict(const char* field, const std::vector<int>& ids,
                      const std::string& relation) const;

 private:
  std::string join(const Expression& e) const;

  const Graph& graph_;
  std::map<int, std::string> names_;
  int next_ = 0;
};

// The statements that store an answer, by the expression that computes it: stored as soon as it is
// there, it does not crowd the registers.
class Stores {
 public:
  Stores(const Graph& graph, const Writer& writer) : graph_(graph), writer_(writer) {}

  void add(const std::string& array, const std::vector<Traced>& values);
  void add_to(const std::string& place, int id);
  std::string take(int id);
  std::string take_rest();  // of constants, inputs, sines and cosines

 private:
  const Graph& graph_;
  const Writer& writer_;
  std::map<int, std::vector<std::pair<std::string, int>>> stores_;
};

}  // namespace lockstep::host
