// Arithmetic as a graph: every operation once, zeros and ones left out. The value of an expression
// is that of the program it was recorded from, to the bit, in any scalar type; only the sign of a
// zero may differ. Nothing else is simplified: constants are not combined, sums are not reordered.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

namespace lockstep::host {

enum class Operation {
  kConstant,
  kInput,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kNegate,
  kSine,
  kCosine,
};

struct Expression {
  Operation operation;
  int a = -1, b = -1;  // operands; an input's place in Graph::input_names
  double constant = 0;

  auto operator<=>(const Expression&) const = default;
};

class Graph {
 public:
  int constant(double value);
  int input(const std::string& name);
  int add(int a, int b);
  int subtract(int a, int b);
  int multiply(int a, int b);
  int divide(int a, int b);
  int negate(int a);
  int sine(int a);
  int cosine(int a);

  const std::vector<Expression>& expressions() const { return expressions_; }
  const std::vector<std::string>& input_names() const { return input_names_; }

  // Which expressions the given ones need, themselves included.
  std::vector<bool> needed_by(const std::vector<int>& results) const;

 private:
  const Expression& at(int id) const { return expressions_[static_cast<std::size_t>(id)]; }
  bool is_constant(int id, double value) const;
  int make(const Expression& expression);

  std::vector<Expression> expressions_;
  std::map<Expression, int> known_;
  std::vector<std::string> input_names_;
};

}  // namespace lockstep::host
