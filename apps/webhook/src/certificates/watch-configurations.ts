import type { ApiClient } from '../cluster/api-client.ts';
import { Reflector } from '../cluster/reflector.ts';
import type { Log } from '../logging/log.ts';
import { configurationKinds, configurationPath } from './webhook-configurations.ts';

/**
 * Watches the webhook configurations with the given names, of both kinds, so that a lost authority is restored at
 * once.
 *
 * @returns a function that ends the watches
 */
export function watchConfigurations(
  client: ApiClient,
  names: readonly string[],
  changed: () => void,
  log: Log,
): () => void {
  const reflectors = names.flatMap((name) =>
    configurationKinds.map(({ resource, kind }) => {
      const path = `${configurationPath(resource)}?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
      const collection = { path, apiVersion: 'admissionregistration.k8s.io/v1', kind };
      return new Reflector(collection, client, { changed }, log);
    }),
  );
  for (const reflector of reflectors) void reflector.run();
  return () => {
    for (const reflector of reflectors) reflector.stop();
  };
}
