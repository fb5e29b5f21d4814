// Plots of any columns over time, with one cursor for all: hovering tells values, a click goes
// there, dragging zooms, a double click shows all again.
import uPlot from 'uplot';
import { axisRange, groupsOf, matching, numberText, rowAt, tellsNothing, tickTexts } from './decode.js';

const kColours = ['#2f6fde', '#e0653a', '#1f9e77', '#a44fc0', '#c99500', '#d6336c', '#1b9cb8', '#7a8a2a', '#8a5a44', '#6b7fd7', '#b5489a', '#4f9d4f'];
const kShownAtFirst = 12;   // curves of a panel
const kHeight = 138;
const kFirst = ['q', 'x', 'tau', 'contact', 'instructions', 'tick_time', 'energy', 'constraint_error', 'error', 'lambda'];

export function makePanels(run, holder, seek) {
  const root = document.documentElement;
  const times = run.times;
  const panels = [];
  let row = 0;
  let hovered = null;
  const sync = uPlot.sync('time');
  const style = (name) => getComputedStyle(root).getPropertyValue(name).trim();

  const adder = document.createElement('form');
  adder.className = 'adder';
  const input = document.createElement('input');
  input.type = 'text';
  input.placeholder = 'Plot columns: tau.elbow, contact.*.z';
  input.setAttribute('list', 'columns');
  input.setAttribute('aria-label', 'Columns to plot');
  const known = document.createElement('datalist');
  known.id = 'columns';
  for (const column of run.columns) known.append(new Option(column.name));
  const button = document.createElement('button');
  button.textContent = 'Add';
  const select = document.createElement('select');
  select.setAttribute('aria-label', 'A group of columns');
  adder.append(input, button, select, known);
  adder.addEventListener('submit', (event) => {
    event.preventDefault();
    const found = matching(run.columns, input.value);
    if (found.length === 0) {
      input.setCustomValidity('No column has such a name');
      input.reportValidity();
      return;
    }
    add(input.value, found, true);
    input.value = '';
  });
  input.addEventListener('input', () => input.setCustomValidity(''));
  holder.append(adder);
  const list = document.createElement('div');
  holder.append(list);

  const groups = groupsOf(run.columns);
  select.append(new Option('Group...', ''));
  for (const group of groups) select.append(new Option(`${group.key} (${group.columns.length})`, group.key));
  select.addEventListener('change', () => {
    const group = groups.find(({ key }) => key === select.value);
    if (group) add(group.key, group.columns, true);
    select.value = '';
  });

  function add(title, columns, atTop = false) {
    const own = document.createElement('section');
    own.className = 'panel';
    const head = document.createElement('h2');
    const name = document.createElement('span');
    name.textContent = title;
    const close = document.createElement('button');
    close.textContent = '\u00d7';
    close.title = 'Close';
    head.append(name, close);
    const legend = document.createElement('div');
    legend.className = 'legend';
    const plotHolder = document.createElement('div');
    own.append(head, plotHolder, legend);
    if (atTop) list.prepend(own);
    else list.append(own);
    // uPlot leaves gaps at null, not at what is no number
    const drawn = () => [times, ...columns.map((i) => run.columns[i].numbers)].map((numbers) => (numbers.every(Number.isFinite) ? numbers : Array.from(numbers, (x) => (Number.isFinite(x) ? x : null))));
    const now = document.createElement('div');
    now.className = 'now';
    const axis = (more) => ({ stroke: () => style('--quiet'), grid: { stroke: () => style('--line'), width: 1 }, ticks: { stroke: () => style('--line'), width: 1 }, font: '11px system-ui, sans-serif', ...more });
    const reference = (i) => /^[a-z]+_ref\./.test(run.columns[i].name);
    const followed = (i) => columns.findIndex((j) => run.columns[j].name === run.columns[i].name.replace('_ref.', '.'));
    const colour = (k) => kColours[(reference(columns[k]) && followed(columns[k]) >= 0 ? followed(columns[k]) : k) % kColours.length];
    const plot = new uPlot({
      width: Math.max(plotHolder.clientWidth, 200),
      height: kHeight,
      scales: { x: { time: false }, y: { range: (u, least, most) => axisRange(least, most) } },
      legend: { show: false },
      cursor: { sync: { key: sync.key }, drag: { x: true, y: false, dist: 6 }, points: { size: 6 } },
      series: [{}, ...columns.map((i, k) => ({
        label: run.columns[i].name, stroke: colour(k), width: 1.4, show: k < kShownAtFirst,
        dash: reference(i) ? [5, 4] : undefined, points: { show: times.length === 1 },
      }))],
      axes: [axis({ size: 26 }), axis({ size: 58, space: 24, values: (u, ticks, index, space, step) => tickTexts(ticks, step) })],
      hooks: {
        setCursor: [(u) => {
          hovered = u.cursor.idx ?? null;
          for (const panel of panels) panel.tell();
        }],
        setScale: [(u, key) => {
          if (key !== 'x' || panels.zooming) return;
          panels.zooming = true;
          for (const panel of panels) if (panel.plot !== u) panel.plot.setScale('x', { min: u.scales.x.min, max: u.scales.x.max });
          panels.zooming = false;
          for (const panel of panels) panel.place();
        }],
        ready: [(u) => u.over.append(now)],
      },
    }, drawn(), plotHolder);
    let down = null;
    plot.over.addEventListener('mousedown', (event) => { down = event.clientX; });
    plot.over.addEventListener('mouseup', (event) => {
      if (down !== null && Math.abs(event.clientX - down) < 4) seek(plot.posToVal(event.offsetX, 'x'));
      down = null;
    });
    const values = columns.map((i, k) => {
      const chip = document.createElement('button');
      chip.type = 'button';
      chip.setAttribute('aria-pressed', String(k < kShownAtFirst));
      const swatch = document.createElement('i');
      swatch.style.background = colour(k);
      const label = document.createElement('span');
      label.textContent = run.columns[i].name;
      const value = document.createElement('b');
      chip.append(swatch, label, value);
      chip.title = run.columns[i].header;
      chip.addEventListener('click', () => {
        plot.setSeries(k + 1, { show: !plot.series[k + 1].show });
        chip.setAttribute('aria-pressed', String(plot.series[k + 1].show));
      });
      legend.append(chip);
      return value;
    });
    const panel = {
      plot, columns, title,
      update: () => plot.setData(drawn()),
      tell() {
        const at = hovered ?? row;
        values.forEach((value, k) => { value.textContent = numberText(run.columns[columns[k]].numbers[at]); });
      },
      place() {
        const left = plot.valToPos(panels.time ?? times[0], 'x');
        now.style.display = left >= 0 && left <= plot.over.clientWidth ? '' : 'none';
        now.style.transform = `translateX(${left}px)`;
      },
      remove() {
        panels.splice(panels.indexOf(panel), 1);
        plot.destroy();
        own.remove();
      },
    };
    close.addEventListener('click', panel.remove);
    new ResizeObserver(() => {
      const width = plotHolder.clientWidth;
      if (width > 0 && width !== plot.width) {
        plot.setSize({ width, height: kHeight });
        panel.place();
      }
    }).observe(plotHolder);
    panels.push(panel);
    panel.tell();
    panel.place();
    return panel;
  }

  const order = ({ quantity, unit }) => (unit === 'quaternion' ? -1 : kFirst.indexOf(quantity));
  const first = groups.filter((group) => order(group) >= 0 && !tellsNothing(run.columns, group)).sort((a, b) => order(a) - order(b));
  for (const group of (first.length ? first : groups).slice(0, 6)) add(group.key, group.columns);

  return {
    panels, add: (text) => add(text, matching(run.columns, text), true),
    show(time) {
      row = rowAt(times, time);
      panels.time = time;
      for (const panel of panels) {
        panel.place();
        panel.tell();
      }
    },
    // of a run that has more rows now
    update: () => panels.forEach((panel) => panel.update()),
    redraw: () => panels.forEach(({ plot }) => plot.redraw(false)),
  };
}
