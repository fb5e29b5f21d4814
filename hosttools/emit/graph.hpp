// Arithmetic as a graph: every operation once, zeros and ones left out. The value of an expression
// is that of the program it was recorded from, to the bit, in any scalar type; only the sign of a
// zero may differ. Nothing else is simplified: constants are not combined, sums are not reordered.
// A wide expression is a number a lane; a narrow one among its operands counts for every lane.
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
  kJoin,  // narrow ones side by side
  kLane,  // one of them again
};

struct Expression {
  Operation operation;
  int a = -1, b = -1;  // operands; an input's place in Graph::input_names; b: a lane's number
  double constant = 0;
  std::vector<int> joined = {};

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
  int join(const std::vector<int>& lanes);
  int lane(int a, int number);

  const std::vector<Expression>& expressions() const { return expressions_; }
  const std::vector<std::string>& input_names() const { return input_names_; }

  static std::vector<int> operands(const Expression& expression);
  bool is_wide(int id) const { return wide_[static_cast<std::size_t>(id)]; }

  // Which expressions the given ones need, themselves included.
  std::vector<bool> needed_by(const std::vector<int>& results) const;

 private:
  const Expression& at(int id) const { return expressions_[static_cast<std::size_t>(id)]; }
  bool is_constant(int id, double value) const;
  int make(const Expression& expression);

  std::vector<Expression> expressions_;
  std::vector<bool> wide_;
  std::map<Expression, int> known_;
  std::vector<std::string> input_names_;
};

}  // namespace lockstep::host
