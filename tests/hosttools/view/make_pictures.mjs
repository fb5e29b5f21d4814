// Pictures of pages, by Chromium:
//   node make_pictures.mjs page PAGE TIME OUT.png [dark]         a page of a run at a time
//   node make_pictures.mjs playground PAGE OUT.png               the playground after its first robot's run
//   node make_pictures.mjs frames PAGE FOLDER WIDTH HEIGHT STEP CLOSER
//                                       the robot alone, FOLDER/NNN.png every STEP s; by a share of the way closer
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from './browser.mjs';

const [, , what, file, ...words] = process.argv;
const browser = await openBrowser();
const settle = 'new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))';

async function page(time, out, dark) {
  const page = await browser.open(file, { width: 1280, height: 800, dark: dark === 'dark' });
  await page.evaluate(`lockstep.seek(${time})`);
  await page.evaluate(settle);
  writeFileSync(out, await page.screenshot());
}

async function playground(out) {
  const page = await browser.open(file, { width: 1280, height: 800 });
  await page.evaluate('lockstep.ready');
  await page.evaluate('lockstep.steps(1e6)');  // it stops where sim was asked
  await page.evaluate(settle);
  writeFileSync(out, await page.screenshot());
}

async function frames(folder, width, height, step, closer) {
  const page = await browser.open(file, { width: Number(width), height: Number(height) });
  await page.evaluate(`document.head.insertAdjacentHTML('beforeend', '<style>header, #transport, aside, #switches, #notes { display: none !important } main { padding: 0; display: block } #stage { position: fixed; inset: 0; height: auto !important; border: 0; border-radius: 0 }</style>')`);
  await page.evaluate(`${settle}.then(() => { const { scene } = lockstep; scene.resetView(); scene.camera.position.lerp(scene.controls.target, ${closer}); })`);
  const [first, last] = await page.evaluate('[lockstep.run.times[0], lockstep.run.times.at(-1)]');
  const count = Math.floor((last - first) / Number(step) + 1e-6);
  for (let frame = 0; frame <= count; ++frame) {
    await page.evaluate(`lockstep.seek(${first + frame * Number(step)})`);
    await page.evaluate(settle);
    writeFileSync(join(folder, `${String(frame).padStart(3, '0')}.png`), await page.screenshot());
  }
}

await { page, playground, frames }[what](...words);
await browser.close();
