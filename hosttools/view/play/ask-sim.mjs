// The robots that the playground brings, with what `lockstep sim` says of each: node ask-sim.mjs
// LOCKSTEP OUTPUT.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [, , lockstep, output] = process.argv;
const models = join(dirname(fileURLToPath(import.meta.url)), '../../../models');
const kDuration = 2;  // s
const kRobots = [
  { file: 'quadruped.urdf', options: { floating: true, drop: 0.3, hold: [60, 0.6] } },
  { file: 'six_axis_arm.urdf', options: { floating: false } },
  { file: 'double_pendulum.urdf', options: { floating: false } },
];
const wordsOf = ({ floating, drop, hold }) => [
  ...(floating ? ['--base', 'floating'] : []),
  ...(drop !== undefined ? ['--drop', String(drop)] : []), ...(hold ? ['--hold', hold.join(',')] : []),
];
const robots = kRobots.map(({ file, options }) => {
  const path = join(models, file);
  const told = execFileSync(lockstep, ['sim', path, ...wordsOf(options), '--duration', String(kDuration), '--quiet'], { encoding: 'utf8' });
  const hash = /^hash +(0x[0-9a-f]{16})$/m.exec(told)[1];
  const steps = Number(/^steps +(\d+) of/m.exec(told)[1]);
  return { file: basename(path), options, expected: { steps, hash }, text: readFileSync(path, 'utf8') };
});
writeFileSync(output, JSON.stringify(robots));
