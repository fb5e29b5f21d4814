// The page in a real browser: it draws, moves, plays, scrubs and tells values; it asks nothing of the
// network and complains about nothing.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openBrowser } from './browser.mjs';
import { folder, lockstep, readCsv, simulate } from './support.mjs';

let browser;
before(async () => { browser = await openBrowser(); });
after(() => browser.close());

const settle = 'new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))';

// What of the picture is not the sky, in 2-D: how many pixels, and where their middle is.
const kLook = `(() => {
  const view = document.getElementById('view');
  lockstep.scene.draw();
  const copy = document.createElement('canvas');
  copy.width = view.width; copy.height = view.height;
  const pen = copy.getContext('2d');
  pen.drawImage(view, 0, 0);
  const { data } = pen.getImageData(0, 0, copy.width, copy.height);
  let count = 0, x = 0, y = 0;
  for (let i = 0; i < data.length; i += 4) {
    // shapes are strongly lit or coloured; sky and grid are the two greys of the page
    const spread = Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]);
    if (spread < 24) continue;
    ++count; x += (i / 4) % copy.width; y += Math.floor(i / 4 / copy.width);
  }
  return { count, x: x / count, y: y / count, size: [view.width, view.height] };
})()`;

async function open(file, options) {
  const page = await browser.open(file, options);
  await page.evaluate(settle);
  return page;
}
function quiet(page, file) {
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(page.requests.filter((url) => !/^(data|blob):/.test(url)).map((url) => url.split('/').at(-1)), [file.split('/').at(-1)]);
}

test('an arm falls: pixels move, values are the record\'s, time obeys', async () => {
  const { page: file, csv } = simulate('falling', 'models/six_axis_arm.urdf', '--duration', '1');
  const record = readCsv(csv);
  const page = await open(file);
  const first = await page.evaluate(kLook);
  assert.ok(first.count > 500, `${first.count} pixels of robot`);
  const tip = await page.evaluate('lockstep.scene.pixelOf(lockstep.run.scene.bodies.length - 1)');
  await page.evaluate('lockstep.seek(0.6)');
  await page.evaluate(settle);
  const second = await page.evaluate(kLook);
  assert.ok(second.count > 500);
  assert.ok(Math.hypot(second.x - first.x, second.y - first.y) > 5, 'the robot is elsewhere');
  const moved = await page.evaluate('lockstep.scene.pixelOf(lockstep.run.scene.bodies.length - 1)');
  assert.ok(Math.hypot(moved[0] - tip[0], moved[1] - tip[1]) > 20, `${tip} to ${moved}`);

  // any columns make a panel
  await page.evaluate(`lockstep.panels.add('tau.*, v.elbow'); 0`);
  // hovering over a plot tells what the record has there, in every panel
  const plot = await page.evaluate(`(() => { const { left, top, width, height } = lockstep.panels.panels[0].plot.over.getBoundingClientRect(); return { left, top, width, height }; })()`);
  await page.hover(plot.left + 0.37 * plot.width, plot.top + plot.height / 2);
  await page.evaluate(settle);
  const row = await page.evaluate('lockstep.panels.panels[0].plot.cursor.idx');
  assert.ok(Math.abs(record['time [s]'][row] - 0.37) < 0.02, `row ${row}`);
  const text = await page.evaluate(`(() => { const out = {}; for (const chip of document.querySelectorAll('.legend button')) out[chip.title] = chip.querySelector('b').textContent; return out; })()`);
  for (const [header, value] of Object.entries(text)) {
    const own = record[header][row];
    assert.ok(Math.abs(Number(value) - own) <= 1e-5 * Math.abs(own) + 1e-9, `${header}: ${value} and ${own}`);
  }
  assert.equal(Object.keys(text).length, 6 + 1 + 6 + 1, 'positions, energy, torques and a speed');

  // a click goes there, the slider and the keys too
  await page.click(plot.left + 0.25 * plot.width, plot.top + plot.height / 2);
  assert.ok(Math.abs(await page.evaluate('lockstep.time()') - 0.25) < 0.02);
  const scrub = await page.evaluate(`(() => { const { left, top, width, height } = document.getElementById('scrub').getBoundingClientRect(); return { left, top, width, height }; })()`);
  await page.click(scrub.left + 0.5 * scrub.width, scrub.top + scrub.height / 2);
  assert.ok(Math.abs(await page.evaluate('lockstep.time()') - 0.5) < 0.05);
  await page.evaluate('document.activeElement.blur()');
  await page.key('Home');
  assert.equal(await page.evaluate('lockstep.time()'), 0);
  await page.key('End');
  assert.equal(await page.evaluate('lockstep.time()'), 1);

  // the pointer over the robot tells the link, and nothing beside it
  await page.evaluate('lockstep.seek(0)');
  const [x, y, link] = await page.evaluate(`(() => {
    const { left, top, width, height } = document.getElementById('view').getBoundingClientRect();
    for (let y = 60; y < height; y += 6) for (let x = 10; x < width; x += 6) {
      const hit = lockstep.scene.pick(x, y);
      if (hit) return [left + x, top + y, lockstep.run.scene.bodies[hit.body].name];
    }
  })()`);
  await page.hover(x, y);
  await page.evaluate(settle);
  const tipText = `(() => { const tip = document.querySelector('.tip'); return tip.hidden ? '' : tip.textContent; })()`;
  assert.ok((await page.evaluate(tipText)).startsWith(`${link}, `), await page.evaluate(tipText));
  await page.hover(scrub.left, scrub.top);
  await page.evaluate(settle);
  assert.equal(await page.evaluate(tipText), '');

  // playing moves time by the clock and the chosen speed, and ends at the end
  await page.evaluate(`document.getElementById('speed').value = '0.1'; lockstep.seek(0.2); document.getElementById('play').click(); 0`);
  await page.evaluate('new Promise((r) => setTimeout(r, 1500))');
  const [time, playing] = await page.evaluate('[lockstep.time(), lockstep.playing()]');
  assert.ok(playing && time > 0.25 && time < 1, `at ${time}`);
  await page.evaluate(`document.getElementById('play').click()`);
  const stopped = await page.evaluate('lockstep.time()');
  await page.evaluate('new Promise((r) => setTimeout(r, 300))');
  assert.equal(await page.evaluate('lockstep.time()'), stopped);
  await page.evaluate(`document.getElementById('speed').value = '10'; lockstep.play(); new Promise((r) => setTimeout(r, 1500))`);
  assert.deepEqual(await page.evaluate('[lockstep.time(), lockstep.playing()]'), [1, false]);
  quiet(page, file);
  await page.close();
});

test('a quadruped lands: arrows, events, frames, a phone, the dark', async () => {
  const { page: file } = simulate('landing', 'models/quadruped.urdf', '--base', 'floating', '--drop', '0.2', '--hold', '60,0.6', '--duration', '1', '--every', '5');
  for (const options of [{}, { dark: true }, { width: 390, height: 844, mobile: true }]) {
    const page = await open(file, options);
    await page.evaluate('lockstep.seek(0); lockstep.scene.set("contact", true)');
    await page.evaluate(settle);
    const arrows = `(() => { let n = 0; lockstep.scene.arrows.contact.forEach((a) => { n += a.visible; }); return n; })()`;
    assert.equal(await page.evaluate(arrows), 0, 'in the air nothing touches');
    await page.evaluate('lockstep.seek(1)');
    await page.evaluate(settle);
    assert.equal(await page.evaluate(arrows), 4, 'four feet');
    const without = await page.evaluate('lockstep.scene.set("contact", false);' + kLook);
    const all = await page.evaluate('lockstep.scene.set("contact", true); lockstep.scene.set("frames", true); lockstep.scene.set("reaction", true);' + kLook);
    assert.ok(all.count > without.count + 100, 'arrows and frames are drawn');
    assert.ok(await page.evaluate(`document.querySelectorAll('#ticks .contact').length`) > 0);
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'nothing sticks out');
    // an event of the list leads to its time
    const event = await page.evaluate(`(() => { const i = lockstep.run.events.findIndex((e) => e.kind === 'contact'); document.querySelectorAll('#events tr')[i].click(); return lockstep.run.events[i].time; })()`);
    assert.equal(await page.evaluate('lockstep.time()'), event);
    quiet(page, file);
    if (process.env.SCREENSHOTS) writeFileSync(join(process.env.SCREENSHOTS, `landing${options.dark ? '_dark' : ''}${options.mobile ? '_phone' : ''}.png`), await page.screenshot());
    await page.close();
  }
});

test('what steps cost on a chip has a panel of its own, at the others\' time', async () => {
  const { csv } = simulate('chip', 'models/quadruped.urdf', '--base', 'floating', '--drop', '0.05', '--hold', '60,0.6', '--duration', '0.3');
  const [header, ...rows] = readFileSync(csv, 'utf8').trim().split('\n');
  const file = join(folder, 'chip_costs.html');
  for (const costs of [(row) => (row === 0 ? 0 : 40000 + 100 * row), () => 41000]) {  // also where it is always the same
    writeFileSync(csv, [`${header},instructions`, ...rows.map((line, row) => `${line},${costs(row)}`), ''].join('\n'));
    assert.equal(lockstep('report', csv, '--robot', 'models/quadruped.urdf', '--base', 'floating', '-o', file).code, 0);
    const page = await open(file);
    const at = (await page.evaluate('lockstep.panels.panels.map(({ title }) => title)')).indexOf('instructions');
    assert.ok(at > 0, 'a panel among the first');
    await page.evaluate(`document.querySelectorAll('.panel')[0].scrollIntoView()`);
    const plot = await page.evaluate(`(() => { const { left, top, width, height } = lockstep.panels.panels[0].plot.over.getBoundingClientRect(); return { left, top, width, height }; })()`);
    await page.hover(plot.left + 0.6 * plot.width, plot.top + plot.height / 2);
    await page.evaluate(settle);
    const row = await page.evaluate(`lockstep.panels.panels[${at}].plot.cursor.idx`);
    assert.ok(row > 0 && row === await page.evaluate('lockstep.panels.panels[0].plot.cursor.idx'));
    const told = await page.evaluate(`document.querySelectorAll('.panel')[${at}].querySelector('.legend b').textContent`);
    assert.equal(Number(told), costs(row));
    assert.equal(await page.evaluate(`lockstep.run.events.filter(({ kind }) => kind === 'fault').length`), 0);
    quiet(page, file);
    await page.close();
  }
});

test('mechanisms, loops, no rows, one row, names that try to be markup', async () => {
  const { page: gyroscope } = simulate('gyroscope', 'models/mechanisms/gyroscope.xml', '--duration', '0.5', '--every', '5');
  const { page: platform } = simulate('platform', 'models/loops/stewart_platform.urdf', '--duration', '0.2', '--every', '5');
  for (const file of [gyroscope, platform]) {
    const page = await open(file);
    await page.evaluate('lockstep.seek(0.2)');
    assert.ok((await page.evaluate(kLook)).count > 200, file);
    quiet(page, file);
    await page.close();
  }
  const evil = '</script><script>document.title="taken"</script><img src=x onerror="document.title=1">';
  const urdf = join(folder, 'hinge.urdf');
  writeFileSync(join(folder, 't.stl'), `solid t\n${['1 0 0 0 1 0', '0 1 0 0 0 1', '0 0 1 1 0 0'].map((v) => `facet normal 0 0 0 outer loop vertex 0 0 0 ${v.replace(/(\S+ \S+ \S+)/g, 'vertex $1')} endloop endfacet\n`).join('')}endsolid\n`);
  const name = evil.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  writeFileSync(urdf, `<robot name="${name}"><link name="base"/><link name="door"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual><geometry><mesh filename="t.stl"/></geometry><material name="m"><color rgba="1 0 0 1"/></material></visual></link>
    <joint name="hinge" type="continuous"><parent link="base"/><child link="door"/></joint></robot>`);
  for (const [rows, text] of [[0, ''], [1, '0,1,0,0,1\n'], [3, '0,0,0,0,1\n1,1,0,0,nan\n2,nan,nan,0,nan\n']]) {
    const csv = join(folder, `${rows}_rows.csv`);
    writeFileSync(csv, `time [s],q.hinge [rad],v.hinge [rad/s],tau.hinge [N m],energy [J]\n${text}`);
    assert.equal(lockstep('report', csv, '--robot', urdf).code, 0);
    const file = csv.replace('.csv', '.html');
    const page = await open(file);
    await page.evaluate('lockstep.seek(2)');
    await page.evaluate(settle);
    if (rows > 0) assert.ok((await page.evaluate(kLook)).count > 200, 'a red mesh');
    assert.equal(await page.evaluate(`document.getElementById('title').textContent`), evil);
    assert.equal(await page.evaluate('document.title'), `${evil} - Lockstep`);
    quiet(page, file);
    await page.close();
  }
});
