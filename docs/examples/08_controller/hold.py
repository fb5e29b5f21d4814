"""Holds every joint of one coordinate where it starts, by springs and dampers: hold.py KP KD.

    lockstep sim arm.urdf --controller 'python3 hold.py 60 3'         docs/controllers.md
"""
import json
import sys

kp, kd = map(float, sys.argv[1:3])
robot = json.loads(sys.stdin.readline())
single = [(j["q"], j["v"]) for j in robot["joints"] if j["nv"] == 1]
print("ready", flush=True)

start = None
for line in sys.stdin:
    step, time, *numbers = map(float, line.split())
    q, v = numbers[: robot["nq"]], numbers[robot["nq"] :]
    start = start or q
    tau = [0.0] * robot["nv"]
    for i, k in single:
        tau[k] = kp * (start[i] - q[i]) - kd * v[k]
    print(*tau, flush=True)
