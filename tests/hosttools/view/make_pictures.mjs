// Pictures of a page: node make_pictures.mjs PAGE FOLDER writes report.png, report_dark.png, and
// frames/NNN.png of the robot alone, 25 a second at half the speed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from './browser.mjs';

const [, , file, folder] = process.argv;
const browser = await openBrowser();
const settle = 'new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))';
for (const dark of [false, true]) {
  const page = await browser.open(file, { width: 1280, height: 800, dark });
  await page.evaluate('lockstep.seek(0.42)');
  await page.evaluate(settle);
  writeFileSync(join(folder, dark ? 'report_dark.png' : 'report.png'), await page.screenshot());
  await page.close();
}
const page = await browser.open(file, { width: 640, height: 400 });
await page.evaluate(`document.head.insertAdjacentHTML('beforeend', '<style>header, #transport, aside, #switches, #notes { display: none !important } main { padding: 0; display: block } #stage { position: fixed; inset: 0; height: auto !important; border: 0; border-radius: 0 }</style>')`);
await page.evaluate(`${settle}.then(() => { const { scene } = lockstep; scene.resetView(); scene.camera.position.lerp(scene.controls.target, 0.3); })`);
let frame = 0;
for (let time = 0; time <= 1.2; time += 0.02) {
  await page.evaluate(`lockstep.seek(${time})`);
  await page.evaluate(settle);
  writeFileSync(join(folder, 'frames', `${String(frame++).padStart(3, '0')}.png`), await page.screenshot());
}
await browser.close();
