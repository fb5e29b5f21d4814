/* What lockstep_mpi.so, which alone knows MPI, does for `mpirun lockstep sweep`. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct LockstepRanks {
  int rank, count;
  /* Every rank calls it. At rank 0 `take` gets each rank's bytes, in their order. */
  void (*gather)(const char* bytes, size_t size, void (*take)(void* to, const char*, size_t),
                 void* to);
  /* Every rank calls it, and gets what rank 0 says. */
  int (*hear)(int word);
  void (*leave)(void); /* at the end of each */
};

/* Joins the others. */
typedef const struct LockstepRanks* (*LockstepJoin)(void);
#define LOCKSTEP_JOIN "lockstep_join"

#ifdef __cplusplus
}
#endif
