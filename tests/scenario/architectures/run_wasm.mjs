// Runs a program of WebAssembly as a process: node run_wasm.mjs FILE [ARGUMENTS]
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const args = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args, returnOnExit: true });
const module = new WebAssembly.Module(readFileSync(args[0]));
const instance = new WebAssembly.Instance(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
