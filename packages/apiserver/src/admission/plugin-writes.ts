import type { PluginWrite } from '@kubeadmit/admission/plugins';
import { kindOfObject } from '@kubeadmit/apimachinery';
import { findResourceOfKind } from '@kubeadmit/schemas';
import { endpointOf, keyOf } from '../kinds/endpoint.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { metadataOf, nameOf } from '../objects/metadata.ts';

const turns: WeakMap<Machinery, Promise<unknown>> = new WeakMap();

/**
 * Runs one charge of quotas after another, each with the objects that the one before stored.
 *
 * @param run the charge; it is not started before all earlier ones have ended
 */
export async function inTurn<Result>(
  machinery: Machinery,
  run: () => Promise<Result>,
): Promise<Result> {
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

/** Stores what plugins write beside a request; returns whether all objects were as the plugins saw them. */
export async function storeWrites(
  { cluster, registry }: Machinery,
  writes: readonly PluginWrite[],
): Promise<boolean> {
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
    if (!written.done) return false;
  }
  return true;
}
