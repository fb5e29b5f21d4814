/* Holds every joint of one coordinate where it starts, by springs and dampers.
 *     cc -shared -fPIC -I ../../../hosttools/robot hold.c -o hold.so
 *     lockstep sim arm.urdf --controller ./hold.so           docs/controllers.md */
#include "lockstep_controller.h"

#include <stdlib.h>

struct hold {
  int joints, *q, *v, nv;
  double* start;
};

int lockstep_controller_begin(const struct lockstep_robot* robot, void** own) {
  if (robot->version != LOCKSTEP_CONTROLLER_VERSION) return 1;
  struct hold* hold = calloc(1, sizeof *hold);
  hold->q = calloc((size_t)robot->joints, sizeof *hold->q);
  hold->v = calloc((size_t)robot->joints, sizeof *hold->v);
  hold->nv = robot->nv;
  for (int i = 0; i < robot->joints; ++i) {
    const int next = i + 1 < robot->joints ? robot->joint_v[i + 1] : robot->nv;
    if (next - robot->joint_v[i] != 1) continue;
    hold->q[hold->joints] = robot->joint_q[i];
    hold->v[hold->joints++] = robot->joint_v[i];
  }
  *own = hold;
  return 0;
}

int lockstep_controller_torques(void* own, uint64_t step, double time, const double* q,
                                const double* v, double* tau) {
  struct hold* hold = own;
  (void)step;
  (void)time;
  if (hold->start == NULL) {
    hold->start = calloc((size_t)hold->joints + 1, sizeof *hold->start);
    for (int i = 0; i < hold->joints; ++i) hold->start[i] = q[hold->q[i]];
  }
  for (int i = 0; i < hold->nv; ++i) tau[i] = 0;
  for (int i = 0; i < hold->joints; ++i) {
    tau[hold->v[i]] = 60 * (hold->start[i] - q[hold->q[i]]) - 3 * v[hold->v[i]];
  }
  return 0;
}

void lockstep_controller_end(void* own) {
  struct hold* hold = own;
  free(hold->start);
  free(hold->q);
  free(hold->v);
  free(hold);
}
