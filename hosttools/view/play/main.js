// The playground: a URDF, the tool's reader and solver, and hands. `window.lockstep` is what a script
// in the page, or a test, can ask.
import 'uplot/dist/uPlot.min.css';
import '../style.css';
import './play.css';
import { makePanels } from '../panels.js';
import { makeScene } from '../scene.js';
import { makeTip } from '../tip.js';
import { make } from './element.js';
import { makeHands } from './hands.js';
import { makeSolver } from './solver.js';
import { makeTree } from './tree.js';

const kMostRows = 4000;    // of the plots; then every other goes
const kPlotsEvery = 250;   // ms
const kPullSteps = 8;      // between two impulses: a spring on a light link is not to shake
const kMostSteps = 60;     // a picture: slower than the clock rather than stuck

const element = (id) => document.getElementById(id);
const robots = JSON.parse(element('robots').textContent);
const root = document.documentElement;
const dark = window.matchMedia('(prefers-color-scheme: dark)');
root.dataset.theme = dark.matches ? 'dark' : 'light';
element('about').append(make('pre', LICENCES));  // esbuild puts the texts here

async function moduleOf(base64) {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

let solver = null;
let robot = null;     // {file, expected}: what was opened
let run = null;       // what scene and panels read: the record so far
let scene = null;
let panels = null;
let tree = null;
let hands = null;
let tip = null;
let touched = null;   // the step at which a hand last changed something, with the state after it
let playing = false;
let before = 0;
let plotted = 0;

const options = () => ({
  file: robot.file,
  floating: element('floating').checked,
  ...(element('drop').value !== '' && element('floating').checked ? { drop: Number(element('drop').value) } : {}),
  ...(element('hold').checked ? { hold: gains() } : {}),
});
const gains = () => [Number(element('kp').value), Number(element('kd').value)];

// A run that broke off is over: the solver that ran it is gone.
function tell(error) {
  clear();
  setPlaying(false);
  const line = make('p', error.message, 'error');
  element('doctor').prepend(line);
  show('doctor');
  element('no-view').hidden = false;
  element('no-view').textContent = error.message;
}
function show(tab) {
  for (const other of document.querySelectorAll('nav button')) other.setAttribute('aria-selected', String(other.dataset.tab === tab));
  for (const body of document.querySelectorAll('.tab')) body.hidden = body.id !== tab;
  if (tab === 'plots' && run) showPlots();
}
function showPlots() {
  panels.update();
  panels.show(run.times[run.rows - 1]);
  plotted = performance.now();
}

// Doctor's findings, the robot in its start pose, an empty record.
function open() {
  setPlaying(false);
  element('no-view').hidden = true;
  element('notes').textContent = '';
  const findings = solver.checkUp(options());
  const words = findings.map(({ severity, line, rule, message, remedy }) => make('p', `${robot.file}${line > 0 ? `:${line}` : ''}: ${severity}: ${message}${remedy ? `; ${remedy}` : ''} [${rule}]`, severity));
  element('doctor').replaceChildren(...(words.length ? words : [make('p', `${robot.file}: no findings`)]));
  const tab = document.querySelector('nav button[data-tab="doctor"]');
  tab.textContent = `Doctor (${findings.length})`;
  solver.told();
  if (findings.some(({ severity }) => severity === 'error')) {
    clear();
    show('doctor');
    element('no-view').hidden = false;
    element('no-view').textContent = 'No robot yet: the tab Doctor says what is wrong with the file.';
    return;
  }
  try {
    solver.open(options());
    restart();
  } catch (error) {
    tell(error);
  }
}
function clear() {
  scene?.close();
  tip?.close();
  scene = tip = null;
  document.getElementById('view')?.remove();
  element('tree').replaceChildren();
  element('plots').replaceChildren();
  run = panels = hands = null;
  for (const id of ['hash', 'command', 'verdict', 'subtitle']) element(id).textContent = '';
  element('title').textContent = robot?.file ?? 'Lockstep';
}

// The record begins anew, in the columns that the run has now.
function restart() {
  clear();
  const facts = solver.facts();
  run = { ...facts, live: true, times: [], rows: 0, columns: facts.columns.map((column) => ({ ...column, header: column.unit ? `${column.name} [${column.unit}]` : column.name, numbers: [] })) };
  touched = null;
  addRow();
  document.title = `${facts.name} - Lockstep playground`;
  element('title').textContent = facts.name;
  element('subtitle').textContent = facts.summary;
  element('notes').textContent = solver.told();
  const canvas = make('canvas');
  canvas.id = 'view';
  canvas.tabIndex = 0;
  element('stage').prepend(canvas);
  try {
    scene = makeScene(run, canvas);
    tip = makeTip(run, canvas, scene);
    hands = makeHands(canvas, element('stage'), scene, () => playing);
  } catch (error) {
    element('no-view').hidden = false;
    element('no-view').textContent = `No picture in three dimensions here (${error.message}); the rest is complete.`;
  }
  panels = makePanels(run, element('plots'), () => {});
  tree = makeTree(facts.joints, element('tree'), setJoint);
  draw();
}

function addRow() {
  const [time, ...values] = solver.row();
  const last = run.times.length - 1;
  if (last >= 0 && run.times[last] >= time) {  // a hand moved it while time stood still
    values.forEach((value, i) => { run.columns[i].numbers[last] = value; });
    return;
  }
  run.times.push(time);
  values.forEach((value, i) => run.columns[i].numbers.push(value));
  if (run.times.length > kMostRows) {
    const thin = (numbers) => numbers.splice(0, numbers.length, ...numbers.filter((_, i) => i % 2 === 1 || i === numbers.length - 1));
    for (const column of run.columns) thin(column.numbers);
    thin(run.times);
  }
  run.rows = run.times.length;
}

function draw() {
  const row = run.rows - 1;
  scene?.show({ row, next: row, share: 0 });
  tip?.update();
  element('clock').textContent = `${run.times[row].toFixed(3)} s`;
  tree.show(run.columns, row, playing);
  element('steps').textContent = solver.steps();
  element('hash').textContent = solver.hash();
  element('command').textContent = command();
  element('save').hidden = touched === null;
  compare();
  const now = performance.now();
  if (!element('plots').hidden && (now - plotted > kPlotsEvery || !playing)) showPlots();
}

// What prints the same hash.
function command() {
  const from = touched ? touched.step : 0;
  const own = options();
  const steps = solver.steps() - from;
  const words = ['lockstep sim', robot.file];
  if (own.floating) words.push('--base floating');
  if (touched) words.push('--restore state.json');
  if (own.drop !== undefined && !touched) words.push('--drop', own.drop);
  if (own.hold) words.push('--hold', own.hold.join(','));
  return [...words, '--duration', Number((steps * run.dt).toFixed(9))].join(' ');
}
const isAsMade = () => !touched && robot.expected && JSON.stringify(options()) === JSON.stringify({ file: robot.file, ...robot.options });
function compare() {
  // of the robots that the page brings, sim has been asked already
  if (isAsMade() && solver.steps() === robot.expected.steps && element('theirs').value === '') element('theirs').value = robot.expected.hash;
  const theirs = element('theirs').value.trim();
  const verdict = element('verdict');
  const equal = theirs === element('hash').textContent;
  verdict.textContent = theirs === '' ? '' : equal ? 'equal, bit for bit' : 'not this hash';
  verdict.dataset.equal = String(equal);
}

function act(change) {
  try {
    change();
    return true;
  } catch (error) {
    tell(error);
    return false;
  }
}
function touch(step = solver.steps()) {
  touched = { step, state: solver.saved() };
  element('theirs').value = '';
}
function setJoint(place, value) {
  act(() => {
    if (!solver.setJoint(place, value)) return;
    touch();
    addRow();
    draw();
  });
}

// So many steps, stopping once where sim has been asked for the hash.
function advance(count) {
  const goal = isAsMade() ? robot.expected.steps - solver.steps() : 0;
  solver.step(goal > 0 ? Math.min(count, goal) : count);
  element('theirs').value = '';  // which was of another step
  addRow();
}
function tick(now) {
  if (!playing) return;
  const passed = Math.min((now - before) / 1000, 0.1) * Number(element('speed').value);
  before = now;
  const count = Math.min(Math.max(Math.round(passed / run.dt), 1), kMostSteps);
  const went = act(() => {
    const goal = isAsMade() ? robot.expected.steps : -1;
    const most = hands?.pulls() ? kPullSteps : count;
    for (let left = count; left > 0; left -= most) {
      const steps = Math.min(left, most);
      if (hands?.pull(solver, run.scene.weight, steps * run.dt)) touch();
      advance(steps);
      if (left > most) scene.show({ row: run.rows - 1, next: run.rows - 1, share: 0 });
    }
    draw();
    if (solver.steps() === goal) setPlaying(false);
  });
  if (went && playing) requestAnimationFrame(tick);
}
function setPlaying(on) {
  if (on === playing || (on && !run)) return;
  playing = on;
  element('play').textContent = on ? '\u23f8' : '\u25b6';
  if (!on) {
    if (run) draw();
    return;
  }
  before = performance.now();
  requestAnimationFrame(tick);
}

// Files by name; the first URDF among them is the robot, the others are its meshes.
function openFiles(files, chosen = {}) {
  const file = [...files.keys()].find((name) => /\.urdf$|\.xml$/i.test(name));
  if (!file) {
    tell(new Error('none of these files is a .urdf; give the robot, and its meshes beside it'));
    return;
  }
  solver.clear();
  for (const [name, bytes] of files) solver.put(name, bytes);
  robot = { file, options: chosen.options, expected: chosen.expected };
  // one's own has a place in the list as long as it is open
  element('examples').querySelector('.own')?.remove();
  if (!chosen.expected) {
    const own = new Option(file, '', true, true);
    own.className = 'own';
    element('examples').append(own);
  }
  element('floating').checked = chosen.options?.floating ?? false;
  element('drop').value = chosen.options?.drop ?? '';
  element('hold').checked = chosen.options?.hold !== undefined;
  [element('kp').value, element('kd').value] = chosen.options?.hold ?? [60, 2];
  element('theirs').value = '';
  open();
}
async function openDropped(list) {
  const files = new Map();
  for (const file of list) files.set(file.name, new Uint8Array(await file.arrayBuffer()));
  openFiles(files);
}
function openExample(i) {
  element('examples').value = i;
  const { file, text, ...chosen } = robots[i];
  openFiles(new Map([[file, new TextEncoder().encode(text)]]), chosen);
}

for (const tab of document.querySelectorAll('nav button')) tab.addEventListener('click', () => show(tab.dataset.tab));
for (const s of [0.1, 0.25, 0.5, 1, 2]) element('speed').append(new Option(`${s}\u00d7`, s, s === 1, s === 1));
robots.forEach(({ file }, i) => element('examples').append(new Option(file, i)));
element('examples').addEventListener('change', () => {
  if (element('examples').value !== '') openExample(Number(element('examples').value));
});
element('files').addEventListener('change', async (event) => {
  await openDropped(event.target.files);
  event.target.value = '';  // the same file again, changed meanwhile, is a change
});
element('play').addEventListener('click', () => setPlaying(!playing));
element('one').addEventListener('click', () => run && act(() => { setPlaying(false); advance(1); draw(); }));
element('reset').addEventListener('click', open);
for (const id of ['floating', 'drop']) element(id).addEventListener('change', open);
for (const id of ['hold', 'kp', 'kd']) {
  element(id).addEventListener('change', () => run && act(() => {
    const [kp, kd] = gains();
    const step = solver.steps();
    if (step === 0 && !touched) {  // as if it had been chosen before
      open();
      return;
    }
    if (element('hold').checked) solver.hold(kp, kd);
    else solver.letGo();
    const was = playing;
    restart();
    touch();
    draw();
    playing = was;
  }));
}
element('theirs').addEventListener('input', compare);
element('save').addEventListener('click', () => {
  const link = make('a');
  link.href = URL.createObjectURL(new Blob([touched.state], { type: 'application/json' }));
  link.download = 'state.json';
  link.click();
});
function setTheme(theme) {
  root.dataset.theme = theme;
  scene?.recolour();
  panels?.redraw();
}
element('theme').addEventListener('click', () => setTheme(root.dataset.theme === 'dark' ? 'light' : 'dark'));
document.addEventListener('keydown', (event) => {
  if (event.key !== ' ' || /^(INPUT|SELECT|BUTTON)$/.test(event.target.tagName)) return;
  event.preventDefault();
  setPlaying(!playing);
});
const stage = element('stage');
for (const kind of ['dragover', 'dragleave', 'drop']) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    stage.classList.toggle('dropping', kind === 'dragover');
    if (kind === 'drop') openDropped(event.dataTransfer.files);
  });
}

const ready = moduleOf(element('solver').textContent.trim()).then((module) => {
  solver = makeSolver(module);
  openExample(0);
});
ready.catch(tell);
window.lockstep = {
  ready, openFiles, openExample, setJoint, setTheme,
  solver: () => solver, scene: () => scene, run: () => run, state: () => touched?.state,
  play: () => setPlaying(true), pause: () => setPlaying(false), playing: () => playing,
  steps: (count) => act(() => { advance(count); draw(); }),
};
