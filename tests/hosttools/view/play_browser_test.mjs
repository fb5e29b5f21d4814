// The playground in a real browser: it loads, draws, runs, obeys hands, and shows the hash of sim.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openBrowser } from './browser.mjs';
import { folder, lockstep, playground, root } from './support.mjs';

let browser;
let page;
before(async () => {
  browser = await openBrowser();
  page = await browser.open(playground);
  await page.evaluate('lockstep.ready');
});
after(() => browser.close());

const settle = 'new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))';
const textOf = (id) => page.evaluate(`document.getElementById('${id}').textContent`);
// as in browser_test.mjs: pixels with a colour of their own
const kPixels = `(() => {
  const view = document.getElementById('view');
  lockstep.scene().draw();
  const copy = document.createElement('canvas');
  copy.width = view.width; copy.height = view.height;
  const pen = copy.getContext('2d');
  pen.drawImage(view, 0, 0);
  const { data } = pen.getImageData(0, 0, copy.width, copy.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) >= 24) ++count;
  }
  return count;
})()`;

test('the quadruped is drawn, lands, and has the hash that sim printed', async () => {
  await page.evaluate(settle);
  assert.ok(await page.evaluate(kPixels) > 500);
  assert.equal(await textOf('steps'), '0');
  await page.evaluate('lockstep.steps(1999)');
  assert.notEqual(await textOf('verdict'), 'equal, bit for bit');
  await page.evaluate('lockstep.steps(50)');  // stops where sim has been asked
  assert.equal(await textOf('steps'), '2000');
  assert.equal(await textOf('verdict'), 'equal, bit for bit');
  const { output } = lockstep('sim', 'models/quadruped.urdf', '--base', 'floating', '--drop', '0.3', '--hold', '60,0.6', '--duration', '2', '--quiet');
  assert.ok(output.includes(await textOf('hash')));
  assert.equal(await textOf('command'), 'lockstep sim quadruped.urdf --base floating --drop 0.3 --hold 60,0.6 --duration 2');
  // a wrong hash is told from a right one
  await page.evaluate(`(() => { const theirs = document.getElementById('theirs'); theirs.value = '0x0000000000000000'; theirs.dispatchEvent(new Event('input')); })()`);
  assert.equal(await textOf('verdict'), 'not this hash');
});

test('playing, and a hand that pulls the trunk', async () => {
  await page.evaluate('lockstep.openExample(0)');
  await page.evaluate(settle);
  await page.evaluate('lockstep.steps(800)');
  const [x, y] = await page.evaluate('lockstep.scene().pixelOf(0)');
  const { left, top } = await page.evaluate(`(() => { const { left, top } = document.getElementById('view').getBoundingClientRect(); return { left, top }; })()`);
  const sideways = `(() => { const run = lockstep.run(); const c = run.columns.find(({ name }) => name === 'q.root_joint.z').numbers; return c[c.length - 1]; })()`;
  const height = await page.evaluate(sideways);
  await page.evaluate('lockstep.play()');
  await page.press(left + x, top + y);
  for (let i = 1; i <= 10; ++i) await page.hover(left + x, top + y - 12 * i, { button: 'left', buttons: 1 });
  await page.evaluate('new Promise((r) => setTimeout(r, 1500))');
  await page.release(left + x, top + y - 120);
  await page.evaluate('lockstep.pause()');
  assert.ok(await page.evaluate(sideways) > height + 0.02, 'it was lifted');
  assert.match(await textOf('command'), /--restore state.json --hold 60,0.6/);
  // what the page saves and says is what the tool does
  await page.evaluate('lockstep.steps(100)');
  const state = join(folder, 'pulled.json');
  writeFileSync(state, await page.evaluate('lockstep.state()'));
  const words = (await textOf('command')).replace('quadruped.urdf', 'models/quadruped.urdf').replace('state.json', state).split(' ').slice(1);
  const { code, output, errors } = lockstep(...words, '--quiet');
  assert.equal(code, 0, errors);
  assert.ok(output.includes(await textOf('hash')), `${words.join(' ')}: ${output}`);
});

test('a slider moves its joint, and the picture', async () => {
  await page.evaluate('lockstep.openExample(1)');
  await page.evaluate(settle);
  const before = await page.evaluate('lockstep.scene().pixelOf(5)');
  await page.evaluate(`(() => { const slider = document.querySelector('#tree input[aria-label="lift"]'); slider.value = -1; slider.dispatchEvent(new Event('input')); })()`);
  await page.evaluate(settle);
  const row = await page.evaluate(`lockstep.run().columns.find(({ name }) => name === 'q.lift').numbers.at(-1)`);
  assert.ok(Math.abs(row + 1) < 1e-6, `${row}`);
  const after = await page.evaluate('lockstep.scene().pixelOf(5)');
  assert.ok(Math.hypot(after[0] - before[0], after[1] - before[1]) > 20);
});

test('a file of one\'s own: doctor\'s words, and no robot', async () => {
  const text = readFileSync(join(root, 'models/pendulum.urdf'), 'utf8');
  // dropped on the page, as a hand does
  await page.evaluate(`(() => {
    const held = new DataTransfer();
    held.items.add(new File([${JSON.stringify(text)}], 'mine.urdf'));
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: held, cancelable: true }));
    return new Promise((done) => { const look = () => (lockstep.run()?.name === 'pendulum' ? done() : setTimeout(look, 20)); look(); });
  })()`);
  assert.equal(await textOf('title'), 'pendulum');
  assert.equal(await page.evaluate(`document.getElementById('examples').selectedOptions[0].textContent`), 'mine.urdf');
  // plots tell the moment that is shown
  await page.evaluate('lockstep.steps(100)');
  await page.evaluate(`document.querySelector('nav button[data-tab="plots"]').click()`);
  const [column, value] = await page.evaluate(`[...document.querySelectorAll('.legend button')].filter(({ title }) => title.startsWith('q.')).map((chip) => [chip.title, chip.querySelector('b').textContent])[0]`);
  const now = await page.evaluate(`lockstep.run().columns.find(({ header }) => header === ${JSON.stringify(column)}).numbers.at(-1)`);
  assert.ok(Math.abs(Number(value) - now) <= 1e-5 * Math.abs(now) + 1e-9, `${column}: ${value} and ${now}`);
  const bad = text.replace(/mass value="[^"]*"/, 'mass value="heavy"');
  await page.evaluate(`lockstep.openFiles(new Map([['mine.urdf', new TextEncoder().encode(${JSON.stringify(bad)})]]))`);
  assert.match(await textOf('doctor'), /mine\.urdf:\d+: error: .*heavy/);
  assert.equal(await page.evaluate('lockstep.run()'), null);
  assert.equal(await textOf('title'), 'mine.urdf');
  assert.match(await textOf('no-view'), /Doctor/);
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(page.requests.filter((url) => !/^(data|blob):/.test(url)).map((url) => url.split('/').at(-1)), ['playground.html']);
});
