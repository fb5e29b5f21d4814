// The page as the tool writes it, without a browser: the record's numbers, events, names that try to
// be markup, long and broken runs, the same bytes for the same run.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeRun } from '../../../hosttools/view/decode.js';
import { folder, lockstep, readCsv, runIn, simulate } from './support.mjs';

const kArm = 'models/six_axis_arm.urdf';

test('a page has every number of the record', () => {
  const { page, csv } = simulate('arm', kArm, '--duration', '0.2', '--hold', '100,1');
  const run = decodeRun(runIn(page));
  const record = readCsv(csv);
  assert.deepEqual(Object.keys(record), ['time [s]', ...run.columns.map(({ header }) => header)]);
  assert.deepEqual([...run.times], record['time [s]']);
  for (const { header, numbers } of run.columns) {
    const told = record[header];
    const range = Math.max(...told.map((x) => Math.abs(x - told[0])));
    told.forEach((x, row) => assert.ok(Math.abs(numbers[row] - x) <= 1e-7 * range + 1e-14 * Math.abs(x), `${header} in row ${row}`));
  }
});

test('the same run has the same bytes, and needs nothing from elsewhere', () => {
  const { page } = simulate('again', kArm, '--duration', '0.1');
  const first = readFileSync(page, 'utf8');
  simulate('again', kArm, '--duration', '0.1');
  assert.equal(readFileSync(page, 'utf8'), first);
  assert.doesNotMatch(first, /<(script|link|img|iframe)[^>]*\s(src|href)="(?!data:)/);
  assert.match(first, /default-src 'none'/);
});

test('a record makes the page that its run made', () => {
  const words = ['models/quadruped.urdf', '--base', 'floating', '--drop', '0.1', '--hold', '60,0.2'];
  const { page, csv } = simulate('stand', ...words, '--duration', '0.4', '--every', '2');
  const later = join(folder, 'later.html');
  const { code, errors } = lockstep('report', csv, '--robot', words[0], '--base', 'floating', '-o', later);
  assert.equal(code, 0, errors);
  const [own, read] = [runIn(page), runIn(later)];
  for (const part of ['columns', 'base', 'times', 'values', 'events', 'scene']) assert.deepEqual(read[part], own[part], part);
  assert.match(read.command, /^lockstep report /);
  // four feet come down and stay
  const touched = new Set(own.events.filter(({ kind }) => kind === 'contact').map(({ text }) => text));
  assert.ok(touched.size >= 4, [...touched].join());
  const first = own.events.find(({ kind }) => kind === 'contact').time;
  assert.ok(first > 0.1 && first < 0.2, `falls 0.1 m: sqrt(2 h / g) = 0.143 s, and not ${first}`);
});

test('joints of a robot that stands carry what is above them', () => {
  const { page } = simulate('carry', 'models/quadruped.urdf', '--base', 'floating', '--hold', '200,4', '--duration', '1.5', '--every', '50');
  const run = decodeRun(runIn(page));
  const value = (name) => run.columns.find((column) => column.name === name).numbers[run.rows - 1];
  const sum = (pattern) => run.columns.filter(({ name }) => pattern.test(name)).reduce((total, { numbers }) => total + numbers[run.rows - 1], 0);
  assert.ok(Math.abs(sum(/^contact\..*\.z$/) - run.scene.weight) < 0.01 * run.scene.weight, 'the feet carry the weight');
  // what hangs on the trunk by a joint each
  const legs = run.scene.bodies.filter(({ parent }) => parent === 0);
  const trunk = run.scene.bodies[0].mass * 9.81;
  const carried = -legs.reduce((total, { joint }) => total + value(`reaction.${joint}.z`), 0);
  assert.ok(Math.abs(carried - trunk) < 0.02 * trunk, `${carried} and ${trunk}`);
});

test('the card tells what acted, what was asked for and what is usual, and what a call costs', () => {
  const words = ['models/quadruped.urdf', '--base', 'floating', '--hold', '60,0.6', '--ground-friction', '0.5', '--duration', '0.01'];
  const cardOf = (page) => Object.fromEntries(runIn(page).card.map(({ title, lines }) => [title, Object.fromEntries(lines)]));
  const { page, output } = simulate('card', ...words);
  const card = cardOf(page);
  assert.deepEqual(Object.keys(card), ['Run', 'Options', 'Model', 'Cost', 'Made by']);
  assert.equal(card.Run.hash, /^hash +(0x[0-9a-f]{16})$/m.exec(output)[1]);
  assert.equal(card.Options.gravity, '0, 0, -9.81 m/s^2 in the world');
  assert.equal(card.Options.ground, 'plane at 0 m, friction 0.5, restitution 0');
  assert.equal(card.Options['driven by'], 'drives that hold the start pose, kp 60 N m/rad, kd 0.6 N m s/rad');
  assert.equal(card.Options['solver of rows'], 'newton');
  const inspected = lockstep('inspect', ...words.slice(0, 3)).output;
  assert.ok(inspected.includes(`straight line: ${card.Cost['forward dynamics']}`), inspected);
  assert.ok(inspected.includes(`double ${card.Cost['bytes in double']}`), inspected);
  assert.match(lockstep('--version').output, new RegExp(`\\b${card['Made by'].lockstep}\\b`));
  const { page: gyroscope } = simulate('card_gyroscope', 'models/mechanisms/gyroscope.xml', '--duration', '0.01');
  assert.deepEqual(Object.keys(cardOf(gyroscope)), ['Run', 'Options', 'Model', 'Made by']);
});

test('names are text, never markup', () => {
  const evil = '</script><script>alert(1)</script><!--';
  const escaped = evil.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const file = join(folder, 'evil.urdf');
  writeFileSync(file, `<robot name="${escaped}"><link name="base"/><link name="b, &quot;c&quot;"><inertial><mass value="1"/>
    <origin xyz="0 0 -1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
    <joint name="${escaped}" type="continuous"><parent link="base"/><child link="b, &quot;c&quot;"/><axis xyz="0 1 0"/></joint></robot>`);
  const page = join(folder, 'evil.html');
  const { code, errors } = lockstep('sim', file, '--duration', '0.01', '--quiet', '--report', page);
  assert.equal(code, 0, errors);
  const run = runIn(page);  // to the first end of a script
  assert.equal(run.title, evil);
  assert.ok(run.columns.some(({ name }) => name === `q.${evil}`));
  assert.ok(!readFileSync(page, 'utf8').includes('<script>alert'));
});

test('a million rows make a page of some megabytes, with a note', () => {
  const csv = join(folder, 'long.csv');
  const rows = ['time [s],q.hinge [rad],v.hinge [rad/s],tau.hinge [N m],energy [J]'];
  for (let i = 0; i < 1_000_000; ++i) rows.push(`${i / 1000},${i % 7},0,0,${i === 500_001 ? 'nan' : 1}`);
  writeFileSync(csv, rows.join('\n'));
  const page = join(folder, 'long.html');
  const file = join(folder, 'hinge.urdf');
  writeFileSync(file, `<robot name="hinge"><link name="base"/><link name="door"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
    <joint name="hinge" type="continuous"><parent link="base"/><child link="door"/></joint></robot>`);
  const { code, errors } = lockstep('report', csv, '--robot', file, '-o', page);
  assert.equal(code, 0, errors);
  assert.ok(statSync(page).size < 4e6);
  const run = runIn(page);
  const { times, rows: shown } = decodeRun(run);
  assert.equal(shown, 20000);
  assert.equal(times[0], 0);
  assert.equal(times[shown - 1], 999.999);
  assert.match(run.notes[0], /20000 of 1000000 rows/);
  // the one row that is no number is not shown, and still told
  assert.deepEqual(run.events, [{ time: 500.001, kind: 'fault', text: 'energy is not a finite number from here on' }]);
});

test('records of no row, of one, and of others', () => {
  const file = join(folder, 'hinge.urdf');
  const header = 'time [s],q.hinge [rad],v.hinge [rad/s],tau.hinge [N m],energy [J]\n';
  for (const [rows, text] of [[0, ''], [1, '0,1,0,0,nan\n']]) {
    const csv = join(folder, `${rows}.csv`);
    writeFileSync(csv, header + text);
    assert.equal(lockstep('report', csv, '--robot', file).code, 0);
    assert.equal(decodeRun(runIn(join(folder, `${rows}.html`))).rows, rows);
  }
  const refused = (name, text, words) => {
    const csv = join(folder, name);
    writeFileSync(csv, text);
    const { code, errors } = lockstep('report', csv, '--robot', file);
    assert.equal(code, 1);
    assert.match(errors, words);
    assert.equal(errors.trim().split('\n').length, 1);
  };
  refused('other.csv', 'time [s],q.elbow [rad]\n0,1\n', /other\.csv: the record has no column 'q\.hinge \[rad\]'; give the file/);
  refused('more.csv', 'time [s],q.hinge [rad],q.root_joint.x [m]\n0,1,2\n', /has a column 'q\.root_joint\.x'.*--base/);
  refused('late.csv', header + '1,0,0,0,0\n0,0,0,0,0\n', /late\.csv:3: the time falls/);
  refused('short.csv', header + '1,0,0\n', /short\.csv:2: has 3 fields, and the header 5/);
  refused('word.csv', header + '1,a,0,0,0\n', /word\.csv:2: 'a' is no number/);
  refused('no.csv', 'a,b\n', /no\.csv:1: does not begin with a column 'time'/);
});

test('a run that breaks off leaves a page that tells why', () => {
  const page = join(folder, 'broken.html');
  const { code, errors } = lockstep('sim', 'models/seven_axis_arm.urdf', '--integrator', 'euler', '--duration', '5', '--limits', 'none', '--friction', 'none', '--ignore-damping', '--quiet', '--every', '10', '--report', page);
  assert.equal(code, 1);
  const run = runIn(page);
  const fault = run.events.find(({ kind }) => kind === 'fault');
  assert.ok(fault, errors);
});
