import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { stringifyJson } from '@kubeadmit/go';
import { readManifests, Source } from '@kubeadmit/manifest';
import { type Random, words } from '@kubeadmit/random';
import { places } from './places.ts';

// Policies of published collections (the environment variable COLLECTION names a folder with some), asked
// about the resources beside them and about others, after small changes to both.

interface Found {
  readonly folder: string;
  readonly object: JsonObject;
}

interface Collection {
  readonly policies: readonly Found[];
  readonly resources: readonly Found[];
}

/** The text that identifies policies with signed manifests, which are not supported. */
const verifiesManifests = '"manifests":';

let collection: Collection | undefined;

function readCollection(): Collection {
  const root = process.env['COLLECTION'];
  if (root === undefined)
    throw new Error('COLLECTION must name a folder with policies and resources');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const objects = names
    .filter((name) => /\.ya?ml$/.test(name) && !/(^|\/)(\.git|kyverno-test|values)\b/.test(name))
    .sort()
    .flatMap((name) => {
      const { manifests } = readManifests(new Source(name, readFileSync(join(root, name), 'utf8')));
      // Tests are in separate folders beside the policies.
      const folder = dirname(name).replace(/\/\.[^/]*$/, '');
      return manifests.map(({ object }) => ({
        folder,
        object: JSON.parse(stringifyJson(object)) as JsonObject,
      }));
    });
  const isPolicy = ({ object }: Found): boolean =>
    /^(Cluster)?Policy$/.test(String(object['kind']));
  const resources = objects.filter(
    (found) => !isPolicy(found) && isObject(found.object['metadata']),
  );
  const policies = objects.filter(
    (found) => isPolicy(found) && !stringifyJson(found.object).includes(verifiesManifests),
  );
  return { policies, resources };
}

const odd: readonly unknown[] = [
  null,
  '',
  ...words('* ?* !* x nginx:latest 10 1Gi >1'),
  ...[true, false, 0, 1, 8080, 1.5, [], {}, ['x'], { a: 'b' }],
  ...words('default kube-system prod 100m 24h 2024-01-01T00:00:00Z'),
];

/** Changes some places of a value: drops, doubles or replaces values, also by values from elsewhere. */
function disturbed(random: Random, value: JsonObject, most: number): JsonObject {
  const copy = structuredClone(value);
  for (let times = random.below(most + 1); times > 0; times--) {
    const all = places(copy).filter(
      ([holder, key]) => holder !== copy || key === 'spec' || key === 'metadata',
    );
    if (all.length === 0) break;
    const [holder, key] = random.pick(all);
    const inner = holder[key];
    const change = random.below(8);
    if (change < 2) {
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
    } else if (change === 2 && Array.isArray(holder)) holder.push(structuredClone(inner));
    else if (change === 3) {
      const [other, name] = random.pick(all);
      holder[key] = structuredClone(other[name]);
    } else if (change < 6 && typeof inner === 'string') {
      holder[key] = random.pick([
        `${inner}x`,
        `*${inner}`,
        inner.slice(1),
        inner.toUpperCase(),
        `!${inner}`,
      ]);
    } else if (typeof inner === 'number')
      holder[key] = random.pick([inner + 1, -inner, String(inner), 0]);
    else if (typeof inner === 'boolean')
      holder[key] = random.pick<unknown>([!inner, String(inner)]);
    else holder[key] = structuredClone(random.pick(odd));
  }
  return copy;
}

/** A random case for `rules` with a policy of the collection. */
export function generateFromCollection(random: Random): object {
  collection ??= readCollection();
  const { policies, resources } = collection;
  const { folder, object: policy } = random.pick(policies);
  const beside = resources.filter((each) => each.folder === folder);
  const { object: resource } = random.pick(
    beside.length > 0 && random.chance(0.8) ? beside : resources,
  );
  const operation = random.pick(['CREATE', 'CREATE', 'CREATE', 'UPDATE', 'DELETE']);
  return {
    policies: [random.chance(0.6) ? policy : disturbed(random, policy, 2)],
    resource: disturbed(random, resource, 3),
    operation,
    ...(operation === 'UPDATE' && random.chance(0.7)
      ? { oldResource: disturbed(random, resource, 2) }
      : {}),
    ...random.some({
      userInfo: [
        0.3,
        () => ({ username: random.pick(['alice', 'system:serviceaccount:ci:b']), groups: ['g'] }),
      ],
      namespaceLabels: [0.3, () => ({ team: 'a', 'kubernetes.io/metadata.name': 'default' })],
      clusterRoles: [0.1, () => ['cluster-admin']],
      cluster: [0.3, () => true],
      context: [0.6, () => ({ configmaps: [] })],
    }),
  };
}
