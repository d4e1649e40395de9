import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { withFiles } from '@kubeadmit/test-support';
import { expect, test, vi } from 'vitest';
import { run } from '../../src/program.ts';

const policy = (most: number): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
  - expression: object.spec.replicas <= ${most}
`;

const suite = (name: string, file: string): string => `
name: ${name}
policies: [${file}]
bindings: auto
cases:
- name: nine
  object:
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec: {replicas: 9, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}
  expect: denied
`;

const files = {
  // Suites name files of their repository.
  '.git/HEAD': '',
  'one/one.admit.yaml': suite('one', '../policies/one.yaml'),
  'two/two.admit.yaml': suite('two', '../policies/two*.yaml'),
  'policies/one.yaml': policy(5),
  'policies/two.yaml': policy(5),
};

/** A watch whose output is waited for, however long it takes. */
class Watch {
  readonly stdin = new PassThrough();
  #text = '';
  readonly ended: Promise<number>;

  constructor(args: readonly string[], isTTY = false, command = 'test') {
    const capture = (): PassThrough => {
      const stream = Object.assign(new PassThrough(), { isTTY });
      stream.on('data', (chunk: Buffer) => {
        this.#text += chunk.toString();
      });
      return stream;
    };
    const stdout = capture();
    this.ended = run([command, '--watch', ...args], {
      stdin: this.stdin,
      stdout,
      stderr: capture(),
      env: { NO_COLOR: '1' },
      print: (text) => stdout.write(text),
    });
  }

  /** Waits until the run that prints this part is over, and returns the output since the last call. */
  async until(part: string): Promise<string> {
    const end = 'q: quit\n';
    await vi.waitFor(
      () => {
        const at = this.#text.indexOf(part);
        if (at === -1 || !this.#text.slice(at).includes(end)) throw new Error(this.#text);
      },
      { timeout: 60_000, interval: 20 },
    );
    const at = this.#text.indexOf(end, this.#text.indexOf(part)) + end.length;
    const shown = this.#text.slice(0, at);
    this.#text = this.#text.slice(at);
    return shown;
  }
}

test('runs the affected tests after a change, and prints the result when the watch ends', async () => {
  await withFiles(files, async (folder) => {
    const watch = new Watch([join(folder, 'one'), join(folder, 'two')]);
    expect(await watch.until('2 tests: 2 passed, 0 failed\n')).toContain('ok    ');

    // Each suite names a policy elsewhere.
    writeFileSync(join(folder, 'policies/one.yaml'), policy(10));
    const failed = await watch.until('1 test: 0 passed, 1 failed\n');
    expect(failed).toContain(`changed: ${join(folder, 'policies/one.yaml')}`);
    expect(failed).toContain('FAIL: one/nine');
    expect(failed).not.toContain('two');

    watch.stdin.write('f');
    expect(await watch.until('1 test: 0 passed, 1 failed\n')).not.toContain('two');
    watch.stdin.write('xa');
    await watch.until('2 tests: 1 passed, 1 failed\n');

    // A pattern finds new files and drops deleted ones.
    writeFileSync(join(folder, 'policies/two-more.yaml'), policy(10).replace('replicas}', 'more}'));
    const two = await watch.until('1 test: 1 passed, 0 failed\n');
    expect(two).toContain('more');
    rmSync(join(folder, 'policies/two-more.yaml'));
    await watch.until('1 test: 1 passed, 0 failed\n');

    writeFileSync(join(folder, 'policies/one.yaml'), policy(5));
    await watch.until('1 test: 1 passed, 0 failed\n');
    writeFileSync(join(folder, 'two/three.admit.yaml'), 'cases: 1\n');
    await watch.until('error:');
    watch.stdin.write('q');
    expect(await watch.ended).toBe(2);
  });
});

test('a watch looks at nothing outside, whatever pattern a suite has', async () => {
  const all = {
    'outside.yaml': policy(5),
    'repository/.git/HEAD': '',
    'repository/one.admit.yaml': suite('one', '/**/*.yaml'),
  };
  await withFiles(all, async (folder) => {
    const watch = new Watch([join(folder, 'repository')]);
    await watch.until('1 could not be checked\n');
    watch.stdin.write('q');
    expect(await watch.ended).toBe(1);
  });
});

test('a watch clears the terminal, and ends with standard input', async () => {
  await withFiles(files, async (folder) => {
    const watch = new Watch([join(folder, 'one/one.admit.yaml')], true);
    expect(await watch.until('1 test: 1 passed, 0 failed\n')).toMatch(/^\u001b\[2J/);
    watch.stdin.end();
    expect(await watch.ended).toBe(0);
  });
});

test.each([['--list'], ['--mutate-policies'], ['--coverage'], ['-o', 'json']])(
  'a watch refuses %s',
  async (...args) => {
    const watch = new Watch(args);
    expect(await watch.ended).toBe(2);
  },
);

const manifest = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 7, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}
`;
const binding = `
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: replicas}
spec: {policyName: replicas, validationActions: [Deny]}
`;

test('a watch of manifests checks changed, new and previously unreadable files again', async () => {
  const files = { 'p/one.yaml': policy(5) + binding, 'm/web.yaml': manifest };
  await withFiles(files, async (folder) => {
    const paths = ['-p', join(folder, 'p/*.yaml'), '-r', join(folder, 'm')];
    const watch = new Watch(paths, true, 'check');
    const denied = await watch.until('1 policy with 1 binding: 1 denied\n');
    expect(denied).toMatch(/^\u001b\[2J/);
    writeFileSync(join(folder, 'p/one.yaml'), policy(10) + binding);
    const allowed = await watch.until('1 policy with 1 binding: 1 allowed\n');
    expect(allowed).toContain(`changed: ${join(folder, 'p/one.yaml')}`);
    writeFileSync(join(folder, 'm/more.yaml'), manifest.replace('web', 'more'));
    await watch.until('2 objects checked by 1 policy with 1 binding: 2 allowed\n');
    writeFileSync(join(folder, 'p/one.yaml'), 'a: [');
    await watch.until('error:');
    writeFileSync(join(folder, 'p/one.yaml'), policy(5) + binding);
    await watch.until('2 objects checked by 1 policy with 1 binding: 2 denied\n');
    watch.stdin.write('x\r');
    await watch.until('2 objects checked by 1 policy with 1 binding: 2 denied\n');
    watch.stdin.write('q');
    expect(await watch.ended).toBe(1);
  });
});

test.each([[['-']], [['.', '-o', 'json']], [['.', '--context', 'a']], [['oci://a/b']]])(
  'a watch of manifests refuses %j',
  async (args) => {
    expect(await new Watch(args, false, 'check').ended).toBe(2);
  },
);
