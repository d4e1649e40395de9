import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseLines, readLines } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';
import { runHere } from './terminal.ts';

/** One answer of kube-apiserver's libraries, as `scripts/record-examples.js` keeps it. */
interface Expected {
  readonly id: string;
  readonly response: { readonly allowed: boolean };
  readonly object?: unknown;
}

interface Answer extends Expected {
  readonly response: Expected['response'] & {
    readonly patch?: string;
    readonly patchType?: string;
  };
  readonly errors?: unknown;
}

const root = fileURLToPath(new URL('../../../examples/', import.meta.url));
const names = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'kyverno')
  .map(({ name }) => name);

test('there are at least ten examples', () => {
  expect(names.length).toBeGreaterThanOrEqual(10);
});

describe.each(names)('%s', async (name) => {
  const folder = root + name;
  const expected = readLines<Expected>(`${folder}/expected.ndjson`);
  const cases = await runHere(['check', '-o', 'cases', '--plugins', 'policies', folder]);
  const answers = await runHere(['admit', '-'], { stdin: cases.stdout });
  const actual = parseLines<Answer>(answers.stdout);

  test('has policies, bindings, requests and a README', () => {
    for (const file of ['policy.yaml', 'binding.yaml', 'README.md', `${name}.admit.yaml`]) {
      expect(existsSync(`${folder}/${file}`), file).toBe(true);
    }
    expect(cases.stderr).toBe('');
    expect(expected.length).toBeGreaterThan(0);
  });

  test('has an answer to each request', () => {
    const ids = actual.map(({ id }) => id.slice(`${folder}/`.length));
    expect(ids).toEqual(expected.map(({ id }) => id));
  });

  test.each(expected.map((answer, index) => ({ ...answer, index })))(
    '$id',
    ({ index, response, object }) => {
      const answer = actual[index];
      const { patch, patchType, ...rest } = answer?.response ?? {};
      expect(answer?.errors).toBeUndefined();
      // Byte for byte: the order of the fields counts too.
      expect(JSON.stringify(rest)).toBe(JSON.stringify(response));
      expect(answer?.object).toEqual(object);
      expect(patchType).toBe(patch === undefined ? undefined : 'JSONPatch');
    },
  );

  test('has tests with complete coverage that catch every mutation', async () => {
    const args = ['test', '-o', 'json', '--coverage-threshold', '100', '--mutate-policies', folder];
    const { exitCode, stdout, stderr } = await runHere(args);
    const { summary, mutations } = JSON.parse(stdout) as {
      readonly summary: { readonly passed: number };
      readonly mutations: { readonly total: number; readonly survivors: readonly unknown[] };
    };
    expect(stderr).toBe('');
    expect(mutations.survivors).toEqual([]);
    expect(mutations.total).toBeGreaterThanOrEqual(8);
    expect(summary.passed).toBeGreaterThanOrEqual(4);
    expect(exitCode).toBe(0);
  });

  test('gets the same verdicts from check', async () => {
    const { exitCode, stdout, stderr } = await runHere(['check', '-o', 'json', folder]);
    const report = JSON.parse(stdout) as { summary: { resources: number; denied: number } };
    const denied = expected.filter(({ response }) => !response.allowed).length;
    // Two examples have pods that name an object which is not among the files.
    expect(stderr.replace(/^warning: .* assumed to exist: .*\n$/, '')).toBe('');
    expect(report.summary).toMatchObject({ resources: expected.length, denied });
    expect(exitCode).toBe(denied > 0 ? 1 : 0);
  });
});
