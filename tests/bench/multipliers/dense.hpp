// Eigen's dense Cholesky factor with all the vector instructions there are, which Lockstep's own
// rules for equal bits would take from it: a library of its own, with nothing of Eigen outside.
#pragma once

namespace lockstep::bench {

// A x = b for a positive definite A of which the lower triangle is given, by columns. A is
// overwritten, b becomes x.
void solve_dense(double* A, double* b, int size);

}  // namespace lockstep::bench
