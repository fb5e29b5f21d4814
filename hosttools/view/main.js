// Puts the page together. `window.lockstep` is what a script in the page, or a test, can ask.
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { fillCard, fillEvents } from './card.js';
import { between, decodeRun, rowAt } from './decode.js';
import { makePanels } from './panels.js';
import { makeScene } from './scene.js';
import { makeTimeline } from './timeline.js';
import { makeTip } from './tip.js';

const element = (id) => document.getElementById(id);
const run = decodeRun(JSON.parse(element('run').textContent));

const root = document.documentElement;
const dark = window.matchMedia('(prefers-color-scheme: dark)');
root.dataset.theme = dark.matches ? 'dark' : 'light';

document.title = `${run.title} - Lockstep`;
element('title').textContent = run.title;
element('subtitle').textContent = run.subtitle;
element('notes').textContent = run.notes.join('\n');

for (const tab of document.querySelectorAll('nav button')) {
  if (tab.dataset.tab === 'events') tab.textContent = `Events (${run.events.length})`;
  tab.addEventListener('click', () => {
    for (const other of document.querySelectorAll('nav button')) other.setAttribute('aria-selected', String(other === tab));
    for (const body of document.querySelectorAll('.tab')) body.hidden = body.id !== tab.dataset.tab;
  });
}

let scene = null;
let tip = null;
if (run.rows > 0) {
  try {
    scene = makeScene(run, element('view'));
    tip = makeTip(run, element('view'), scene);
  } catch (error) {
    element('no-view').hidden = false;
    element('no-view').textContent = `No picture in three dimensions here (${error.message}); the plots are complete.`;
  }
} else {
  element('no-view').hidden = false;
  element('no-view').textContent = 'The record has no rows.';
}

let timeline = null;
const panels = makePanels(run, element('plots'), (time) => timeline?.seek(time));
timeline = makeTimeline(run, (time) => {
  scene?.show(between(run.times, time));
  tip?.update();
  panels.show(time);
});
fillEvents(run, element('events'), timeline.seek);
fillCard(run, element('model'), LICENCES);  // esbuild puts the texts here

function addSwitch(name, text, colour) {
  const button = document.createElement('button');
  if (colour) {
    const dot = document.createElement('span');
    dot.className = `dot ${colour}`;
    button.append(dot);
  }
  button.append(text);
  button.setAttribute('aria-pressed', String(scene.state[name]));
  button.addEventListener('click', () => {
    scene.set(name, !scene.state[name]);
    button.setAttribute('aria-pressed', String(scene.state[name]));
  });
  element('switches').append(button);
}
if (scene) {
  if (scene.has.looks.length > 1) {
    const looks = document.createElement('select');
    looks.setAttribute('aria-label', 'Shapes');
    for (const look of scene.has.looks) looks.append(new Option(`${look} shapes`, look));
    looks.addEventListener('change', () => scene.set('look', looks.value));
    element('switches').append(looks);
  }
  if (scene.has.contact) addSwitch('contact', 'Contact forces', 'contact');
  if (scene.has.reaction) addSwitch('reaction', 'Joint reactions', 'reaction');
  if (scene.has.ghost) addSwitch('ghost', 'Reference');
  if (scene.has.lines) addSwitch('lines', 'Lines');
  addSwitch('frames', 'Frames');
  addSwitch('follow', 'Follow');
  const reset = document.createElement('button');
  reset.textContent = 'Reset view';
  reset.addEventListener('click', scene.resetView);
  element('switches').append(reset);
}

function setTheme(theme) {
  root.dataset.theme = theme;
  scene?.recolour();
  panels.redraw();
}
element('theme').addEventListener('click', () => setTheme(root.dataset.theme === 'dark' ? 'light' : 'dark'));
dark.addEventListener('change', () => setTheme(dark.matches ? 'dark' : 'light'));
timeline.seek(run.times[0] ?? 0);

window.lockstep = {
  run, scene, panels, setTheme,
  seek: timeline.seek, play: () => timeline.setPlaying(true), pause: () => timeline.setPlaying(false),
  time: timeline.time, playing: timeline.playing,
  row: () => rowAt(run.times, timeline.time()),
};
