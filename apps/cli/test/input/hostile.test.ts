import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { withFiles } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';
import { listFolder } from '../../src/input/sources.ts';
import { configMap, policy, runIn } from './elsewhere/kit.ts';

const laughs = [
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a0: &a0 x',
  ...Array.from({ length: 30 }, (_, i) => `  a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`),
].join('\n');

const depth = 100_000;
const nested = '['.repeat(depth) + ']'.repeat(depth);

/** Inputs that may neither end the program nor keep it busy, each with the error. */
const inputs: readonly (readonly [name: string, file: string, text: string, told: RegExp])[] = [
  ['aliases that multiply', 'c.yaml', laughs, /alias/],
  ['lists nested 100,000 deep in YAML', 'c.yaml', nested, /error: /],
  ['lists nested 100,000 deep in JSON', 'c.json', nested, /error: /],
  [
    'maps nested 100,000 deep in JSON',
    'c.json',
    `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    /error: /,
  ],
  ['nothing but a tag', 'c.yaml', '!!js/function "function () {}"', /error: /],
  ['a document for each line', 'c.yaml', '---\n'.repeat(depth), /no Kubernetes object/],
];

describe('hostile inputs', () => {
  test.each(inputs)('%s', async (_, name, text, told) => {
    await withFiles({ 'p.yaml': policy, [name]: text }, async (folder) => {
      const start = performance.now();
      const { exitCode, stderr } = await runIn(folder, ['check', '-p', 'p.yaml', '-r', name]);
      expect(stderr).toMatch(told);
      expect(stderr).not.toContain('internal error');
      expect(exitCode).toBe(2);
      expect(performance.now() - start).toBeLessThan(20_000);
    });
  });

  test.each([
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n__proto__: {polluted: yes}',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, labels: {__proto__: x, constructor: y}}',
    '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "__proto__": {"polluted": "yes"}}}',
    'apiVersion: v1\nkind: __proto__\nmetadata: {name: c}',
    'apiVersion: __proto__/v1\nkind: constructor\nmetadata: {name: toString}',
  ])('the keys and names of JavaScript change nothing: %s', async (text) => {
    await withFiles({ 'p.yaml': policy, 'c.yaml': text }, async (folder) => {
      const { stderr } = await runIn(folder, ['check', '-p', 'p.yaml', '-r', 'c.yaml']);
      expect(stderr).not.toContain('internal error');
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });
  });

  test.each([
    'lint: {rules: {__proto__: off}}',
    'lint: {rules: {constructor: off}}',
    '__proto__: {lint: {}}',
    'lint: {rules: {toString: error}}',
  ])('the names of JavaScript are no rules and fields of a configuration: %s', async (text) => {
    await withFiles({ 'p.yaml': policy, 'kubeadmit.yaml': text }, async (folder) => {
      const { exitCode, stderr } = await runIn(folder, ['lint', 'p.yaml']);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('error: kubeadmit.yaml')]);
    });
  });

  test('patterns of an ignore file take no time, however they are written', async () => {
    const patterns = ['*a', '**/', '?*', '[a-z]*'].map((each) => `${each.repeat(40)}!b`);
    const files = { 'p.yaml': policy, '.kubeadmitignore': patterns.join('\n') };
    await withFiles(files, async (folder) => {
      const name = `${'a'.repeat(200)}.yaml`;
      writeFileSync(`${folder}/${name}`, configMap);
      const start = performance.now();
      const { exitCode } = await runIn(folder, ['check', '-p', 'p.yaml', '-r', name]);
      expect(exitCode).toBe(1);
      expect(performance.now() - start).toBeLessThan(10_000);
    });
  });

  test.each(['kubeadmit.yaml', '.kubeadmitignore'])(
    '%s is a regular file of at most 1 MiB, or an error',
    async (name) => {
      await withFiles({ 'p.yaml': policy }, async (folder) => {
        writeFileSync(`${folder}/${name}`, '#\n'.repeat(2 ** 20));
        const large = await runIn(folder, ['lint', '.']);
        expect([large.exitCode, large.stderr]).toEqual([2, `error: ${name}: larger than 1Mi\n`]);
        if (process.platform === 'win32') return;
        rmSync(`${folder}/${name}`);
        execFileSync('mkfifo', [`${folder}/${name}`]);
        const pipe = await runIn(folder, ['lint', '.']);
        expect([pipe.exitCode, pipe.stderr]).toEqual([2, `error: ${name}: not a regular file\n`]);
      });
    },
  );

  test('links in circles are followed once, in manifests and in tests', async () => {
    const suite = 'policies: [../p.yaml]\ncases: [{name: a, object: c.yaml, expect: denied}]';
    const files = { 'p.yaml': policy, 'm/c.yaml': configMap, 'm/a.admit.yaml': suite };
    await withFiles(files, async (folder) => {
      for (const name of 'abcdefgh') symlinkSync('.', `${folder}/m/${name}`);
      const start = performance.now();
      const check = await runIn(folder, ['check', '-p', 'p.yaml', '-r', 'm']);
      expect(check.stdout).toContain('1 object checked');
      expect((await runIn(folder, ['test', 'm'])).stdout).toContain('1 passed');
      expect(performance.now() - start).toBeLessThan(10_000);
    });
  });
});

test('a listing with a budget ends when the budget is used up', async () => {
  const files = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name) => [`${name}/${name}.yaml`, configMap]),
  );
  await withFiles(files, (folder) => {
    const whole = { left: 100 };
    expect(listFolder(folder, whole)).toHaveLength(4);
    expect(whole.left).toBe(92);
    const small = { left: 6 };
    expect(listFolder(folder, small).map((file) => file.slice(folder.length + 1))).toEqual([
      'a/a.yaml',
      'b/b.yaml',
    ]);
    expect(small.left).toBe(0);
  });
});
