// The solver of the playground by node: the module within the built page, against the tool beside it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { makeSolver, ToolError } from '../../../hosttools/view/play/solver.js';
import { folder, lockstep, playground, root } from './support.mjs';

const html = readFileSync(playground, 'utf8');
const base64 = /<script type="application\/octet-stream" id="solver">([^<]+)<\/script>/.exec(html)[1];
const module = new WebAssembly.Module(gunzipSync(Buffer.from(base64, 'base64')));

function open(model, options = {}) {
  const solver = makeSolver(module);
  const file = model.split('/').at(-1);
  solver.put(file, readFileSync(join(root, model)));
  solver.open({ file, ...options });
  return solver;
}
function hashOf(words) {
  const { code, output, errors } = lockstep('sim', ...words, '--quiet');
  assert.equal(code, 0, errors);
  return /^hash +(0x[0-9a-f]{16})$/m.exec(output)[1];
}

// Where in a row a column is; the time comes first.
function placesIn(solver) {
  const { columns } = solver.facts();
  return (name) => {
    const column = columns.findIndex((own) => own.name === name);
    assert.ok(column >= 0, name);
    return 1 + column;
  };
}

test('an arm falls for 10^5 steps with the hash of sim', () => {
  const solver = open('models/six_axis_arm.urdf');
  for (let i = 0; i < 100; ++i) solver.step(1000);
  assert.equal(solver.steps(), 100_000);
  assert.equal(solver.hash(), hashOf(['models/six_axis_arm.urdf', '--duration', '100']));
});

test('a quadruped lands and stands with the hash of sim, however the steps are cut', () => {
  const options = { floating: true, drop: 0.1, hold: [60, 0.2] };
  const theirs = hashOf(['models/quadruped.urdf', '--base', 'floating', '--drop', '0.1', '--hold', '60,0.2', '--duration', '1']);
  for (const cut of [1000, 16, 7]) {
    const solver = open('models/quadruped.urdf', options);
    while (solver.steps() < 1000) solver.step(Math.min(cut, 1000 - solver.steps()));
    assert.equal(solver.hash(), theirs, `in steps of ${cut}`);
  }
});

test('robots with loops, rotors and mimics have the hash of sim', () => {
  for (const model of ['models/loops/four_bar.urdf', 'models/gripper.urdf', 'models/geared_quadruped.urdf']) {
    const solver = open(model);
    solver.step(500);
    assert.equal(solver.hash(), hashOf([model, '--duration', '0.5']), model);
  }
});

test('after a push and a dragged joint, sim goes on from the saved state to the same hash', () => {
  const solver = open('models/quadruped.urdf', { floating: true, drop: 0, hold: [60, 0.6] });
  solver.step(100);
  const at = solver.row();
  const of = placesIn(solver);
  const height = of('q.root_joint.z');
  assert.ok(solver.push(0, [0, 0, at[height]], [0, 3, 0]));
  const state = join(folder, 'state.json');
  writeFileSync(state, solver.saved());
  const sideways = of('v.root_joint.vy');
  assert.ok(solver.row()[sideways] - at[sideways] > 0.1, 'the base is pushed');
  solver.step(300);
  assert.equal(solver.hash(), hashOf(['models/quadruped.urdf', '--base', 'floating', '--hold', '60,0.6', '--restore', state, '--duration', '0.3']));

  const arm = open('models/six_axis_arm.urdf');
  arm.step(10);
  assert.ok(arm.setJoint(2, 0.7));
  writeFileSync(state, arm.saved());
  arm.step(200);
  assert.equal(arm.hash(), hashOf(['models/six_axis_arm.urdf', '--restore', state, '--duration', '0.2']));
});

test('a push changes momentum by the impulse', () => {
  const solver = open('models/quadruped.urdf', { floating: true, drop: 1 });
  const { scene, joints } = solver.facts();
  const of = placesIn(solver);
  assert.ok(scene.weight > 0 && joints.length > 12);
  const before = solver.row();
  assert.ok(solver.push(0, [0, 0, 0], [0, 0, 1]));
  const after = solver.row();
  assert.ok(after[of('v.root_joint.vz')] > before[of('v.root_joint.vz')]);
  // at the start everything rests, and the robot gains p^2 / 2m at least
  const energy = after[of('energy')] - before[of('energy')];
  assert.ok(energy >= 9.81 / (2 * scene.weight) * (1 - 1e-9), `${energy} J`);
});

test('doctor says in the page what it says on the command line', () => {
  const broken = readFileSync(join(root, 'models/double_pendulum.urdf'), 'utf8');
  const cases = {
    'no_mass.urdf': broken.replace(/<inertial>[^]*?<\/inertial>/g, ''),
    'no_link.urdf': broken.replace(/<child link="[^"]*"/, '<child link="nobody"'),
    'bad_number.urdf': broken.replace(/mass value="[^"]*"/, 'mass value="heavy"'),
    'no_xml.urdf': 'not a robot',
  };
  for (const [file, text] of Object.entries(cases)) {
    const solver = makeSolver(module);
    solver.put(file, new TextEncoder().encode(text));
    const path = join(folder, file);
    writeFileSync(path, text);
    const [{ findings }] = JSON.parse(lockstep('doctor', path, '--json').output).files;
    assert.ok(findings.length > 0, file);
    assert.deepEqual(solver.checkUp({ file }).map(({ message }) => message), findings.map(({ message }) => message), file);
    if (findings.some(({ severity }) => severity === 'error')) {
      const { errors } = lockstep('sim', path, '--duration', '0.1');
      assert.throws(() => solver.steps(), /no robot is open/);
      assert.throws(() => solver.open({ file }), (error) => error instanceof ToolError && errors.includes(error.message.split(' (one of')[0]));
    }
    // a module that failed is replaced: the next robot is whole
    solver.put('arm.urdf', readFileSync(join(root, 'models/six_axis_arm.urdf')));
    solver.open({ file: 'arm.urdf' });
    solver.step(10);
    assert.equal(solver.steps(), 10);
  }
});
