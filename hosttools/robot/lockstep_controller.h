/* A controller of your own for `lockstep sim` and `lockstep hil`, as a shared library:
 *
 *     cc -shared -fPIC -I... my_controller.c -o my_controller.so
 *     lockstep sim arm.urdf --controller ./my_controller.so
 *
 * SI units and radians; q, v and tau as in docs/notation.md. docs/controllers.md is the guide. */
#ifndef LOCKSTEP_CONTROLLER_H
#define LOCKSTEP_CONTROLLER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LOCKSTEP_CONTROLLER_VERSION 1

struct lockstep_robot {
  int version; /* LOCKSTEP_CONTROLLER_VERSION of the tool */
  const char* name;
  double dt;                     /* s, between two calls */
  int nq, nv;                    /* numbers in q; in v and tau */
  int joints;                    /* that move */
  const char* const* joint_name; /* of each */
  const int* joint_q;            /* its first number in q */
  const int* joint_v;            /* its first number in v and tau */
};

/* Called once, before the first step. What it writes to `own` is handed to the others. Anything but
 * 0 refuses the robot. May be left out. */
int lockstep_controller_begin(const struct lockstep_robot* robot, void** own);

/* The torques from this state on: nv numbers to `tau`. Anything but 0 ends the run. */
int lockstep_controller_torques(void* own, uint64_t step, double time, const double* q,
                                const double* v, double* tau);

/* Called once, after the last step. May be left out. */
void lockstep_controller_end(void* own);

#ifdef __cplusplus
}
#endif

#endif
