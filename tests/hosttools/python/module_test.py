"""The module beside the tool, bit for bit, and beside what does not know it: differences, energies.

    module_test.py LOCKSTEP MODELS REFERENCE      with the package on PYTHONPATH
"""

import ast
import json
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from pathlib import Path

import numpy as np

import lockstep

TOOL, MODELS, REFERENCE = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])


def tool(*words, code=0):
    done = subprocess.run([TOOL, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done


def tool_hash(*words):
    report = tool("sim", *words, "--quiet").stdout
    return next(line.split()[-1] for line in report.splitlines() if line.strip().startswith("hash"))


def states_of(document, robot):
    """q, v, tau of a file of states, and where its numbers stand in the robot's order."""
    q_places, v_places = [], []
    for joint in document["joints"]:
        own = robot.joint(joint["name"])
        q_places.append(np.atleast_1d(np.arange(robot.nq)[own.q]))
        v_places.append(np.atleast_1d(np.arange(robot.nv)[own.v]))
    q_places, v_places = np.concatenate(q_places), np.concatenate(v_places)
    states = document["states"]
    q = np.zeros((len(states), robot.nq))
    v, tau = np.zeros((len(states), robot.nv)), np.zeros((len(states), robot.nv))
    for i, state in enumerate(states):
        q[i, q_places], v[i, v_places], tau[i, v_places] = state["q"], state["qd"], state["tau"]
    return q, v, tau, v_places


def random_states(robot, count, seed=7):
    random = np.random.default_rng(seed)
    v = random.uniform(-1, 1, (count, robot.nv))
    q = robot.integrate(np.tile(robot.zero(), (count, 1)), random.uniform(-1, 1, (count, robot.nv)))
    return q, v, random.uniform(-1, 1, (count, robot.nv))


class BesideTheTool(unittest.TestCase):
    def evaluated(self, name, file, **options):
        robot = lockstep.load(MODELS / file, **options)
        with tempfile.TemporaryDirectory() as folder:
            answers = Path(folder, "answers.json")
            base = ["--base", options["base"]] if "base" in options else []
            tool("eval", MODELS / file, *base, "--states", REFERENCE / name, "--out", answers,
                 "--quiet")
            document = json.loads(answers.read_text())
        q, v, tau, places = states_of(document, robot)
        rows = [robot.joint(joint["name"]).index for joint in document["joints"]]
        vdot, reaction = robot.forward_dynamics(
            q, v, tau, gravity=document["gravity"], reactions=True)
        for i, state in enumerate(document["states"]):
            self.assertEqual(vdot[i, places].tolist(), state["qdd"])
            own = np.array(state["reaction"]).reshape(-1, 6)
            self.assertEqual(reaction[i, rows].tolist(), own.tolist())
            one, wrench = robot.forward_dynamics(
                q[i], v[i], tau[i], gravity=document["gravity"], reactions=True)
            self.assertEqual(one.tobytes(), vdot[i].tobytes())
            self.assertEqual(wrench.tobytes(), reaction[i].tobytes())

    def test_an_arm_evaluates_to_the_same_bits(self):
        self.evaluated("six_axis_arm.fixed.json", "six_axis_arm.urdf")

    def test_a_floating_humanoid_with_balls_does(self):
        self.evaluated("humanoid.floating.json", "humanoid.urdf", base="floating")

    def test_a_four_bar_does(self):
        self.evaluated("four_bar.loop.json", "loops/four_bar.urdf")

    def test_a_run_has_the_hash_of_the_tool(self):
        for options, own in [
            (["--integrator", "euler"], {"integrator": "euler"}),
            (["--integrator", "rk4", "--scalar", "float"], {"integrator": "rk4", "scalar": "float"}),
            ([], {}),
            (["--hold", "50,1"], {"hold": (50, 1)}),
        ]:
            run = lockstep.Simulation(lockstep.load(MODELS / "six_axis_arm.urdf"), **own)
            run.step(n=200)
            expected = tool_hash(MODELS / "six_axis_arm.urdf", "--duration", 0.2, *options)
            self.assertEqual(run.hash, expected)

    def test_a_quadruped_lands_with_the_hash_of_the_tool(self):
        file = MODELS / "quadruped.urdf"
        words = [file, "--base", "floating", "--drop", 0.05, "--hold", "60,0.2", "--duration", 0.3]
        robot = lockstep.load(file, base="floating")
        run = lockstep.Simulation(robot, drop=0.05, hold=(60, 0.2))
        run.step(n=150)
        half_way = run.state
        run.step(n=150)
        self.assertEqual(run.hash, tool_hash(*words))
        # standing: what contacts bear is the weight
        weight = sum(force for force, _ in run.contacts.values())
        self.assertEqual(len(run.contacts), 4)
        self.assertGreater(weight[2], 0)
        # back, and along the same way
        end = run.hash
        run.state = half_way
        self.assertEqual(run.steps, 150)
        run.step(n=150)
        self.assertEqual(run.hash, end)

    def test_a_run_is_saved_for_the_tool_and_restored_from_it(self):
        file = MODELS / "double_pendulum.urdf"
        with tempfile.TemporaryDirectory() as folder:
            state = Path(folder, "state.json")
            run = lockstep.Simulation(lockstep.load(file))
            run.step(n=100)
            run.save(state)
            after = tool_hash(file, "--restore", state, "--duration", 0.1)
            run.step(n=100)
            self.assertEqual(run.hash, after)
            again = lockstep.Simulation(run.robot, restore=state)
            again.step(n=100)
            self.assertEqual(again.hash, after)

    def test_errors_and_warnings_have_the_words_of_the_tool(self):
        with tempfile.TemporaryDirectory() as folder:
            bad = Path(folder, "bad.urdf")
            bad.write_text("<robot name='r'><link name='a'/><link name='b'/>"
                           "<joint name='elbow' type='revolute'><parent link='a'/>"
                           "<child link='b'/><axis xyz='0 0 0'/></joint></robot>")
            told = tool("inspect", bad, code=1).stderr.strip().splitlines()[-1]
            with self.assertRaises(lockstep.Error) as raised:
                lockstep.load(bad)
            self.assertEqual(str(raised.exception), told)
        self.assertIn("elbow", told)


class Mathematics(unittest.TestCase):
    def setUp(self):
        self.robots = [
            lockstep.load(MODELS / "six_axis_arm.urdf"),
            lockstep.load(MODELS / "quadruped.urdf", base="floating"),
            lockstep.load(MODELS / "ball_tree_31.urdf"),
        ]

    def test_inverse_dynamics_gives_back_the_efforts(self):
        for robot in self.robots:
            q, v, tau = random_states(robot, 9)
            vdot = robot.forward_dynamics(q, v, tau)
            np.testing.assert_allclose(robot.inverse_dynamics(q, v, vdot), tau, atol=1e-8)

    def test_the_mass_matrix_times_vdot_and_the_bias_are_the_efforts(self):
        for robot in self.robots:
            q, v, tau = random_states(robot, 9)
            vdot = robot.forward_dynamics(q, v, tau)
            M = robot.mass_matrix(q)
            np.testing.assert_array_equal(M, M.transpose(0, 2, 1))
            bias = robot.inverse_dynamics(q, v, 0 * vdot)
            np.testing.assert_allclose(np.einsum("nij,nj->ni", M, vdot) + bias, tau, atol=1e-8)
            kinetic, _ = robot.energy(q, v)
            np.testing.assert_allclose(
                0.5 * np.einsum("ni,nij,nj->n", v, M, v), kinetic, rtol=1e-12)

    def test_jacobian_twist_and_pose_agree_with_differences(self):
        step = 1e-6
        for robot in self.robots:
            q, v, _ = random_states(robot, 3)
            link = robot.links[-1]
            twist = robot.twist(q, v, link)
            J = robot.jacobian(q, link)
            np.testing.assert_allclose(np.einsum("nij,nj->ni", J, v), twist, atol=1e-12)
            before, after = (robot.pose(robot.integrate(q, v, dt), link) for dt in (-step, step))
            rate = (after - before) / (2 * step)
            np.testing.assert_allclose(rate[:, :3, 3], twist[:, :3], atol=1e-7)
            spin = rate[:, :3, :3] @ robot.pose(q, link)[:, :3, :3].transpose(0, 2, 1)
            np.testing.assert_allclose(spin[:, [2, 0, 1], [1, 2, 0]], twist[:, 3:], atol=1e-7)
            own = robot.twist(q, v, link, axes="link")
            R = robot.pose(q, link)[:, :3, :3]
            np.testing.assert_allclose(np.einsum("nij,nj->ni", R, own[:, :3]), twist[:, :3],
                                       atol=1e-12)

    def test_gravity_torque_is_the_slope_of_the_potential_energy(self):
        step = 1e-6
        robot = self.robots[0]
        q, _, _ = random_states(robot, 1)
        q = q[0]
        slope = []
        for i in range(robot.nv):
            e = np.zeros(robot.nv)
            e[i] = step
            slope.append((robot.energy(q + e)[1] - robot.energy(q - e)[1]) / (2 * step))
        np.testing.assert_allclose(robot.gravity_torque(q), slope, atol=1e-6)

    def test_momentum_is_that_of_the_centre_of_mass(self):
        step = 1e-6
        robot = self.robots[1]
        q, v, _ = random_states(robot, 3)
        before, after = (robot.centre_of_mass(robot.integrate(q, v, dt)) for dt in (-step, step))
        base = robot.mass_matrix(q)[0]
        mass = base[0, 0]
        np.testing.assert_allclose(
            mass * (after - before) / (2 * step), robot.momentum(q, v)[:, 0], atol=1e-5)

    def test_integrate_and_difference_undo_each_other(self):
        for robot in self.robots:
            q, v, _ = random_states(robot, 5)
            back = robot.difference(q, robot.integrate(q, 0.3 * v))
            np.testing.assert_allclose(back, 0.3 * v, atol=1e-12)

    def test_a_wrench_does_what_its_transposed_jacobian_does(self):
        robot = self.robots[0]
        q, v, tau = (x[0] for x in random_states(robot, 1))
        joint = robot.joints[-1]
        force = np.zeros((robot.bodies, 6))
        force[joint.index] = [1, -2, 3, 0.1, 0.2, -0.3]
        link = json.loads((REFERENCE / "six_axis_arm.fixed.json").read_text())["joints"][-1]
        J = robot.jacobian(q, link["child_link"], axes="link")
        np.testing.assert_allclose(
            robot.forward_dynamics(q, v, tau, external=force),
            robot.forward_dynamics(q, v, tau + J.T @ force[joint.index]), atol=1e-10)

    def test_a_step_by_each_integrator_goes_along_the_motion(self):
        for robot in self.robots:
            q, v, tau = random_states(robot, 3)
            for integrator in ["euler", "midpoint", "rk4"]:
                q_next, v_next = robot.step(q, v, tau, dt=1e-6, integrator=integrator)
                vdot = robot.forward_dynamics(q, v, tau)
                # of order dt^2 times the square of what it computes with
                np.testing.assert_allclose((v_next - v) / 1e-6, vdot,
                                           rtol=1e-2, atol=1e-3 * np.abs(vdot).max())
                np.testing.assert_allclose(robot.difference(q, q_next) / 1e-6, v,
                                           atol=1e-8 + 2e-6 * np.abs(vdot).max())


class Batches(unittest.TestCase):
    def test_have_the_bits_of_each_state_for_any_number_of_threads(self):
        for robot in [lockstep.load(MODELS / "quadruped.urdf", base="floating"),
                      lockstep.load(MODELS / "loops/four_bar.urdf")]:
            q, v, tau = random_states(robot, 131)
            if "four_bar" in robot.file:
                q[:] = robot.start()
            calls = [
                lambda s, **own: robot.forward_dynamics(q[s], v[s], tau[s], **own),
                lambda s, **own: robot.inverse_dynamics(q[s], v[s], tau[s], **own),
                lambda s, **own: robot.mass_matrix(q[s], **own),
                lambda s, **own: robot.step(q[s], v[s], tau[s], integrator="euler", **own)[1],
            ]
            for call in calls:
                alone = np.array([call(i) for i in range(len(q))])
                for threads in [1, 2, 5]:
                    together = call(slice(None), threads=threads)
                    self.assertEqual(alone.tobytes(), together.tobytes())

    def test_one_state_serves_all(self):
        robot = lockstep.load(MODELS / "six_axis_arm.urdf")
        q, v, tau = random_states(robot, 10)
        whole = robot.forward_dynamics(q, np.tile(v[0], (10, 1)), np.zeros((10, 6)))
        np.testing.assert_array_equal(robot.forward_dynamics(q, v[0]), whole)

    def test_an_empty_batch_has_no_answers(self):
        robot = lockstep.load(MODELS / "six_axis_arm.urdf")
        self.assertEqual(robot.forward_dynamics(np.zeros((0, 6))).shape, (0, 6))

    def test_name_the_first_state_without_an_answer(self):
        robot = lockstep.load(MODELS / "six_axis_arm.urdf")
        q = np.zeros((400, 6))
        q[[333, 77]] = np.nan
        for threads in [1, 3]:
            with self.assertRaisesRegex(lockstep.Error, "^state 77: .*not finite|^state 77: .*NaN"):
                robot.forward_dynamics(q, threads=threads)

    def test_name_what_has_the_wrong_shape(self):
        robot = lockstep.load(MODELS / "six_axis_arm.urdf")
        other = lockstep.Simulation(lockstep.load(MODELS / "pendulum.urdf"))
        for call, words in [
            (lambda: robot.forward_dynamics(np.zeros(5)), r"^q: has shape \(5,\); give \(6,\) or"),
            (lambda: robot.forward_dynamics(np.zeros((3, 6)), np.zeros((4, 6))),
             "^v: has 4 states, and q 3"),
            (lambda: robot.forward_dynamics("elbow"), "^q: is no array of numbers"),
            (lambda: robot.joint("elbwo"), "did you mean 'elbow'"),
            (lambda: robot.pose(np.zeros(6), "tool_plat"), "did you mean 'tool_plate'"),
            (lambda: robot.jacobian(np.zeros(6), "tool_plate", axes="body"), "^axes: 'body'"),
            (lambda: robot.step(np.zeros(6), integrator="verlet"), "^integrator: 'verlet'"),
            (lambda: robot.forward_dynamics(np.zeros(6), threads=-1), "^threads: needs 0"),
            (lambda: lockstep.load(robot.file, base="flying"), "^base: 'flying'"),
            (lambda: lockstep.Simulation(robot, dt=0), "^dt: needs"),
            (lambda: lockstep.Simulation(robot, hold=(1, 1)).step(np.zeros(6)), "release"),
            (lambda: setattr(lockstep.Simulation(robot), "state", other.state), "another robot"),
        ]:
            with self.assertRaisesRegex(lockstep.Error, words):
                call()

    def test_the_interpreter_goes_on_meanwhile(self):
        robot = lockstep.load(MODELS / "humanoid.urdf", base="floating")
        q, v, tau = random_states(robot, 20000)
        counted, done = 0, threading.Event()

        def solve():
            robot.forward_dynamics(q, v, tau, threads=1)
            done.set()

        worker = threading.Thread(target=solve)
        worker.start()
        while not done.is_set():
            counted += 1
        worker.join()
        self.assertGreater(counted, 1000)


class Stubs(unittest.TestCase):
    """Every name of the module is in its stub and the other way round, arguments included."""

    def test_tell_what_the_module_has(self):
        stub = ast.parse(Path(lockstep.__file__).with_name("_native.pyi").read_text())
        told = {}
        for node in stub.body:
            if isinstance(node, ast.ClassDef):
                told[node.name] = {own.name: own for own in node.body
                                   if isinstance(own, ast.FunctionDef)}
            elif isinstance(node, ast.FunctionDef):
                told[node.name] = node
        self.assertEqual(set(told), set(lockstep.__all__))
        for name, members in told.items():
            if name == "Error":
                continue
            own = getattr(lockstep, name)
            if isinstance(members, ast.FunctionDef):
                self.check(members, own)
                continue
            public = {key for key in vars(own) if not key.startswith("_")}
            self.assertEqual(public, set(members) - {"__init__"}, name)
            for key, member in members.items():
                if not any(isinstance(d, ast.Name) and d.id == "property" or
                           isinstance(d, ast.Attribute) for d in member.decorator_list):
                    self.check(member, getattr(own, key))

    def check(self, told, own):
        arguments = told.args.posonlyargs + told.args.args + told.args.kwonlyargs
        signature = own.__doc__.splitlines()[0]
        for argument in arguments:
            if argument.arg != "self":
                self.assertIn(f"{argument.arg}: ", signature, told.name)
        self.assertEqual(signature.count(": "), len(arguments), signature)


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main(argv=sys.argv[:1])
