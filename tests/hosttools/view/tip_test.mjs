// hosttools/view/tip.js: what is told of a link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf } from '../../../hosttools/view/tip.js';

test('what is under the pointer: a link, its joint, the forces on it', () => {
  const column = (name, unit, ...numbers) => ({ name, unit, numbers });
  const run = {
    scene: { bodies: [{ name: 'trunk', joint: 'root_joint', type: 'floating', mass: 3.5 }, { name: 'shank', joint: 'knee', type: 'revolute', mass: 0.064 }] },
    columns: [
      column('q.knee', 'rad', -1, -1.5), column('tau.knee', 'N m', 2, 2), column('v.knee', 'rad/s', 1.0021e-6, 1.0021e-6),
      column('contact.shank.x', 'N', 0, 6), column('contact.shank.y', 'N', 0, 0), column('contact.shank.z', 'N', 0, 8),
      column('reaction.knee.x', 'N', 0, 0), column('reaction.knee.y', 'N', 3, 3), column('reaction.knee.z', 'N', 4, 4),
    ],
  };
  assert.deepEqual(linesOf(run, 0, { row: 0, next: 0, share: 0 }), ['trunk, 3.5 kg']);
  assert.deepEqual(linesOf(run, 1, { row: 0, next: 0, share: 0 }), ['shank, 0.064 kg', 'knee: -1 rad, 1.0e-6 rad/s, 2 N m', 'joint carries 5 N']);
  assert.deepEqual(linesOf(run, 1, { row: 0, next: 1, share: 0.5 }),
    ['shank, 0.064 kg', 'knee: -1.25 rad, 1.0e-6 rad/s, 2 N m', 'contacts: 5 N', 'joint carries 5 N']);
});
