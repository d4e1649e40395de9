import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Cleaner } from '@kubeadmit/chain/kyverno-background';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CleanupController, type CleanupOptions } from '../src/background/cleanup-controller.ts';
import { Problems } from '../src/background/problems.ts';

type Kyverno = NonNullable<Parameters<CleanupController['use']>[0]>;

const second = 1_000;
const hour = 3_600_000;
const resource = {
  ...{ group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps' },
  ...{ apiVersion: 'v1', isNamespaced: true, path: '/api/v1/configmaps' },
  verbs: new Set(['delete']),
};

/** A policy in a file, which has neither a time of creation nor a status. */
const cleaner: Cleaner = {
  object: { apiVersion: 'kyverno.io/v2', kind: 'ClusterCleanupPolicy', metadata: { name: 'file' } },
  key: 'ClusterCleanupPolicy/file',
  namespace: '',
  schedule: '0 * * * *',
  lastRun: '',
  propagation: undefined,
  mayDelete: () => true,
};

const using = (...cleaners: readonly Cleaner[]): Kyverno =>
  ({ cleaners, deletes: () => true }) as unknown as Kyverno;

let deleted: string[];
let afterDeletion: () => void;
let problems: Problems;
let controller: CleanupController;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-01-01T00:30:00Z') });
  deleted = [];
  afterDeletion = () => undefined;
  problems = new Problems(() => undefined);
  const items = ['a', 'b'].map((name) => ({ metadata: { name, namespace: 'shop' } }));
  const pages = async function* (): AsyncGenerator<object> {
    yield { items };
  };
  controller = new CleanupController({
    client: { pages },
    writer: {
      delete({ object }: { readonly object: KubernetesObject }) {
        deleted.push((object['metadata'] as { readonly name: string }).name);
        afterDeletion();
        return Promise.resolve();
      },
    },
    discovery: { resources: [resource] },
    problems,
    excludedNamespaces: new Set(),
    isDryRun: false,
  } as unknown as CleanupOptions);
});

afterEach(async () => {
  await controller.stop();
  vi.useRealTimers();
});

test('runs a policy in a file when its schedule says, and not before', async () => {
  controller.use(using(cleaner));
  await vi.advanceTimersByTimeAsync(hour / 4);
  controller.use(using(cleaner));
  expect(deleted).toEqual([]);
  await vi.advanceTimersByTimeAsync(hour / 4 + second);
  expect(deleted).toEqual(['a', 'b']);
  await vi.advanceTimersByTimeAsync(hour);
  expect(deleted).toEqual(['a', 'b', 'a', 'b']);
});

test('does not run a policy for the time before it was in use', async () => {
  controller.use(using());
  await vi.advanceTimersByTimeAsync(hour);
  controller.use(using(cleaner));
  await vi.advanceTimersByTimeAsync(hour / 4);
  expect(deleted).toEqual([]);
});

test.each([
  ['was deleted', [], ['a']],
  ['no longer selects the kind', [{ ...cleaner, mayDelete: () => false }], ['a']],
  ['is read again', [{ ...cleaner }], ['a', 'b']],
])('a run after its policy %s', async (_, next, expected) => {
  afterDeletion = () => controller.use(using(...next));
  controller.use(using(cleaner));
  await vi.advanceTimersByTimeAsync(hour / 2 + second);
  expect(deleted).toEqual(expected);
});

test('forgets the problem of a policy that was deleted', async () => {
  afterDeletion = () => {
    throw new Error('refused');
  };
  controller.use(using(cleaner));
  await vi.advanceTimersByTimeAsync(hour / 2 + second);
  expect(problems.text).toContain('ConfigMap shop/a: refused');
  controller.use(using());
  await vi.advanceTimersByTimeAsync(second);
  expect(problems.count).toBe(0);
});
