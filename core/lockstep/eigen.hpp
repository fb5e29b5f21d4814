// The one door to Eigen. On a chip its assertions stay out unless the program has an eigen_assert
// of its own: they print, which brings a formatter and a heap into an image. What changes layouts
// or bits is a flag of the whole program and never set here: files that disagree still link. A
// system header: programs with more warnings than Eigen was written for see none of its own.
#pragma once
#pragma GCC system_header

#include "lockstep/hide_macros.hpp"

#if defined(EIGEN_VECTORIZE) || \
    (!defined(EIGEN_DONT_VECTORIZE) && (defined(__SSE2__) || defined(__ARM_NEON)))
#error "lockstep: compile the whole program with -DEIGEN_DONT_VECTORIZE, or bits depend on the CPU"
#endif
#if !defined(eigen_assert) && !defined(EIGEN_NO_DEBUG) && !defined(__unix__) && \
    !defined(__APPLE__) && !defined(_WIN32)
#define EIGEN_NO_DEBUG
#endif
#include <Eigen/Core>

#include "lockstep/restore_macros.hpp"
