// hosttools/view/decode.js: numbers from text, rows from times, columns from words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as decode from '../../../hosttools/view/decode.js';

const base64 = (array) => Buffer.from(array.buffer).toString('base64');
const run = decode.decodeRun({
  times: base64(Float64Array.of(0, 0.1, 0.3)),
  values: base64(Float32Array.of(0, 1e-9, 2e-9, 0, NaN, 4)),
  base: [124, 1],
  columns: [{ name: 'energy', unit: 'J' }, { name: 'q.a', unit: 'rad' }],
});

test('a small change of a large number keeps its digits', () => {
  assert.equal(run.rows, 3);
  assert.ok(Math.abs(run.columns[0].numbers[2] - 124 - 2e-9) < 2e-14);
  assert.ok(Number.isNaN(run.columns[1].numbers[1]));
  assert.equal(run.columns[1].numbers[2], 5);
});

test('a run of no rows and of one', () => {
  const empty = decode.decodeRun({ times: '', values: '', base: [0], columns: [{ name: 'a', unit: '' }] });
  assert.equal(empty.rows, 0);
  assert.deepEqual(decode.between([2], 7), { row: 0, next: 0, share: 0 });
});

test('rows are found by time', () => {
  const times = [0, 1, 1, 2, 5];
  for (const [time, row] of [[-1, 0], [0, 0], [0.5, 0], [1, 2], [1.9, 2], [2, 3], [5, 4], [9, 4]]) {
    assert.equal(decode.rowAt(times, time), row, `at ${time}`);
  }
  const { row, next, share } = decode.between(times, 3);
  assert.deepEqual([row, next], [3, 4]);
  assert.ok(Math.abs(share - 1 / 3) < 1e-15);
});

test('what is no number does not spread to the row before it', () => {
  assert.equal(decode.valueAt([1, NaN], { row: 0, next: 1, share: 0.5 }), 1);
  assert.equal(decode.valueAt([1, 3], { row: 0, next: 1, share: 0.5 }), 2);
});

test('columns of one quantity and unit share a plot, references too', () => {
  const columns = ['q.a', 'q.b', 'q_ref.a', 'q.base.qx', 'energy', 'q.rail'].map((name) => ({
    name, unit: { 'q.base.qx': '', energy: 'J', 'q.rail': 'm' }[name] ?? 'rad',
  }));
  assert.deepEqual(decode.groupsOf(columns).map(({ key, columns: own }) => [key, own]),
    [['q [rad]', [0, 1, 2]], ['q [quaternion]', [3]], ['energy [J]', [4]], ['q [m]', [5]]]);
});

test('what never changes and what is rounding makes no plot by itself, a small error does', () => {
  const columns = [[1, 1], [2e-14, -3e-14], [0, 1e-6], [0, NaN]].map((numbers) => ({ numbers }));
  const nothing = (quantity, ...own) => decode.tellsNothing(columns, { quantity, columns: own });
  assert.deepEqual([nothing('q', 0), nothing('contact', 0, 1), nothing('contact', 1, 2), nothing('q', 3)], [true, true, false, false]);
  assert.equal(nothing('constraint_error', 1), false);
  assert.deepEqual([nothing('instructions', 0), nothing('tick_time', 0)], [false, false]);
});

test('columns are found by words and stars, and by no more', () => {
  const columns = ['tau.a+b', 'tau.c', 'contact.foot.z', 'contact.foot.x'].map((name) => ({ name, header: name }));
  assert.deepEqual(decode.matching(columns, 'a+b'), [0]);
  assert.deepEqual(decode.matching(columns, 'contact.*.z, tau.c'), [1, 2]);
  assert.deepEqual(decode.matching(columns, '(['), []);
  assert.deepEqual(decode.matching(columns, ' '), []);
});

test('labels of an axis tell its ticks apart', () => {
  assert.deepEqual(decode.tickTexts([-0.5, 0, 0.5], 0.5), ['-0.5', '0.0', '0.5']);
  assert.deepEqual(decode.tickTexts([0, 0.25], 0.25), ['0.00', '0.25']);
  assert.deepEqual(decode.tickTexts([0, 50, 100], 50), ['0', '50', '100']);
  assert.deepEqual(decode.tickTexts([0, 2e-16, 4e-16], 2e-16), ['0', '2e-16', '4e-16']);
  assert.deepEqual(decode.tickTexts([25, 25 + 1e-9, 25 + 2e-9], 1e-9), ['25', '+1e-9', '+2e-9']);
  assert.deepEqual(decode.tickTexts([2e6, 4e6], 2e6), ['2000000', '4000000']);
});

test('an axis shows a tenth beyond its values, and 1 around nothing', () => {
  assert.deepEqual(decode.axisRange(0, 10), [-1, 11]);
  assert.deepEqual(decode.axisRange(0, 0), [-1, 1]);
  assert.deepEqual(decode.axisRange(20, 20), [18, 22]);
  assert.deepEqual(decode.axisRange(-20, -20), [-22, -18]);
  assert.deepEqual(decode.axisRange(null, null), [-1, 1], 'no number at all');
});

test('numbers as text', () => {
  assert.deepEqual([0, -0.5, 123456.789, 1e-7, 3e9, NaN].map(decode.numberText),
    ['0', '-0.5', '123457', '1.0000e-7', '3.0000e+9', 'NaN']);
});
