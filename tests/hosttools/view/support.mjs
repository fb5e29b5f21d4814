// What the tests of the page share: runs of the tool, and the run within a page.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

export const folder = mkdtempSync(join(tmpdir(), 'lockstep-page-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

// The playground, where it was built.
export const playground = join(dirname(process.env.LOCKSTEP ?? '.'), '../share/lockstep-view/playground.html');

// The tool's exit code and words; it is named by LOCKSTEP.
export function lockstep(...words) {
  try {
    const output = execFileSync(process.env.LOCKSTEP, words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return { code: 0, output };
  } catch (error) {
    return { code: error.status, output: error.stdout, errors: error.stderr };
  }
}

// The JSON of a page, as a browser finds it: from the element's start to the first end of a script.
export function runIn(path) {
  const html = readFileSync(path, 'utf8');
  const begin = '<script type="application/json" id="run">';
  const from = html.indexOf(begin) + begin.length;
  return JSON.parse(html.slice(from, html.indexOf('</script', from)));
}

// A record by its headers: {'q.elbow [rad]': [..]}.
export function readCsv(path) {
  const [header, ...rows] = readFileSync(path, 'utf8').trim().split('\n').map((line) => line.split(','));
  return Object.fromEntries(header.map((name, i) => [name, rows.map((row) => Number(row[i]))]));
}

// Runs `sim` with both files.
export function simulate(name, ...words) {
  const page = join(folder, `${name}.html`);
  const csv = join(folder, `${name}.csv`);
  const result = lockstep('sim', ...words, '--quiet', '--csv', csv, '--report', page);
  if (result.code !== 0) throw new Error(`${name}: ${result.errors}`);
  return { page, csv, ...result };
}
