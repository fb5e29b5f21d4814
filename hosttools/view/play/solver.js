// The tool's reader and solver, in the page: hosttools/play compiled to WebAssembly. Works by node, too.
import { makeWasi } from './wasi.js';

// What the tool says is wrong, in its words.
export class ToolError extends Error {}

// `module`: a WebAssembly.Module.
export function makeSolver(module) {
  const files = new Map();
  let told = '';
  let own = null;

  // A module that failed is not used again: the next call begins with a new one.
  function begin() {
    const wasi = makeWasi(files, (text) => { told += text; });
    const instance = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: wasi.imports,
      page: { failed: (at, size) => { throw new ToolError(read(instance.exports, at, size)); } },
    });
    wasi.use(instance);
    instance.exports._initialize();
    own = instance.exports;
  }
  const read = (exports, at, size) => new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, size));
  function call(name, ...values) {
    if (!own) begin();
    try {
      return own[name](...values);
    } catch (error) {
      own = null;
      if (error instanceof ToolError) throw error;
      throw new ToolError(`the solver broke off: ${error.message}`);
    }
  }
  const text = (name) => {
    const size = call(name);
    return read(own, call('text_at'), size);
  };
  function give(options) {
    const bytes = new TextEncoder().encode(JSON.stringify(options));
    const at = call('room_for', bytes.length);
    new Uint8Array(own.memory.buffer, at, bytes.length).set(bytes);
  }

  return {
    // What was said on standard error since it was last asked.
    told() {
      const words = told;
      told = '';
      return words.trim();
    },
    put: (name, bytes) => files.set(name, bytes),
    clear: () => files.clear(),
    // Doctor's findings: [{severity, line, rule, message, remedy}].
    checkUp(options) {
      give(options);
      const first = JSON.parse(text('examine'));
      try {
        give(options);
        return JSON.parse(text('check_up'));
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        // the error names the file, as the finding will
        const message = error.message.startsWith(`${options.file}: `) ? error.message.slice(options.file.length + 2) : error.message;
        return [...first, { severity: 'error', line: 0, rule: 'no-model', message, remedy: '' }];
      }
    },
    open(options) {
      give(options);
      call('open');
    },
    close: () => { own = null; },
    facts: () => JSON.parse(text('facts')),
    saved: () => text('saved'),
    hash: () => text('hash'),
    steps: () => call('steps'),
    step: (count) => call('step', count),
    row: () => new Float64Array(own.memory.buffer, call('row_at'), call('row_size')).slice(),
    setJoint: (place, value) => call('set_joint', place, value) !== 0,
    push: (body, point, impulse) => call('push', body, ...point, ...impulse) !== 0,
    hold: (kp, kd) => call('hold', kp, kd),
    letGo: () => call('let_go'),
  };
}
