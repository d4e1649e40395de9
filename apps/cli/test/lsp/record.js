// Records the messages between Neovim and the built program: `node test/lsp/record.js` in apps/cli.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const self = fileURLToPath(import.meta.url);
const example = fileURLToPath(new URL('../../../../examples/replica-limits', import.meta.url));
const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

if (process.env['LSP_LOG'] === undefined) record();
else relay(process.env['LSP_LOG']);

/** Starts Neovim with this file as its language server. */
function record() {
  const folder = mkdtempSync(join(tmpdir(), 'lsp-'));
  const root = join(folder, 'replica-limits');
  cpSync(example, root, { recursive: true });
  const log = join(folder, 'log.ndjson');
  const script = fileURLToPath(new URL('neovim.lua', import.meta.url));
  const { status, stderr } = spawnSync(
    'nvim',
    ['--headless', '-u', 'NONE', '-l', script].slice(0, 3).concat(['-c', `luafile ${script}`]),
    {
      env: {
        ...process.env,
        LSP_ROOT: root,
        LSP_LOG: log,
        LSP_COMMAND: `${process.execPath} ${self}`,
      },
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`Neovim ended with ${status}: ${stderr}`);
  const text = readFileSync(log, 'utf8')
    .replaceAll(pathToFileURL(root).href, 'file:///example')
    .replaceAll(root, '/example')
    .replace(/"processId":\d+/, '"processId":null');
  writeFileSync(new URL('neovim.ndjson', import.meta.url), text);
  rmSync(folder, { recursive: true });
}

/** Passes messages between Neovim and the program, and writes them down. */
function relay(log) {
  const server = spawn(process.execPath, [program, 'lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  pass(process.stdin, server.stdin, 'client', log);
  pass(server.stdout, process.stdout, 'server', log);
  server.on('exit', (code) => process.exit(code ?? 1));
}

function pass(from, to, side, log) {
  let waiting = Buffer.alloc(0);
  from.on('data', (data) => {
    to.write(data);
    waiting = Buffer.concat([waiting, data]);
    for (;;) {
      const end = waiting.indexOf('\r\n\r\n');
      const length = Number(
        /Content-Length: (\d+)/i.exec(waiting.subarray(0, Math.max(end, 0)).toString())?.[1],
      );
      if (end === -1 || waiting.length < end + 4 + length) return;
      const message = JSON.parse(waiting.subarray(end + 4, end + 4 + length).toString());
      appendFileSync(log, `${JSON.stringify({ from: side, message })}\n`);
      waiting = waiting.subarray(end + 4 + length);
    }
  });
  from.on('end', () => to.end());
}
