import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  GenerationController,
  type GenerationOptions,
} from '../src/background/generation-controller.ts';
import { Problems } from '../src/background/problems.ts';
import { TtlController, type TtlOptions } from '../src/background/ttl-controller.ts';
import type { Watched, WatchRole } from '../src/background/watches.ts';

type Kyverno = NonNullable<Parameters<GenerationController['use']>[0]>;

const hour = 3_600_000;
const start = Date.parse('2026-01-01T00:00:00Z');

const resourceOf = (kind: string, resource: string) => ({
  ...{ group: '', version: 'v1', kind, resource, apiVersion: 'v1', isNamespaced: true },
  ...{ path: `/api/v1/${resource}`, verbs: new Set(['list', 'watch', 'delete']) },
});
const configMaps = resourceOf('ConfigMap', 'configmaps');
const secrets = resourceOf('Secret', 'secrets');

const watched = (role: WatchRole, resource: Watched['resource']): Watched => ({
  ...{ role, resource, namespace: '', labelSelector: '' },
});

/** A policy that makes a ConfigMap with its name, of sources of a kind or of none. */
const generator = (name: string, source: string): object => ({
  key: `ClusterPolicy/${name}`,
  name,
  namespace: '',
  policy: { object: { metadata: { name } } },
  rules: new Map([['rule', { isSynchronized: true, generatesExisting: true }]]),
  mayTrigger: () => true,
  sources: source === '' ? [] : [{ matches: ({ kind }: Watched['resource']) => kind === source }],
  mayGenerate: () => false,
});

const trigger: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'trigger', namespace: 'shop', uid: 'u' },
};

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});

afterEach(() => {
  vi.useRealTimers();
});

test('a source that cannot be read stops the rules that clone it, and no others', async () => {
  const created: string[] = [];
  const problems = new Problems(() => undefined);
  let unread: readonly Watched[] = [watched('source', secrets)];
  const controller = new GenerationController({
    writer: {
      depthOf: () => Promise.resolve(0),
      create({ object }: { readonly object: KubernetesObject }) {
        created.push(String((object['metadata'] as { readonly name: unknown }).name));
        return Promise.resolve(object);
      },
    },
    discovery: { resources: [configMaps], find: () => Promise.resolve(configMaps) },
    watches: { isSynced: true, unread: () => unread, read: () => [] },
    problems,
    excludedNamespaces: new Set(),
    isPolicyDeleted: () => Promise.resolve(false),
    needsWatches: () => undefined,
  } as unknown as GenerationOptions);
  controller.use({
    generators: [generator('plain', ''), generator('clones', 'Secret')],
    wanted: ({ name }: { readonly name: string }) => [
      {
        rule: 'rule',
        extent: 'exact',
        objects: [{ ...trigger, metadata: { name, namespace: 'shop' } }],
        problem: '',
      },
    ],
  } as unknown as Kyverno);
  controller.changed(trigger, {
    isDeleted: false,
    isFirst: true,
    watched: watched('trigger', configMaps),
  });
  await vi.advanceTimersByTimeAsync(100);
  expect(created).toEqual(['plain']);
  expect(problems.text).toContain('cannot read the sources in /api/v1/secrets');
  unread = [];
  await vi.advanceTimersByTimeAsync(hour);
  expect(created).toEqual(['plain', 'clones']);
  expect(problems.count).toBe(0);
  await controller.stop();
});

test('repeats the work for a deletion until its objects are known', async () => {
  const created: string[] = [];
  const problems = new Problems(() => undefined);
  const made = { ...trigger, metadata: { name: 'made', namespace: 'shop' } };
  const controller = new GenerationController({
    writer: {
      depthOf: () => Promise.resolve(0),
      create({ object }: { readonly object: KubernetesObject }) {
        created.push(String((object['metadata'] as { readonly name: unknown }).name));
        return Promise.resolve(object);
      },
    },
    discovery: { resources: [configMaps], find: () => Promise.resolve(configMaps) },
    watches: {
      isSynced: true,
      unread: () => [],
      read: () => [{ watched: watched('trigger', configMaps), objects: [] }],
    },
    problems,
    excludedNamespaces: new Set(),
    isPolicyDeleted: () => Promise.resolve(false),
    needsWatches: () => undefined,
  } as unknown as GenerationOptions);
  const rules = new Map([['rule', { isSynchronized: false, generatesOnDelete: true }]]);
  let isKnown = false;
  controller.use({
    generators: [{ ...generator('plain', ''), rules }],
    wanted: () => [
      isKnown
        ? { rule: 'rule', extent: 'exact', objects: [made], problem: '' }
        : { rule: 'rule', extent: 'unknown', objects: [], problem: 'source not found' },
    ],
  } as unknown as Kyverno);
  const change = { isFirst: false, watched: watched('trigger', configMaps) };
  controller.changed(trigger, { ...change, isDeleted: true });
  await vi.advanceTimersByTimeAsync(100);
  expect(problems.text).toContain('source not found');
  isKnown = true;
  await vi.advanceTimersByTimeAsync(hour / 60);
  expect(created).toEqual(['made']);
  expect(problems.count).toBe(0);
  await vi.advanceTimersByTimeAsync(hour);
  expect(created).toEqual(['made']);
  await controller.stop();
});

test('does not delete an object whose kind is no longer watched when its time is up', async () => {
  const deleted: string[] = [];
  const controller = new TtlController({
    writer: {
      delete({ resource }: { readonly resource: Watched['resource'] }) {
        deleted.push(resource.kind);
        return Promise.resolve();
      },
    },
    discovery: { resources: [configMaps, secrets] },
    problems: new Problems(() => undefined),
    excludedNamespaces: new Set(),
  } as unknown as TtlOptions);
  for (const resource of [configMaps, secrets]) {
    const metadata = {
      name: 'a',
      namespace: 'shop',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'cleanup.kyverno.io/ttl': '30m' },
    };
    controller.changed(
      { ...trigger, kind: resource.kind, metadata },
      { isDeleted: false, isFirst: true, watched: watched('expiring', resource) },
    );
  }
  await vi.advanceTimersByTimeAsync(hour / 4);
  controller.retain([watched('expiring', configMaps)]);
  await vi.advanceTimersByTimeAsync(hour);
  expect(deleted).toEqual(['ConfigMap']);
  await controller.stop();
});
