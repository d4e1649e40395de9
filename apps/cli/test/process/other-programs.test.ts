import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { folderUntil } from '@kubeadmit/test-support';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The packages as npm installs them: side by side, each with the exports of its manifest.

const built = fileURLToPath(new URL('../../', import.meta.url));
const project = folderUntil(afterAll);

beforeAll(() => {
  const cli = join(project, 'node_modules/@kubeadmit/cli');
  mkdirSync(cli, { recursive: true });
  cpSync(join(built, 'dist'), join(cli, 'dist'), { recursive: true });
  cpSync(join(built, 'package.json'), join(cli, 'package.json'));
});

function run(args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const main = join(project, 'node_modules/@kubeadmit/cli/dist/main.js');
  // Package managers name folders of the packages that they run in NODE_PATH.
  const env = { ...process.env, NODE_PATH: undefined };
  return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', env });
}

test.each([
  ['apiserver', 'test-server', 'apiserver', 'run-program.js', 'runProgram'],
  ['serve', 'webhook', 'webhook', 'serve.js', 'serve'],
])(
  'kubeadmit %s runs the program that is installed beside it',
  (command, name, app, entry, call) => {
    const missing = run([command, '--help']);
    expect(missing).toMatchObject({ status: 2, stdout: '' });
    expect(missing.stderr).toContain(`install \`@kubeadmit/${name}\``);
    const dist = join(project, 'node_modules/@kubeadmit', name, 'dist');
    mkdirSync(dist, { recursive: true });
    const manifest = readFileSync(join(built, '..', app, 'package.json'));
    writeFileSync(join(dist, '../package.json'), manifest);
    writeFileSync(
      join(dist, entry),
      `export async function ${call}(args) { console.log(JSON.stringify(args)); return 7; }\n`,
    );
    const found = run([command, '--listen', 'x', '--', 'kubectl']);
    expect(found).toMatchObject({ status: 7, stderr: '' });
    expect(JSON.parse(found.stdout)).toEqual(['--listen', 'x', '--', 'kubectl']);
    expect(JSON.parse(run(['help', command]).stdout)).toEqual(['--help']);
  },
);
