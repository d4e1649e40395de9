import type { PluginWrite } from '@kubeadmit/admission/plugins';
import { PluginPasses } from '@kubeadmit/admission/unstable-internal';
import { type KubernetesObject, kindOfObject, type Status } from '@kubeadmit/apimachinery';
import { readAttributes } from '@kubeadmit/engine';
import { findResource, findResourceOfKind } from '@kubeadmit/schemas';
import { ApiError } from '../errors/api-error.ts';
import { conflict, modifiedText } from '../errors/failures.ts';
import { type Endpoint, endpointOf, isCore, keyOf } from '../kinds/endpoint.ts';
import type { Exchange, Machinery } from '../machinery/machinery.ts';
import { metadataOf, nameOf } from '../objects/metadata.ts';
import { createObject } from '../registry/create-object.ts';
import { type AdmissionAttributes, admissionRequest } from './attributes.ts';

/** Runs all mutating plugins where no policy or webhook mutates; throws the refusal. */
export function runMutatingPlugins(
  exchange: Exchange,
  attributes: AdmissionAttributes,
): KubernetesObject | null {
  const passes = new PluginPasses(exchange.machinery.cluster.plugins, 'mutate');
  const request = readAttributes(admissionRequest(exchange, attributes));
  const before = passes.run('before', request);
  const after = before.denial === undefined ? passes.run('after', before.request) : before;
  report(exchange, passes, after.denial);
  return after.denial === undefined ? after.request.object : null;
}

/** Runs the validating plugins before policies and webhooks; throws the refusal. */
export function runPluginsBefore(exchange: Exchange, attributes: AdmissionAttributes): void {
  runValidating(exchange, attributes, 'before');
}

/** How often a charge is repeated when a quota has changed meanwhile. */
const chargeAttempts = 5;

/**
 * Runs the validating plugins after policies and webhooks and stores their writes, such as the usage of quotas; throws
 * the refusal.
 */
export async function runPluginsAfter(
  exchange: Exchange,
  attributes: AdmissionAttributes,
): Promise<void> {
  const writes = runValidating(exchange, attributes, 'after');
  if (writes.length === 0 || attributes.isDryRun) return;
  const { machinery } = exchange;
  await inTurn(machinery, async () => {
    for (let attempt = 1; attempt <= chargeAttempts; attempt++) {
      const current = runValidating(exchange, attributes, 'after');
      const changed = await storeWrites(machinery, current);
      if (changed === undefined) return;
      // Without the charge, the object would exceed the quota (resourcequota `checkQuotas`).
      if (attempt === chargeAttempts) throw conflict(changed.resource, changed.name, modifiedText);
      await machinery.cluster.caughtUp(await machinery.registry.store.revision());
    }
  });
}

function runValidating(
  exchange: Exchange,
  attributes: AdmissionAttributes,
  place: 'before' | 'after',
): readonly PluginWrite[] {
  const passes = new PluginPasses(exchange.machinery.cluster.plugins, 'validate');
  if (passes.isEmpty) return [];
  const request = readAttributes(admissionRequest(exchange, attributes));
  const { denial } = passes.run(place, request);
  return report(exchange, passes, denial);
}

function report(
  { warnings, annotations, machinery }: Exchange,
  passes: PluginPasses,
  denial: Status | undefined,
): readonly PluginWrite[] {
  const decision = passes.complete({ denial, object: null, warnings: [], trace: [] });
  for (const count of passes.counts) machinery.options.countPluginEvent?.(count);
  warnings.push(...decision.warnings);
  Object.assign(annotations, decision.auditAnnotations);
  if (denial !== undefined) throw new ApiError(denial);
  return decision.pluginWrites ?? [];
}

/** Creates the namespace of a new object if it is missing (plugin NamespaceAutoProvision). */
export async function provideNamespace(
  { machinery }: Exchange,
  { operation, namespace, isDryRun }: AdmissionAttributes,
): Promise<void> {
  const { cluster, registry } = machinery;
  if (operation !== 'CREATE' || namespace === '' || isDryRun) return;
  if (!cluster.plugins.set.names.has('NamespaceAutoProvision')) return;
  const resource = findResource(cluster.schemas, { ...core, resource: 'namespaces' });
  if (resource === undefined || cluster.namespaces.has(namespace)) return;
  await createObject(machinery, {
    endpoint: endpointOf(cluster.schemas, resource),
    namespace: '',
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    isDryRun,
    admit: async () => undefined,
  });
  await cluster.caughtUp(registry.lastWrite);
}

const core = { group: '', version: 'v1' } as const;

/** How often, and after how many milliseconds, a missing ServiceAccount is looked for again. */
const waiting = { attempts: 10, milliseconds: 100 } as const;

/**
 * Waits for the ServiceAccount `default` of a new pod's namespace, which a controller creates (plugin ServiceAccount
 * `getServiceAccount`).
 */
export async function awaitDefaultAccount(
  { machinery: { cluster, options } }: Exchange,
  { endpoint, operation, namespace, object }: AdmissionAttributes,
): Promise<void> {
  if (operation !== 'CREATE' || !isCore(endpoint, 'pods') || object === null) return;
  if (options.controllers === false || !cluster.plugins.set.names.has('ServiceAccount')) return;
  if (!cluster.namespaces.has(namespace)) return;
  for (let attempt = 1; attempt < waiting.attempts; attempt++) {
    if (cluster.plugins.cluster.get('serviceaccounts', namespace, 'default') !== undefined) return;
    await options.clock.sleep(waiting.milliseconds);
  }
}

const turns: WeakMap<Machinery, Promise<unknown>> = new WeakMap();

/**
 * Runs one charge of quotas after another, each with the objects that the one before stored.
 *
 * @param run the charge; it is not started before all earlier ones have ended
 */
async function inTurn<Result>(machinery: Machinery, run: () => Promise<Result>): Promise<Result> {
  const before = turns.get(machinery) ?? Promise.resolve();
  const own = before.then(async () => {
    await machinery.cluster.caughtUp(machinery.registry.lastWrite);
    return run();
  });
  turns.set(
    machinery,
    own.catch(() => undefined),
  );
  return own;
}

/** Stores the writes of plugins beside a request; returns the first object that is no longer as the plugins saw it. */
async function storeWrites(
  { cluster, registry }: Machinery,
  writes: readonly PluginWrite[],
): Promise<{ readonly resource: Endpoint['name']; readonly name: string } | undefined> {
  for (const { object } of writes) {
    const kind = kindOfObject(object);
    const resource = kind && findResourceOfKind(cluster.schemas, kind);
    if (resource === undefined) continue;
    const { namespace = '', resourceVersion } = metadataOf(object);
    const endpoint = endpointOf(cluster.schemas, resource);
    const key = keyOf(endpoint, namespace, nameOf(object));
    const written = await registry.put(endpoint, key, {
      object,
      expected: Number(resourceVersion),
    });
    if (!written.done) return { resource: endpoint.name, name: nameOf(object) };
  }
  return undefined;
}
