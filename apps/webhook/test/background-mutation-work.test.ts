import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { expect, test, vi } from 'vitest';
import { MutationController, type MutationOptions } from '../src/background/mutation-controller.ts';
import { Problems } from '../src/background/problems.ts';
import type { Watched } from '../src/background/watches.ts';

type Kyverno = NonNullable<Parameters<MutationController['use']>[0]>;
type Find = (query: { readonly name: string }) => unknown;

const configMaps = {
  ...{ group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', apiVersion: 'v1' },
  ...{ path: '/api/v1/configmaps', isNamespaced: true, verbs: new Set(['list', 'watch']) },
};

const policy = {
  ...{ key: 'MutatingPolicy/p', name: 'p', namespace: '', appliesOneRule: false },
  ...{ invisibleTriggers: [], rules: new Map(), mayTrigger: () => true },
};

const kyvernoWith = (mutator: object, mutateAllExisting?: Kyverno['mutateAllExisting']): Kyverno =>
  ({ mutators: [{ ...policy, ...mutator }], mutateAllExisting }) as unknown as Kyverno;

function controllerWith(
  select: () => Promise<readonly never[]>,
  problems: Problems = new Problems(() => undefined),
): MutationController {
  return new MutationController({
    discovery: { resources: [configMaps], select },
    problems,
    excludedNamespaces: new Set(),
    since: '2026-01-01T00:00:00Z',
    writer: { depthOf: () => new Promise(() => undefined) },
  } as unknown as MutationOptions);
}

test('a policy that is deleted and created again during its work still mutates objects', async () => {
  const reads: ((resources: readonly never[]) => void)[] = [];
  const controller = controllerWith(() => new Promise((resolve) => reads.push(resolve)));
  const evaluated: unknown[] = [];
  const kyvernoOf = (version: string): Kyverno =>
    kyvernoWith(
      { actsWithoutTrigger: true, policy: { object: { spec: { version } } } },
      (mutator, find) => {
        (find as Find)({ name: 'target' });
        evaluated.push(mutator.policy.object['spec']);
        return [];
      },
    );
  controller.use(kyvernoOf('first'));
  await vi.waitFor(() => expect(reads).toHaveLength(1));
  controller.use(undefined);
  controller.use(kyvernoOf('second'));
  reads[0]?.([]);
  await vi.waitFor(() => expect(reads).toHaveLength(2));
  reads[1]?.([]);
  await controller.stop();
  expect(evaluated.at(-1)).toEqual({ version: 'second' });
});

test('returns the time of the oldest change that was not handled', () => {
  vi.useFakeTimers({ now: 1000 });
  try {
    const controller = controllerWith(() => Promise.resolve([]));
    controller.use(kyvernoWith({ actsWithoutTrigger: false, policy: { object: { spec: {} } } }));
    const watched: Watched = {
      role: 'mutation-trigger',
      resource: configMaps,
      namespace: '',
      labelSelector: '',
    };
    for (let number = 0; number < 3; number++) {
      vi.setSystemTime(1000 * (number + 1));
      const object: KubernetesObject = {
        metadata: { name: 'a', namespace: 'n', uid: `${number}` },
      };
      controller.changed(object, { isDeleted: false, isFirst: false, watched });
    }
    expect(controller.doneUntil).toBe(1000);
  } finally {
    vi.useRealTimers();
  }
});

test('gives up a change whose targets are different each time, and reports it', async () => {
  vi.useFakeTimers({ now: 1000 });
  try {
    const problems = new Problems(() => undefined);
    const controller = controllerWith(() => Promise.resolve([]), problems);
    let asked = 0;
    const spec = { actsWithoutTrigger: true, policy: { object: { spec: {} } } };
    controller.use(
      kyvernoWith(spec, (_, find) => {
        (find as Find)({ name: `target-${asked++}` });
        return [];
      }),
    );
    await vi.advanceTimersByTimeAsync(60_000);
    expect(controller.doneUntil).toBe(61_000);
    expect(problems.text).toContain('the targets differ each time they are evaluated');
  } finally {
    vi.useRealTimers();
  }
});

test('reports nothing about a policy that is deleted during its work', async () => {
  const problems = new Problems(() => undefined);
  let refuse: (error: Error) => void = () => undefined;
  const select = vi.fn(
    () =>
      new Promise<never>((_, reject) => {
        refuse = reject;
      }),
  );
  const controller = controllerWith(select, problems);
  const spec = { actsWithoutTrigger: true, policy: { object: { spec: {} } } };
  controller.use(
    kyvernoWith(spec, (_, find) => {
      (find as Find)({ name: 'target' });
      return [];
    }),
  );
  await vi.waitFor(() => expect(select).toHaveBeenCalled());
  controller.use(undefined);
  refuse(new Error('unavailable'));
  await vi.waitFor(() => expect(controller.length).toBe(0));
  await controller.stop();
  expect(problems.count).toBe(0);
});
