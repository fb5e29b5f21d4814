// Contacts as a board would hold them.
#include "lockstep/contact/contact_step.hpp"
#include "lockstep/contact/detect.hpp"

namespace lockstep::contact {

#define LOCKSTEP_INSTANTIATE(T)                                                                \
  template class ContactList<T, 8>;                                                            \
  template struct Touch<T>;                                                                    \
  template Status check<T>(std::span<const Collider<T>>, std::span<const ColliderPair>,        \
                           const HeightField<T>&, int);                                        \
  template Status detect<T>(std::span<const Collider<T>>, std::span<const ColliderPair>,       \
                            std::span<const Placement<T>>, const Plane<T>&, const T&,          \
                            ContactList<T, 8>&);                                               \
  template Status detect<T>(std::span<const Collider<T>>, std::span<const ColliderPair>,       \
                            std::span<const Placement<T>>, const HeightField<T>&, const T&,    \
                            ContactList<T, 8>&);                                               \
  template Status to_impulses<T>(std::span<const Contact<T>>, int, const rows::Values<T, 24>&, \
                                 const T&, const StepOptions<T>&, rows::System<T, 24>&,        \
                                 const SoftGround<T>&);

LOCKSTEP_INSTANTIATE(float)
#if LOCKSTEP_DOUBLE_FPU
LOCKSTEP_INSTANTIATE(double)
#endif

}  // namespace lockstep::contact
