// Arrays of numpy as rows, and rows as arrays: of one state, or with a state a row.
#pragma once

#include <pybind11/numpy.h>

#include <optional>
#include <string>
#include <vector>

#include "model/load.hpp"
#include "python/dynamics.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"

namespace lockstep::host::python {

namespace py = pybind11;

// The arguments and results of one call. Those with one axis more than a state has are batches, all
// of the same length; the others are the same for every state.
class Numbers {
 public:
  explicit Numbers(int threads);

  // `shape` is a state's. None is zero. Throws Error.
  Rows take(const py::object& given, const char* name, const std::vector<py::ssize_t>& shape);
  // For a result of each state; after all arguments were taken.
  py::array_t<double> make(std::vector<py::ssize_t> shape) const;
  Call call() const { return {count_.value_or(1), threads_}; }
  // A number of each state: a plain float of one.
  py::object number(const py::array_t<double>& made) const;

 private:
  using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

  std::vector<Array> kept_;
  std::optional<std::size_t> count_;
  std::string counted_;  // whose count it is
  int threads_;
};

// A vector of so many numbers. Throws Error.
Eigen::VectorXd vector_of(const py::object& given, const char* name, std::size_t size);
py::array_t<double> to_array(const Eigen::Ref<const Eigen::VectorXd>& values);

// What a script calls a robot.
struct Robot {
  std::string file;
  std::shared_ptr<Dynamics> dynamics;
  LoadOptions options;
};

// Calls take(i) with the place of a word among those that are known. Throws Error.
template <class F>
void choose(const std::string& word, const char* name, std::initializer_list<const char*> known,
            F&& take) {
  std::string all;
  int i = 0;
  for (const char* own : known) {
    if (word == own) return take(i);
    all += (all.empty() ? "" : ", ") + quote(own);
    ++i;
  }
  throw Error(std::string(name) + ": " + quote(word) + " is not known; give " + all);
}

// The interpreter goes on with other threads meanwhile.
template <class F>
void compute(F&& work) {
  const py::gil_scoped_release released;
  work();
}

void bind_robot(py::module_& module);
void bind_dynamics(py::class_<Robot>& type);
void bind_geometry(py::class_<Robot>& type);
void bind_simulation(py::module_& module);

}  // namespace lockstep::host::python
