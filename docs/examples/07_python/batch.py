"""Forward dynamics of many states of an arm: one call, a loop of Python, and peers where there are.

    python3 docs/examples/07_python/batch.py [STATES]
"""

import os
import sys
import time
from pathlib import Path

import numpy as np

import lockstep

count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
file = Path(__file__).resolve().parents[3] / "models/six_axis_arm.urdf"
robot = lockstep.load(file)
random = np.random.default_rng(1)
q, v, tau = (random.uniform(-1, 1, (count, robot.nv)) for _ in range(3))


def told(name, states, work):
    work(min(states, 100))  # warm
    best = [min(times) / states * 1e6 for times in zip(*(timed(work, states) for _ in range(5)))]
    print(f"{name:44} {best[0]:8.2f} us a state, {best[1]:8.2f} us of a processor")


def timed(work, states):
    start, busy = time.perf_counter(), time.process_time()
    work(states)
    return time.perf_counter() - start, time.process_time() - busy


def loop(states):
    for i in range(states):
        robot.forward_dynamics(q[i], v[i], tau[i])


def by_numpy(states):
    """M and the bias from here, the rest by numpy, as scripts without a solver do."""
    for i in range(states):
        bias = robot.inverse_dynamics(q[i], v[i])
        np.linalg.solve(robot.mass_matrix(q[i]), tau[i] - bias)


print(f"{count} states of {robot.name}, {os.cpu_count()} cores")
told("one call, all cores", count, lambda n: robot.forward_dynamics(q[:n], v[:n], tau[:n]))
told("one call, one thread", count,
     lambda n: robot.forward_dynamics(q[:n], v[:n], tau[:n], threads=1))
told("a loop of Python", min(count, 10_000), loop)
told("a loop of M, bias and numpy.linalg.solve", min(count, 10_000), by_numpy)

try:
    import mujoco
except ImportError:
    print("mujoco's module is not installed: left out")
else:
    model = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(model)

    def by_mujoco(states):
        for i in range(states):
            data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q[i], v[i], tau[i]
            mujoco.mj_forward(model, data)

    told("a loop of mujoco.mj_forward", min(count, 10_000), by_mujoco)

try:
    import pinocchio
except ImportError:
    print("pinocchio's module is not installed: left out")
else:
    peer = pinocchio.buildModelFromUrdf(str(file))
    peer_data = peer.createData()

    def by_pinocchio(states):
        for i in range(states):
            pinocchio.aba(peer, peer_data, q[i], v[i], tau[i])

    told("a loop of pinocchio.aba", min(count, 10_000), by_pinocchio)
