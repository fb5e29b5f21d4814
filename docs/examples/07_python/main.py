"""A tour of the module: an arm that falls and is held, a quadruped that lands; with plots.

    python3 docs/examples/07_python/main.py [FOLDER]        docs/python.md

Plots go to FOLDER (here, unless given): by matplotlib where it is installed, by lockstep otherwise.
"""

# %% A robot, and where its numbers stand
import sys
from pathlib import Path

import numpy as np

import lockstep

models = Path(__file__).resolve().parents[3] / "models"
folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
arm = lockstep.load(models / "six_axis_arm.urdf")
elbow = arm.joint("elbow")
print(arm, "elbow: q", elbow.q, "limits", elbow.lower, elbow.upper, "rad")

# %% Torques that hold it, and what it does without them
q = arm.start()
q[elbow.q] += 0.5
tau = arm.gravity_torque(q)
print("held by", np.round(tau, 3), "N m; rest:", np.abs(arm.forward_dynamics(q, tau=tau)).max())
vdot, reactions = arm.forward_dynamics(q, reactions=True)
print("let go, the elbow accelerates at", round(vdot[elbow.v], 3), "rad/s^2 and carries",
      np.round(reactions[elbow.index, :3], 2), "N")

# %% Many states at once: how far the tool reaches over random poses
random = np.random.default_rng(1)
poses = random.uniform(-1.5, 1.5, (10_000, arm.nq))
reach = np.linalg.norm(arm.pose(poses, "tool_plate")[:, :3, 3], axis=1)
print("10000 poses reach from", round(reach.min(), 3), "to", round(reach.max(), 3), "m")


# %% Plots, whatever is installed
def plot(name, run, times, rows, shown):
    rows = np.array(rows)
    places = [run.columns.index(column) for column in shown]
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
        figure, axes = pyplot.subplots()
        axes.plot(times, rows[:, places], label=shown)
        axes.set_xlabel("time [s]")
        axes.legend()
        figure.savefig(folder / name)
        pyplot.close(figure)
    except ImportError:
        lockstep.plot(folder / name, shown, times, rows[:, places], title=run.robot.name)
    print("wrote", folder / name)


# %% It falls for a second and is then caught by drives
run = lockstep.Simulation(arm, q=q)
times, rows = [], []
for step in range(200):
    if step == 100:
        run.hold(80, 4)
    run.step(n=10)
    times.append(run.time)
    rows.append(run.row())
plot("arm.svg", run, times, rows, [c for c in run.columns if c.startswith("q.")])

# %% A quadruped lands and stands; its feet carry its weight
quadruped = lockstep.load(models / "quadruped.urdf", base="floating")
run = lockstep.Simulation(quadruped, drop=0.1, hold=(60, 0.6))
times, rows = [], []
for step in range(150):
    run.step(n=10)
    times.append(run.time)
    rows.append(run.row())
mass = quadruped.mass_matrix(run.q)[0, 0]
carried = sum(force for force, point in run.contacts.values())
print("it stands:", round(carried[2], 2), "N on", len(run.contacts), "links, and weighs",
      round(mass * 9.81, 2), "N; hash", run.hash)
plot("landing.svg", run, times, rows, [c for c in run.columns if "_shank.z" in c])
