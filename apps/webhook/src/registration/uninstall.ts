import { configurationKinds, configurationPath } from '../certificates/webhook-configurations.ts';
import type { ApiClient } from '../cluster/api-client.ts';

/** Deletes the webhook configurations of a name; returns what was deleted, as in `RESOURCE/NAME`. */
export async function uninstall(client: ApiClient, name: string): Promise<readonly string[]> {
  const deleted: string[] = [];
  for (const resource of configurationKinds.keys()) {
    const path = `${configurationPath(resource)}/${name}`;
    if ((await client.find(path)) === undefined) continue;
    await client.remove(path);
    deleted.push(`${resource}/${name}`);
  }
  return deleted;
}
