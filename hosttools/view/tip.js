// What is under the pointer: a link, its joint and where that is, the forces on it.
import { valueAt } from './decode.js';

const isTiny = (x) => x !== 0 && Math.abs(x) < 1e-3;
const short = (x) => (isTiny(x) ? x.toExponential(1) : Number.isFinite(x) ? String(Number(x.toPrecision(4))) : String(x));

// The lines about a body at a place between two rows. Pure.
export function linesOf(run, body, at) {
  const { name, joint, mass, type } = run.scene.bodies[body];
  const find = (column) => run.columns.find((own) => own.name === column);
  const told = (column) => `${short(valueAt(column.numbers, at))} ${column.unit}`;
  const strength = (start) => {
    const columns = ['x', 'y', 'z'].map((axis) => find(`${start}.${axis}`));
    return columns.includes(undefined) ? 0 : Math.hypot(...columns.map(({ numbers }) => valueAt(numbers, at)));
  };
  const lines = [mass > 0 ? `${name}, ${short(mass)} kg` : name];
  if (type === 'revolute' || type === 'prismatic') {
    const known = ['q', 'v', 'tau'].map((kind) => find(`${kind}.${joint}`)).filter(Boolean);
    lines.push(`${joint}: ${known.map(told).join(', ')}`);
  }
  const contact = strength(`contact.${name}`);
  if (contact > 0) lines.push(`contacts: ${short(contact)} N`);
  const reaction = strength(`reaction.${joint}`);
  if (reaction > 0) lines.push(`joint carries ${short(reaction)} N`);
  return lines;
}

// Follows the pointer over a canvas of `scene`. `update` is for when time has gone on.
export function makeTip(run, canvas, scene) {
  const tip = document.createElement('p');
  tip.className = 'tip';
  tip.hidden = true;
  canvas.after(tip);
  let pointer = null;  // CSS pixels of the canvas
  let asked = false;

  function update() {
    if (asked || (pointer === null && tip.hidden)) return;
    asked = true;  // once a picture, however often the pointer moves
    requestAnimationFrame(show);
  }
  function show() {
    asked = false;
    const hit = pointer && scene.pick(...pointer);
    tip.hidden = !hit;
    if (!hit) return;
    tip.textContent = linesOf(run, hit.body, scene.state.time).join('\n');
    const [x, y] = pointer;
    const { offsetWidth: width, offsetHeight: height } = tip;
    tip.style.left = `${x + 14 + width > canvas.clientWidth ? Math.max(x - 8 - width, 0) : x + 14}px`;
    tip.style.top = `${Math.max(y - height - 6, 0)}px`;
  }
  function follow(to) {
    pointer = to;
    update();
  }
  canvas.addEventListener('pointermove', ({ buttons, offsetX, offsetY }) => follow(buttons === 0 ? [offsetX, offsetY] : null));
  for (const end of ['pointerleave', 'pointerdown']) canvas.addEventListener(end, () => follow(null));
  return { update, close: () => tip.remove() };
}
