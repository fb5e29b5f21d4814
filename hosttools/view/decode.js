// The run that the tool wrote into the page, as numbers: pure functions, tested without a browser.

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// Little-endian on every machine, as the tool writes them.
function numbersOf(base64, size, read) {
  const bytes = bytesOf(base64);
  const view = new DataView(bytes.buffer);
  const numbers = size === 8 ? new Float64Array(bytes.length / 8) : new Float32Array(bytes.length / 4);
  for (let i = 0; i < numbers.length; ++i) numbers[i] = view[read](size * i, true);
  return numbers;
}
export const doubles = (base64) => numbersOf(base64, 8, 'getFloat64');
export const floats = (base64) => numbersOf(base64, 4, 'getFloat32');

// Columns are stored as float differences from a double of their own, so that a small change of a
// large number keeps its digits.
export function decodeRun(run) {
  const times = doubles(run.times);
  const values = floats(run.values);
  const rows = times.length;
  const columns = run.columns.map((column, i) => {
    const numbers = new Float64Array(rows);
    for (let row = 0; row < rows; ++row) numbers[row] = run.base[i] + values[i * rows + row];
    return { ...column, header: headerOf(column), numbers };
  });
  return { ...run, times, columns, rows };
}

export const headerOf = ({ name, unit }) => (unit ? `${name} [${unit}]` : name);

// The last row at or before a time; row 0 before the first.
export function rowAt(times, time) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Where a time is between two rows: {row, next, share}.
export function between(times, time) {
  const row = rowAt(times, time);
  const next = Math.min(row + 1, times.length - 1);
  const length = times[next] - times[row];
  const share = length > 0 ? Math.min(Math.max((time - times[row]) / length, 0), 1) : 0;
  return { row, next, share };
}

// A column's value there. A row that is no number says nothing of its neighbours.
export function valueAt(numbers, { row, next, share }) {
  const a = numbers[row];
  const b = numbers[next];
  return share === 0 || !Number.isFinite(b) ? a : a + share * (b - a);
}

// What belongs in one plot: one quantity in one unit. `q.elbow [rad]` is of `q [rad]`.
export function groupsOf(columns) {
  const groups = new Map();
  columns.forEach((column, i) => {
    const dot = column.name.indexOf('.');
    let quantity = dot < 0 ? column.name : column.name.slice(0, dot);
    const reference = quantity.endsWith('_ref') && quantity.slice(0, -4);
    if (reference) quantity = reference;
    const unit = column.unit || (/\.q[xyzw]$/.test(column.name) ? 'quaternion' : '');
    const key = unit ? `${quantity} [${unit}]` : quantity;
    if (!groups.has(key)) groups.set(key, { key, quantity, unit, columns: [] });
    groups.get(key).columns.push(i);
  });
  return [...groups.values()];
}

// Whether a group's plot would tell nothing: what never changes, or is nothing but rounding. Errors are told
// however small they are, and what a step costs on the chip also where it is always the same.
const kRounding = 1e-9;  // in any SI unit
const kCosts = ['instructions', 'tick_time'];
export function tellsNothing(columns, { quantity, columns: own }) {
  if (kCosts.includes(quantity)) return false;
  const least = quantity.includes('error') ? 0 : kRounding;
  return own.every((i) => {
    const { numbers } = columns[i];
    return numbers.every((x) => x === numbers[0]) || numbers.every((x) => Math.abs(x) < least);
  });
}

// Columns whose name holds the words of a text; a star stands for anything.
export function matching(columns, text) {
  const words = text.split(/[\s,]+/).filter(Boolean);
  const patterns = words.map((word) => {
    const escaped = word.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
    return new RegExp(word.includes('*') ? `^${escaped}$` : escaped, 'i');
  });
  const found = [];
  columns.forEach((column, i) => {
    if (patterns.some((p) => p.test(column.name) || p.test(column.header))) found.push(i);
  });
  return found;
}

// What an axis shows of values from least to most: a tenth beyond them, and 1 around what is all zero.
export function axisRange(least, most) {
  if (!(most > least)) {
    const half = least === 0 || !Number.isFinite(least) ? 1 : 0.1 * Math.abs(least);
    const middle = Number.isFinite(least) ? least : 0;
    return [middle - half, middle + half];
  }
  const beyond = 0.1 * (most - least);
  return [least - beyond, most + beyond];
}

// Labels of an axis whose ticks are `step` apart. Where they differ in late digits only, all but the
// first tell by how much.
export function tickTexts(ticks, step) {
  const most = Math.max(...ticks.map(Math.abs));
  let digits = 0;
  const isWhole = (x) => Math.round(x) !== 0 && Math.abs(x - Math.round(x)) < 1e-6;
  while (digits < 6 && !isWhole(step * 10 ** digits)) ++digits;
  if (digits <= 5 && most < 1e6) return ticks.map((x) => (x === null ? null : x.toFixed(digits)));
  if (most < 1e5 * step) return ticks.map((x) => (Math.abs(x) < 1e-3 * step ? '0' : String(Number(x.toPrecision(5)))));
  return ticks.map((x, i) => (i === 0 ? numberText(x) : `+${Number((x - ticks[0]).toPrecision(3)).toExponential()}`));
}

// As people read numbers: six digits.
export function numberText(x) {
  if (x === null || x === undefined) return '';
  if (!Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return x.toExponential(4);
  return String(Number(x.toPrecision(6)));
}
