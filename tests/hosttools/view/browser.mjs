// Chromium without a window, spoken to over a pipe by the DevTools protocol; draws WebGL in
// software. Whatever a page asks of the network, or complains about, is kept.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const kPatience = 120_000;  // ms, on a machine that may be busy

export async function openBrowser(program = process.env.CHROMIUM ?? 'chromium') {
  const profile = mkdtempSync(join(tmpdir(), 'lockstep-browser-'));
  const own = spawn(program, [
    '--headless=new', '--no-sandbox', '--remote-debugging-pipe', `--user-data-dir=${profile}`,
    '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--hide-scrollbars',
    '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic',
    '--no-first-run', '--no-default-browser-check', '--disable-extensions', '--disable-dev-shm-usage',
    '--force-color-profile=srgb',
  ], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const [, , , to, from] = own.stdio;
  const waiting = new Map();
  const listeners = [];
  let number = 0;
  let rest = '';
  from.setEncoding('utf8');
  from.on('data', (text) => {
    const messages = (rest + text).split('\0');
    rest = messages.pop();
    for (const message of messages.map((m) => JSON.parse(m))) {
      if (message.id === undefined) {
        listeners.forEach((listen) => listen(message));
        continue;
      }
      const { resolve, reject } = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    }
  });
  const send = (method, params = {}, sessionId = undefined) => new Promise((resolve, reject) => {
    const id = ++number;
    const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), kPatience);
    const done = (then) => (value) => { clearTimeout(timer); then(value); };
    waiting.set(id, { resolve: done(resolve), reject: done(reject) });
    to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  });

  async function open(file, { width = 1280, height = 800, dark = false, mobile = false } = {}) {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    const ask = (method, params) => send(method, params, sessionId);
    const requests = [];
    const complaints = [];
    let loaded = () => {};
    listeners.push(({ method, params, sessionId: of }) => {
      if (of !== sessionId) return;
      if (method === 'Network.requestWillBeSent') requests.push(params.request.url);
      if (method === 'Runtime.exceptionThrown') complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      if (method === 'Runtime.consoleAPICalled' && ['error', 'assert'].includes(params.type)) complaints.push(params.args.map((a) => a.value).join(' '));
      if (method === 'Log.entryAdded' && params.entry.level === 'error') complaints.push(params.entry.text);
      if (method === 'Page.loadEventFired') loaded();
    });
    for (const domain of ['Page', 'Network', 'Runtime', 'Log']) await ask(`${domain}.enable`);
    await ask('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile });
    await ask('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] });
    const ready = new Promise((resolve) => { loaded = resolve; });
    await ask('Page.navigate', { url: pathToFileURL(file).href });
    await ready;
    // The value of an expression; of a promise what it comes to.
    async function evaluate(expression) {
      const { result, exceptionDetails } = await ask('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    }
    const mouse = (type, x, y, more = {}) => ask('Input.dispatchMouseEvent', { type, x, y, ...more });
    const press = { button: 'left', clickCount: 1 };
    return {
      requests, complaints, evaluate,
      hover: (x, y, more) => mouse('mouseMoved', x, y, more),
      press: (x, y) => mouse('mousePressed', x, y, { ...press, buttons: 1 }),
      release: (x, y) => mouse('mouseReleased', x, y, press),
      async click(x, y) {
        await mouse('mouseMoved', x, y);
        await mouse('mousePressed', x, y, { ...press, buttons: 1 });
        await mouse('mouseReleased', x, y, press);
      },
      async key(key) {
        await ask('Input.dispatchKeyEvent', { type: 'keyDown', key, code: key });
        await ask('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key });
      },
      async screenshot() {
        const { data } = await ask('Page.captureScreenshot', { format: 'png' });
        return Buffer.from(data, 'base64');
      },
      close: () => send('Target.closeTarget', { targetId }),
    };
  }
  async function close() {
    const ended = new Promise((resolve) => { own.on('exit', resolve); });
    await send('Browser.close').catch(() => own.kill());
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  return { open, close };
}
