import { readFileSync } from 'node:fs';
import { checkDefinition, mutateRequest, plainJson } from '@kubeadmit/admission';
import type { JsonObject, KubernetesObject } from '@kubeadmit/apimachinery';
import { loadChain, readRequest } from '@kubeadmit/chain';
import { makeRequest, userInfo } from '@kubeadmit/chain/requests';
import type { ManifestObject } from '@kubeadmit/manifest';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';

interface Seen {
  readonly name?: string;
  readonly namespace?: string;
  readonly object: JsonObject;
}

/**
 * The reviews that kube-apiserver 1.37 sent to a mutating and a validating webhook when a client created the
 * manifest.
 */
interface Recorded {
  readonly manifest: ManifestObject;
  readonly mutate: Seen;
  readonly validate: Seen;
}

const file = new URL('real-reviews.ndjson', import.meta.url);
const recorded = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

const schemas = await loadSchemas();
const chain = await loadChain({ resources: [], schemas, clock: () => 1_000_000_000_000 });

test.each(
  recorded.map((each) => {
    const { name, generateName } = each.manifest.metadata as Record<string, string>;
    return { ...each, title: `${each.manifest.kind} ${name ?? generateName}` };
  }),
)('policies see a new $title as kube-apiserver sends it', ({ manifest, mutate, validate }) => {
  const [version = '', group = ''] = manifest.apiVersion.split('/').reverse();
  const { name = '', namespace = '' } = manifest.metadata as Record<string, string>;
  const subject = { group, version, kind: manifest.kind, name, namespace, title: '' };
  const made = makeRequest({ ...subject, object: manifest }, 1, {
    user: userInfo({ name: 'admin' }),
    namespace: 'default',
    operation: 'CREATE',
    subresource: '',
    dryRun: false,
    schemas,
    oldObjectOf: () => undefined,
  });
  if ('problem' in made) throw new Error(made.problem);
  const read = readRequest(chain, made.request, { isOfClient: true });
  if ('failure' in read) throw new Error(read.failure);
  const { prepared } = read;
  const { attributes } = prepared;
  expect(seen(attributes, attributes.object)).toEqual(expected(mutate));
  const { object } = checkDefinition(prepared, mutateRequest(prepared).object);
  expect(seen({ ...attributes, name: nameOf(object) }, object)).toEqual(expected(validate));
});

function seen(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  object: KubernetesObject | null,
): unknown {
  return withoutRandom({ name, namespace, object: plainJson(object) });
}

function expected({ name = '', namespace = '', object }: Seen): unknown {
  return withoutRandom({ name, namespace, object });
}

function nameOf(object: KubernetesObject | null): string {
  return String((object?.['metadata'] as JsonObject | undefined)?.['name'] ?? '');
}

// Uids, times, generated names, addresses and node ports differ from server to server.
function withoutRandom(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/("name":"[^"]*-)[a-z0-9]{5}"/g, '$1SUFFIX"')
    .replaceAll(/10\.0\.0\.\d+/g, 'ADDRESS')
    .replaceAll(/"nodePort":\d+/g, '"nodePort":"PORT"');
  return JSON.parse(text);
}
