// Bundles the page into one file with a place for a run: node build.mjs NODE_MODULES OUTPUT; or, with
// the solver, the robots that it brings and its licences, the playground: node build.mjs NODE_MODULES
// OUTPUT WASM ROBOTS LICENCES.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const [, , modules, output, wasm, robots, terms] = process.argv.map((path, i) => (i > 1 ? resolve(path) : path));
const here = join(dirname(fileURLToPath(import.meta.url)), wasm ? 'play' : '.');
const { build } = createRequire(join(modules, 'any.js'))('esbuild');

// what the page carries of others, with their terms
const licences = ['three', 'uplot'].map((name) => {
  const { version } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
  return `${name} ${version}\n\n${readFileSync(join(modules, name, 'LICENSE'), 'utf8').trim()}\n`;
}).join('\n') + (terms ? readFileSync(terms, 'utf8') : '');

const result = await build({
  entryPoints: [join(here, 'main.js')],
  bundle: true, minify: true, write: false, outdir: 'page', format: 'iife', target: 'es2022',
  charset: 'ascii', legalComments: 'none', nodePaths: [modules], logLevel: 'warning',
  define: { LICENCES: JSON.stringify(licences) },
});
const text = (end) => result.outputFiles.find(({ path }) => path.endsWith(end)).text.trim();
const put = (page, place, content) => {
  if (page.split(place).length !== 2) throw new Error(`page.html: '${place}' has to be there once`);
  return page.replace(place, () => content);
};
let page = readFileSync(join(here, 'page.html'), 'utf8');
page = put(page, '/*@STYLE@*/', text('.css'));
page = put(page, '/*@SCRIPT@*/', text('.js').replaceAll('</script', '<\\/script'));
if (wasm) {
  page = put(page, '@LOCKSTEP_SOLVER@', gzipSync(readFileSync(wasm), { level: 9 }).toString('base64'));
  page = put(page, '@LOCKSTEP_ROBOTS@', readFileSync(robots, 'utf8').replaceAll('</', '<\\/'));
} else {
  put(page, '@LOCKSTEP_RUN@', '');  // where the tool writes a run
}
mkdirSync(dirname(output), { recursive: true });
writeFileSync(`${output}.new`, page);
renameSync(`${output}.new`, output);
if (!wasm) writeFileSync(join(dirname(output), 'LICENCES.txt'), licences);
