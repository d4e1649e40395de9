import { configurationKinds, configurationPath } from '../certificates/webhook-configurations.ts';
import type { ApiClient } from '../cluster/api-client.ts';
import { registrationLease, setPaused } from './pause.ts';

/**
 * Deletes the webhook configurations of a name, and keeps running webhooks from writing them again. Returns the
 * actions taken, one line each.
 */
export async function uninstall(client: ApiClient, name: string): Promise<readonly string[]> {
  const done: string[] = [];
  for (const namespace of await setPaused(client, name, true)) {
    done.push(`registration paused (Lease ${namespace}/${registrationLease(name)})`);
  }
  for (const { resource } of configurationKinds) {
    const path = `${configurationPath(resource)}/${name}`;
    if ((await client.find(path)) === undefined) continue;
    await client.remove(path);
    done.push(`${resource}/${name} deleted`);
  }
  return done;
}
