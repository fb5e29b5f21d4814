#include "python/numbers.hpp"

#include "text/error.hpp"

namespace lockstep::host::python {

namespace {

std::string shape_text(const std::vector<py::ssize_t>& shape, const char* first = "") {
  std::string text = first;
  for (const py::ssize_t size : shape) text += std::to_string(size) + ", ";
  if (shape.size() + (*first != '\0') > 1) text.resize(text.size() - 2);
  if (text.ends_with(", ")) text.pop_back();
  return "(" + text + ")";
}

}  // namespace

Numbers::Numbers(int threads) : threads_(threads) {
  if (threads < 0 || threads > 1024) {
    throw Error("threads: needs 0 (all cores) to 1024, not " + std::to_string(threads));
  }
}

Rows Numbers::take(const py::object& given, const char* name,
                   const std::vector<py::ssize_t>& shape) {
  py::ssize_t size = 1;
  for (const py::ssize_t own : shape) size *= own;
  if (given.is_none()) {
    Array zeros(shape);
    std::fill_n(zeros.mutable_data(), size, 0.0);
    kept_.push_back(zeros);
    return {zeros.data(), 0};
  }
  const Array array = Array::ensure(given);
  if (!array) {
    PyErr_Clear();
    throw Error(std::string(name) + ": is no array of numbers; give shape " + shape_text(shape) +
                " or " + shape_text(shape, "n, "));
  }
  const std::vector<py::ssize_t> own(array.shape(), array.shape() + array.ndim());
  kept_.push_back(array);
  if (own == shape) return {array.data(), 0};
  if (own.size() != shape.size() + 1 || !std::equal(shape.begin(), shape.end(), own.begin() + 1)) {
    throw Error(std::string(name) + ": has shape " + shape_text(own) + "; give " +
                shape_text(shape) + " or " + shape_text(shape, "n, "));
  }
  const auto count = static_cast<std::size_t>(own[0]);
  if (count_ && *count_ != count) {
    throw Error(std::string(name) + ": has " + std::to_string(count) + " states, and " + counted_ +
                " " + std::to_string(*count_) + "; give both the same number");
  }
  count_ = count;
  counted_ = name;
  return {array.data(), size};
}

py::array_t<double> Numbers::make(std::vector<py::ssize_t> shape) const {
  if (count_) shape.insert(shape.begin(), static_cast<py::ssize_t>(*count_));
  return py::array_t<double>(shape);
}

py::object Numbers::number(const py::array_t<double>& made) const {
  if (count_) return made;
  return py::float_(*made.data());
}

Eigen::VectorXd vector_of(const py::object& given, const char* name, std::size_t size) {
  Numbers numbers(1);
  const Rows rows = numbers.take(given, name, {static_cast<py::ssize_t>(size)});
  if (rows.step != 0) throw Error(std::string(name) + ": is a batch; give one state");
  return Eigen::Map<const Eigen::VectorXd>(rows.data, static_cast<Eigen::Index>(size));
}

py::array_t<double> to_array(const Eigen::Ref<const Eigen::VectorXd>& values) {
  return py::array_t<double>(values.size(), values.data());
}

}  // namespace lockstep::host::python
