import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

test("the README's quick start does what it says", async () => {
  const [, script = '', expected] =
    /## Quick start[\s\S]*?```sh\n([\s\S]*?)```[\s\S]*?```text\n([\s\S]*?)```/.exec(readme) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'quick-start-'));
  const command = join(folder, 'kubeadmit-webhook');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(command, 0o755);
  const text = script
    .replaceAll('9443', await freePort())
    .replaceAll('8080', await freePort())
    .replaceAll('kubeadmit-webhook --', './kubeadmit-webhook --');
  const child = spawn('bash', ['-c', text], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    written += part;
  });
  await new Promise((resolve) => child.once('close', resolve));
  rmSync(folder, { recursive: true });
  expect(written).toBe(expected);
});
