import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../dist/', import.meta.url));

const script = `
process.argv = [process.execPath, 'kubeadmit', '--version'];
const folder = ${JSON.stringify(folder)};
require(folder + 'main.js');
const parts = require('node:fs').readdirSync(folder + 'parts').filter((name) => name.endsWith('.js'));
let functions = 0;
let values = 0;
if (parts.length < 5) throw new Error('the parts lie elsewhere');
for (const part of parts) {
  for (const file of Object.keys(require.cache)) if (!file.endsWith('main.js')) delete require.cache[file];
  const exported = Object.values(Object.getOwnPropertyDescriptors(require(folder + 'parts/' + part)));
  for (const { get } of exported) get === undefined ? values++ : functions++;
}
if (functions * 50 > values) throw new Error(functions + ' functions for exports beside ' + values + ' values');
`;

test('every part of the program can be the first one that is loaded', () => {
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], {
    encoding: 'utf8',
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

const examples = fileURLToPath(new URL('../../../../examples/', import.meta.url));

// What a source names when it is loaded, and not in a function, is loaded with it.
test.each(['check', 'lint'])(
  '%s of a policy without anything special loads no part that few runs need',
  (command) => {
    const watched = `
const loaded = () => Object.keys(require.cache).filter((file) => /-seldom\\.js$/.test(file));
process.on('exit', () => process.stderr.write(JSON.stringify(loaded())));
process.argv = [process.execPath, 'kubeadmit', ${JSON.stringify(command)}, '--output', 'text', 'required-labels'];
require(${JSON.stringify(`${folder}main.js`)});
`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', watched], {
      cwd: examples,
      encoding: 'utf8',
      env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
    });
    expect(readdirSync(`${folder}parts`).some((name) => name.endsWith('-seldom.js'))).toBe(true);
    expect(stdout).toMatch(/\d (?:objects checked|errors)/);
    expect(stderr).toBe('[]');
  },
);
