import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { argument, run } from './workspace.ts';

// The same program, `consumer/runtime.js`, with the installed packages in every runtime that npm brings: Bun, Deno
// without any permission, workers, Node that may not make code of strings, and an edge runtime, which gets one script.

const consumer = argument(0, 'folder of the project with the packages');

const runtimes = join(consumer, '.runtimes');
mkdirSync(runtimes, { recursive: true });
writeFileSync(join(runtimes, 'package.json'), '{ "private": true }\n');
// The binaries of these runtimes are in separate packages, so install scripts are not needed.
const wanted = ['bun@1.4.5', 'deno@2.9.6', 'edge-runtime@4.0.1'];
const quietly = ['--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'];
run('npm', ['install', ...quietly, '--loglevel=error', ...wanted], runtimes);

const use = `import { useEverything } from './runtime.js';
const asked = await useEverything();
if (asked < 15) throw new Error(\`only \${asked} answers\`);
`;
const say = (name: string): string => `console.log('${name}: right');\n`;
write('use-main.js', `${use}console.log(\`\${asked} answers: right\`);\n`);
write('worker-body.js', `${use}globalThis.postMessage('right');\n`);
write(
  'web-worker.js',
  `const worker = new Worker(new URL('./worker-body.js', import.meta.url), { type: 'module' });
await new Promise((resolve, reject) => {
  worker.onmessage = resolve;
  worker.onerror = (event) => reject(new Error(event.message));
});
worker.terminate();
${say('worker of Bun')}`,
);
write(
  'node-worker.js',
  `import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
const worker = new Worker(new URL('./use-main.js', import.meta.url));
const [code] = await once(worker, 'exit');
if (code !== 0) process.exit(1);
${say('worker of Node')}`,
);

const bun = binary('@oven', 'bin/bun');
const deno = binary('@deno', 'deno');
run(bun, ['--version']);
run(bun, ['use-main.js'], consumer);
run(bun, ['web-worker.js'], consumer);
run(deno, ['--version']);
const noPermissions = ['run', '--no-prompt', '--no-remote', '--node-modules-dir=manual'];
run(deno, [...noPermissions, 'use-main.js'], consumer);
run('node', ['node-worker.js'], consumer);
run('node', ['--disallow-code-generation-from-strings', 'use-main.js'], consumer);

write(
  'edge.js',
  `import { useEverything } from './runtime.js';
addEventListener('fetch', (event) => {
  const answer = useEverything().then((asked) => new Response(String(asked)));
  event.respondWith(answer.catch((error) => new Response(error.stack, { status: 500 })));
});
`,
);
await build({
  configFile: false,
  logLevel: 'error',
  root: consumer,
  build: {
    outDir: runtimes,
    emptyOutDir: false,
    target: 'es2023',
    minify: false,
    lib: { entry: join(consumer, 'edge.js'), formats: ['iife'], name: 'edge', fileName: 'edge' },
    rolldownOptions: { output: { codeSplitting: false, entryFileNames: 'edge.bundle.js' } },
  },
});
writeFileSync(
  join(runtimes, 'edge-host.mjs'),
  `import { readFileSync } from 'node:fs';
import { EdgeRuntime } from 'edge-runtime';
const initialCode = readFileSync(new URL('edge.bundle.js', import.meta.url), 'utf8');
const runtime = new EdgeRuntime({ initialCode });
let mayEval = true;
try { runtime.evaluate("eval('1')"); } catch { mayEval = false; }
if (mayEval) throw new Error('the edge runtime makes code of strings: nothing is shown');
const response = await runtime.dispatchFetch('https://example.com/');
const text = await response.text();
if (!response.ok || Number(text) < 15) throw new Error(text);
console.log(\`edge runtime without eval, \${text} answers: right\`);
`,
);
run('node', ['edge-host.mjs'], runtimes);

function write(name: string, text: string): void {
  writeFileSync(join(consumer, name), text);
}

/** The program in the package for this platform. */
function binary(scope: string, path: string): string {
  const folder = join(runtimes, 'node_modules', scope);
  const found = readdirSync(folder)
    .map((name) => join(folder, name, path))
    .find((file) => existsSync(file));
  if (found === undefined) throw new Error(`no program of ${scope} for this platform`);
  return found;
}
