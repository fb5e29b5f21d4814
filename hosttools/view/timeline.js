// Time: playing, pausing, scrubbing, speed, and the events along it.
import { numberText } from './decode.js';

const kSpeeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

export function makeTimeline(run, onTime) {
  const element = (id) => document.getElementById(id);
  const [play, scrub, clock, speed, ticks] = ['play', 'scrub', 'clock', 'speed', 'ticks'].map(element);
  const first = run.times[0] ?? 0;
  const last = run.times[run.rows - 1] ?? 0;
  let time = first;
  let playing = false;
  let before = 0;
  scrub.min = first;
  scrub.max = last > first ? last : first + 1;
  scrub.disabled = play.disabled = last <= first;
  // a run of minutes is watched in less than one, one of milliseconds slowly enough to be seen
  const usual = kSpeeds.reduce((best, s) => (Math.abs(Math.log((last - first) / s / 8)) < Math.abs(Math.log((last - first) / best / 8)) ? s : best), 1);
  const at = last - first >= 1 && last - first <= 30 ? 1 : usual;
  for (const s of kSpeeds) speed.append(new Option(`${s}\u00d7`, s, s === at, s === at));

  function show() {
    scrub.value = time;
    clock.textContent = `${time.toFixed(3)} s`;
    onTime(time);
  }
  function seek(to) {
    time = Math.min(Math.max(to, first), last);
    show();
  }
  function tick(now) {
    if (!playing) return;
    time += (now - before) / 1000 * Number(speed.value);
    before = now;
    if (time >= last) {
      time = last;
      setPlaying(false);
    }
    show();
    requestAnimationFrame(tick);
  }
  function setPlaying(on) {
    if (on === playing || (on && last <= first)) return;
    playing = on;
    play.textContent = on ? '\u23f8' : '\u25b6';
    if (!on) return;
    if (time >= last) time = first;
    before = performance.now();
    requestAnimationFrame(tick);
  }
  play.addEventListener('click', () => setPlaying(!playing));
  scrub.addEventListener('input', () => seek(Number(scrub.value)));
  document.addEventListener('keydown', (event) => {
    if (/^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(event.target.tagName) && event.target !== scrub) return;
    const step = (last - first) / (event.shiftKey ? 20 : 200);
    const action = {
      ' ': () => setPlaying(!playing), ArrowLeft: () => seek(time - step), ArrowRight: () => seek(time + step),
      Home: () => seek(first), End: () => seek(last),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  // what lies within a pixel or two is one tick
  const shown = new Map();
  for (const event of run.events) {
    const place = last > first ? Math.round(400 * (event.time - first) / (last - first)) : 0;
    const key = `${place} ${event.kind}`;
    if (!shown.has(key)) shown.set(key, { ...event, place, texts: [] });
    shown.get(key).texts.push(`${numberText(event.time)} s: ${event.text}`);
  }
  for (const event of shown.values()) {
    const mark = document.createElement('button');
    mark.className = event.kind;
    mark.style.left = `${event.place / 4}%`;
    mark.tabIndex = -1;
    const more = event.texts.length - 5;
    mark.title = event.texts.slice(0, 5).join('\n') + (more > 0 ? `\nand ${more} more` : '');
    mark.addEventListener('click', () => seek(event.time));
    ticks.append(mark);
  }
  return { seek, setPlaying, time: () => time, playing: () => playing };
}
