// hosttools/view/kinematics.js: single joints by hand, whole robots by the energy that the tool
// computes from motions in the world: at rest it is that of the centres of mass in gravity.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeRun } from '../../../hosttools/view/decode.js';
import { jointMotion, pointAt, posesAt } from '../../../hosttools/view/kinematics.js';
import { folder, readCsv, runIn, simulate } from './support.mjs';

const near = (a, b, most = 1e-12) => a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) <= most, `${a} and ${b}`));
const kNow = { row: 0, next: 0, share: 0 };

test('a quarter turn, a slide, a plane, a free body', () => {
  const half = Math.SQRT1_2;
  near(pointAt(jointMotion('revolute', [Math.PI / 2]), [1, 0, 0]), [0, 1, 0]);
  near(pointAt(jointMotion('prismatic', [0.3]), [1, 2, 3]), [1, 2, 3.3]);
  near(pointAt(jointMotion('planar', [5, 6, Math.PI / 2]), [1, 0, 7]), [5, 7, 7]);
  near(pointAt(jointMotion('ball', [half, 0, 0, half]), [0, 1, 0]), [0, 0, 1]);
  near(pointAt(jointMotion('floating', [1, 2, 3, 0, half, 0, half]), [1, 0, 0]), [1, 2, 2]);
  near(pointAt(jointMotion('stretching', [0, 0, 0, 0, 0, 0, 1, 2, 3, 4]), [1, 1, 1]), [2, 3, 4]);
});

const column = (...numbers) => ({ numbers });
const kBody = { parent: -1, R: [1, 0, 0, 0, 1, 0, 0, 0, 1], p: [0, 0, 0], q: 0, reference: -1 };

test('between rows quaternions of opposite sign are neighbours', () => {
  const columns = [column(0, 0), column(0, 0), column(0, Math.sin(0.1)), column(1, Math.cos(0.1))];
  const flipped = columns.map(({ numbers: [a, b] }) => column(a, -b));
  const at = { row: 0, next: 1, share: 0.5 };
  const [pose] = posesAt([{ ...kBody, type: 'ball' }], columns, at);
  const [other] = posesAt([{ ...kBody, type: 'ball' }], flipped, at);
  near(pose.R, other.R);
  near(pointAt(pose, [1, 0, 0]), [Math.cos(0.1), Math.sin(0.1), 0], 1e-12);
});

test('a body whose coordinate is no number is nowhere, and so is what hangs on it', () => {
  const bodies = [{ ...kBody, type: 'revolute' }, { ...kBody, type: 'revolute', parent: 0, q: 1 }, { ...kBody, type: 'revolute', q: 1 }];
  const poses = posesAt(bodies, [column(NaN), column(1)], kNow);
  assert.deepEqual(poses.map((pose) => pose === null), [true, true, false]);
});

// every joint type, a loop, a mechanism of each kind of body; poses away from zero
const kRobots = {
  six_axis_arm: ['models/six_axis_arm.urdf', '--start', 'POSE', { pan: 1, lift: -1, elbow: 1.2, wrist_pitch: 2 }],
  ball_tree_31: ['models/ball_tree_31.urdf'],
  quadruped: ['models/quadruped.urdf', '--base', 'floating', '--drop', '0.1'],
  gripper: ['models/gripper.urdf'],
  stewart_platform: ['models/loops/stewart_platform.urdf'],
};
for (const [name, [file, ...words]] of Object.entries(kRobots)) {
  test(`${name}: the page's centres of mass have the record's energy`, () => {
    if (typeof words.at(-1) === 'object') {
      const pose = join(folder, `${name}.json`);
      writeFileSync(pose, JSON.stringify({ q: words.pop() }));
      words[words.length - 1] = pose;
    }
    const { page, csv } = simulate(name, file, ...words, '--duration', '0.05');
    const run = decodeRun(runIn(page));
    const energy = readCsv(csv)['energy [J]'];
    const poses = posesAt(run.scene.bodies, run.columns, kNow);
    const springs = name === 'gripper';  // whose energy no pose tells
    const potential = run.scene.bodies.reduce((sum, { mass, com }, i) => sum + 9.81 * mass * pointAt(poses[i], com)[2], 0);
    if (!springs) assert.ok(Math.abs(potential - energy[0]) <= 1e-9 * Math.max(1, Math.abs(potential)), `${potential} and ${energy[0]}`);
    assert.ok(poses.every((pose) => pose !== null));
  });
}

test('bodies of mechanisms are where their columns say', () => {
  const { page, csv } = simulate('gyroscope', 'models/mechanisms/gyroscope.xml', '--duration', '0.5', '--every', '100');
  const run = decodeRun(runIn(page));
  const record = readCsv(csv);
  const last = run.rows - 1;
  const poses = posesAt(run.scene.bodies, run.columns, { row: last, next: last, share: 0 });
  run.scene.bodies.forEach(({ name }, i) => {
    near(poses[i].p, ['x', 'y', 'z'].map((axis) => record[`x.${name}.${axis} [m]`][last]), 1e-6);
  });
});
