import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderUntil, freePort, runProgram } from '@kubeadmit/test-support';
import { expect, onTestFinished, test } from 'vitest';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));

test("the README's quick start does what it says", async () => {
  const [, script = '', expected] =
    /## Quick start[\s\S]*?```sh\n([\s\S]*?)```[\s\S]*?```text\n([\s\S]*?)```/.exec(readme) ?? [];
  const folder = folderUntil(onTestFinished, {
    'kubeadmit-webhook': `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`,
  });
  chmodSync(join(folder, 'kubeadmit-webhook'), 0o755);
  const text = script
    .replaceAll('9443', String(await freePort()))
    .replaceAll('8080', String(await freePort()))
    .replaceAll('kubeadmit-webhook --', './kubeadmit-webhook --');
  const { stdout, stderr } = await runProgram('bash', ['--norc', '-c', text], { cwd: folder });
  expect(stdout, stderr).toBe(expected);
});
