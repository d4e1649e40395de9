import { ApiClient } from '../cluster/api-client.ts';
import type { ClusterAccess } from '../cluster/cluster-access.ts';
import type { Metrics } from '../operation/metrics.ts';
import type { ImageSettings } from './image-settings.ts';
import { LiveImages } from './live-images.ts';
import { RegistryCredentials } from './registry-credentials.ts';

/**
 * Opens the images of registries.
 *
 * @throws Error for an invalid trust root
 */
export async function openImages(
  settings: ImageSettings,
  cluster: ClusterAccess | undefined,
  metrics: Metrics,
): Promise<LiveImages> {
  const { registryConfig: file, pullSecrets: secrets } = settings;
  const isRead = secrets.length > 0 && cluster !== undefined;
  const client = isRead ? await ApiClient.open(cluster) : undefined;
  const now = (): number => performance.now();
  const credentials = new RegistryCredentials({ file, secrets, client, now });
  return new LiveImages(settings, (host) => credentials.find(host), {
    fetched: (kind, result, seconds) => metrics.fetchedImage(kind, result, seconds),
    recalled: (isHit) => metrics.recalledImage(isHit),
  });
}
