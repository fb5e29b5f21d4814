// One degree of freedom, limits that are limits, efforts of any bits: NaN passes as it is, anything
// else ends within the effort's limit, what changes is counted, and from an effort within the limit
// it goes towards what was asked, not beyond, and nowhere at a rate of zero. No degree of freedom
// meets another, so it is for any number. dt is 1: it only multiplies the rate, and of a rate that
// is not negative and a dt above zero the product is a rate that is not negative. memory 1024
#include <bit>

#include "loop/limiter.hpp"
#include "proof.hpp"

using namespace lockstep::firmware;

using Dofs = Eigen::Matrix<float, 1, 1>;

static bool is_nan(float value) { return value != value; }

PROOF {
  Limits<Dofs> limits;
  limits.remove(1);
  limits.effort[0] = any<float>();
  limits.effort_rate[0] = any<float>();
  assume(are_limits(limits));
  const float effort = limits.effort[0], step = limits.effort_rate[0];
  const float before = any<float>(), asked = any<float>();
  const Dofs was = Dofs::Constant(before);
  Dofs tau = Dofs::Constant(asked);
  const int changed = limit(limits, 1.0f, was, tau);

  const bool same = std::bit_cast<std::uint32_t>(tau[0]) == std::bit_cast<std::uint32_t>(asked);
  must(is_nan(asked) == is_nan(tau[0]));
  if (is_nan(asked)) return must(same && changed == 0);
  must(changed == (tau[0] == asked ? 0 : 1));
  must(tau[0] >= -effort && tau[0] <= effort);
  if (!(before >= -effort && before <= effort)) return;
  // an infinite effort at an infinite rate may go anywhere
  if (before - before != 0 && step - step != 0) return;
  must(asked >= before ? tau[0] >= before && tau[0] <= asked
                       : tau[0] <= before && tau[0] >= asked);
  must(step != 0 || tau[0] == before);
}
