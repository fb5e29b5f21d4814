"""Robot dynamics in linear time, from a URDF, with the bits of the tool and of the chip.

    import lockstep
    robot = lockstep.load("arm.urdf")
    q = robot.start()
    q[robot.joint("elbow").q] = 1.2
    vdot = robot.forward_dynamics(q)

docs/python.md is the guide; docs/notation.md says what q, v and tau mean for each joint.
"""

from ._native import Error, Joint, Robot, Simulation, State, load, plot

__all__ = ["Error", "Joint", "Robot", "Simulation", "State", "load", "plot"]
