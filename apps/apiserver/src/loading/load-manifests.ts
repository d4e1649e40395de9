import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { ApiClient } from '@kubeadmit/apiserver';
import { listManifests } from '@kubeadmit/files';
import { readManifests, Source } from '@kubeadmit/manifest';
import { readText } from '../configuration/read-text.ts';
import { applyManifest, type ObjectPlace } from './apply-manifest.ts';
import { LoadError } from './load-error.ts';

/** A manifest and its position. */
interface LoadedManifest {
  readonly object: KubernetesObject;
  readonly title: string;
}

/** Kinds that others need, in this order before all others. */
const firstKinds: readonly string[] = ['CustomResourceDefinition', 'Namespace'];

/**
 * Applies the manifests of files and folders to a cluster, definitions and namespaces first.
 *
 * Rejects with a {@link LoadError} that lists the cluster's errors for each manifest.
 */
export async function loadManifests(
  client: ApiClient,
  paths: readonly string[],
): Promise<{ readonly applied: number }> {
  const manifests: LoadedManifest[] = [];
  for (const path of paths) {
    const before = manifests.length;
    const { files, problems } = listManifests([path]);
    if (problems.length > 0) {
      throw new LoadError(problems.map((each) => `${each.path}: ${each.message}`).join('\n'));
    }
    for (const file of files) manifests.push(...(await readFileManifests(file.path)));
    // As `kubectl apply` does; a server without its intended objects would give misleading answers.
    if (manifests.length === before) throw new LoadError(`${path}: no objects to load`);
  }
  manifests.sort((a, b) => rankOf(a.object) - rankOf(b.object));
  const problems: string[] = [];
  for (const { object, title } of manifests) {
    const problem = await applyOne(client, object);
    if (problem !== undefined) problems.push(`${title}: ${problem}`);
  }
  if (problems.length > 0) throw new LoadError(problems.join('\n'));
  return { applied: manifests.length };
}

async function readFileManifests(file: string): Promise<readonly LoadedManifest[]> {
  const { manifests, problems } = readManifests(new Source(file, await readText(file)));
  if (problems.length > 0) {
    throw new LoadError(problems.map(({ message }) => `${file}: ${message}`).join('\n'));
  }
  return manifests.map((manifest) => ({
    object: manifest.object,
    title: `${file}: ${manifest.title}`,
  }));
}

async function applyOne(client: ApiClient, object: KubernetesObject): Promise<string | undefined> {
  const place = await placeOf(client, object);
  if (typeof place === 'string') return place;
  const { status, object: answer } = await applyManifest(client, place, object);
  return status < 300 ? undefined : String(answer['message'] ?? status);
}

/** Returns the place of an object in the API, or a string with the reason if it has none. */
async function placeOf(client: ApiClient, object: KubernetesObject): Promise<ObjectPlace | string> {
  const apiVersion = String(object['apiVersion'] ?? '');
  const { name, namespace = 'default' } = (object['metadata'] ?? {}) as {
    readonly name?: string;
    readonly namespace?: string;
  };
  if (name === undefined) return 'the object has no name';
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const unknown = `no matches for kind "${object['kind']}" in version "${apiVersion}"`;
  const found = await client.ask({ method: 'GET', path: root });
  if (found.status !== 200) return unknown;
  const resources = found.object['resources'] as readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
  const resource = resources.find(
    (each) => each.kind === object['kind'] && !each.name.includes('/'),
  );
  if (!resource) return unknown;
  const home = resource.namespaced ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return { collection: `${root}${home}/${resource.name}`, name };
}

function rankOf({ kind }: KubernetesObject): number {
  const rank = firstKinds.indexOf(String(kind));
  return rank < 0 ? firstKinds.length : rank;
}
