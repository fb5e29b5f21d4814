#include "emit/graph.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::host {

int Graph::make(const Expression& expression) {
  const auto [place, is_new] =
      known_.try_emplace(expression, static_cast<int>(expressions_.size()));
  if (is_new) {
    const std::vector<int> from = operands(expression);
    const bool any_wide = std::ranges::any_of(from, [&](int id) { return is_wide(id); });
    wide_.push_back(expression.operation == Operation::kJoin ||
                    (any_wide && expression.operation != Operation::kLane));
    expressions_.push_back(expression);
  }
  return place->second;
}

std::vector<int> Graph::operands(const Expression& expression) {
  switch (expression.operation) {
    case Operation::kConstant:
    case Operation::kInput: return {};
    case Operation::kJoin: return expression.joined;
    case Operation::kNegate:
    case Operation::kSine:
    case Operation::kCosine:
    case Operation::kLane: return {expression.a};
    default: return {expression.a, expression.b};
  }
}

bool Graph::is_constant(int id, double value) const {
  return at(id).operation == Operation::kConstant && at(id).constant == value;
}

int Graph::constant(double value) {
  return make({Operation::kConstant, -1, -1, value == 0 ? 0.0 : value});
}

int Graph::input(const std::string& name) {
  input_names_.push_back(name);
  return make({Operation::kInput, static_cast<int>(input_names_.size()) - 1});
}

int Graph::add(int a, int b) {
  if (is_constant(a, 0)) return b;
  if (is_constant(b, 0)) return a;
  if (at(b).operation == Operation::kNegate) return subtract(a, at(b).a);
  if (at(a).operation == Operation::kNegate) return subtract(b, at(a).a);
  if (a > b) std::swap(a, b);
  return make({Operation::kAdd, a, b});
}

int Graph::subtract(int a, int b) {
  if (is_constant(b, 0)) return a;
  if (is_constant(a, 0)) return negate(b);
  if (at(b).operation == Operation::kNegate) return add(a, at(b).a);
  if (at(a).operation == Operation::kNegate) return negate(add(at(a).a, b));
  return make({Operation::kSubtract, a, b});
}

// Signs move outwards, where they meet a sum and vanish: (-a) b = -(a b) exactly.
int Graph::multiply(int a, int b) {
  if (is_constant(a, 0) || is_constant(b, 0)) return constant(0);
  if (is_constant(a, 1)) return b;
  if (is_constant(b, 1)) return a;
  for (const auto& [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
    if (at(x).operation == Operation::kNegate) return negate(multiply(at(x).a, y));
    if (at(x).operation == Operation::kConstant && at(x).constant < 0) {
      return negate(multiply(constant(-at(x).constant), y));
    }
  }
  if (a > b) std::swap(a, b);
  return make({Operation::kMultiply, a, b});
}

int Graph::divide(int a, int b) {
  if (is_constant(a, 0)) return a;
  if (is_constant(b, 1)) return a;
  return make({Operation::kDivide, a, b});
}

int Graph::negate(int a) {
  const Expression& e = at(a);
  if (e.operation == Operation::kConstant) return constant(-e.constant);
  if (e.operation == Operation::kNegate) return e.a;
  if (e.operation == Operation::kSubtract) return make({Operation::kSubtract, e.b, e.a});
  return make({Operation::kNegate, a});
}

int Graph::sine(int a) { return make({Operation::kSine, a}); }
int Graph::cosine(int a) { return make({Operation::kCosine, a}); }

int Graph::join(const std::vector<int>& lanes) {
  const int first = lanes.front();
  if (std::ranges::count(lanes, first) == std::ssize(lanes)) return first;
  return make({.operation = Operation::kJoin, .joined = lanes});
}

int Graph::lane(int a, int number) {
  if (!is_wide(a)) return a;
  if (at(a).operation == Operation::kJoin) return at(a).joined[static_cast<std::size_t>(number)];
  return make({Operation::kLane, a, number});
}

std::vector<bool> Graph::needed_by(const std::vector<int>& results) const {
  std::vector<bool> needed(expressions_.size(), false);
  for (const int id : results) needed[static_cast<std::size_t>(id)] = true;
  for (std::size_t i = expressions_.size(); i-- > 0;) {  // operands come before what uses them
    if (!needed[i]) continue;
    for (const int id : operands(expressions_[i])) needed[static_cast<std::size_t>(id)] = true;
  }
  return needed;
}

}  // namespace lockstep::host
