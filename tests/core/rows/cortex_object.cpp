// The solvers of bounded rows as a board would hold them.
#include "lockstep/rows/equality.hpp"
#include "lockstep/rows/gauss_seidel.hpp"
#include "lockstep/rows/pivoting.hpp"

namespace lockstep::rows {

#define LOCKSTEP_INSTANTIATE(T)                                                           \
  template class EqualitySolver<T, 12>;                                                   \
  template class EqualitySolver<T, 12, GeneralFactor>;                                    \
  template class PivotingSolver<T, 12>;                                                   \
  template Status gauss_seidel<T, 12>(const System<T, 12>&, const GaussSeidelOptions<T>&, \
                                      SchurComplement<T, 12>&, Solution<T, 12>&);

LOCKSTEP_INSTANTIATE(float)
#if LOCKSTEP_DOUBLE_FPU
LOCKSTEP_INSTANTIATE(double)
#endif

}  // namespace lockstep::rows
