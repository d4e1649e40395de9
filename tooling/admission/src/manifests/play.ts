import { parseArgs } from 'node:util';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { Random } from '@kubeadmit/random';
import { withFolder } from '@kubeadmit/test-support';
import { checkFolder, writeManifests } from './check-program.ts';
import { type Cluster, type Sent, withCluster } from './cluster.ts';
import { definitions, type MadeManifest, makeManifest } from './manifests.ts';
import { makePolicies, parameters } from './policies.ts';
import { Tally } from './tally.ts';
import { policyWarnings } from './verdict.ts';

// Compares the verdicts of `kubeadmit check` on random manifests with those of a kube-apiserver that has the same
// policies. The requests are creations, updates and deletions with dryRun=All, and `kubectl apply --dry-run=server`.

const usage = `usage: SERVER=program KUBECTL=program play-manifests [--count N] [--policies N] [--seed N] [--limit N]`;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    policies: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    limit: { type: 'string', default: '10' },
  },
});

const namespaces: readonly KubernetesObject[] = ['default', 'shop'].map((name) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    labels: {
      'kubernetes.io/metadata.name': name,
      ...(name === 'shop' ? { team: 'shop' } : {}),
    },
  },
}));

/** Kinds with a status that kube-apiserver itself writes after it stored an object. */
const written: ReadonlySet<string> = new Set([
  ...['CustomResourceDefinition', 'FlowSchema', 'PriorityLevelConfiguration', 'APIService'],
]);

/** How many manifests one `kubectl apply` gets: the less, the better its warnings can be assigned. */
const applied = 25;

async function play(cluster: Cluster, folder: string): Promise<number> {
  const random = new Random(Number(values.seed));
  const policies = makePolicies(random, Number(values.policies));
  const made = Array.from({ length: Number(values.count) }, (_, number) =>
    inNamespace(random, makeManifest(random, number)),
  );
  const surroundings = [...namespaces, ...definitions, ...parameters];
  const stated = writeManifests(`${folder}/policies`, [...surroundings, ...policies]);
  const tally = new Tally(Number(values.limit));
  const compare = async (
    operation: string,
    sent: readonly Sent[],
    options: readonly string[] = [],
  ): Promise<void> => {
    const verdicts = sent.map(({ answer }) => cluster.verdictOf(answer));
    if (verdicts.every((server) => server === undefined)) {
      throw new Error(`the server evaluated no policy for any ${operation}`);
    }
    const objects = sent.map(({ object }) => object);
    const manifests = writeManifests(`${folder}/${operation}`, objects);
    const verdictOf = await checkFolder(stated, manifests, options);
    sent.forEach(({ object }, number) => {
      const server = verdicts[number];
      if (server === undefined) tally.skip();
      else tally.add(operation, object, server, verdictOf(number));
    });
  };

  await cluster.store(surroundings.slice(1));
  await cluster.addPolicies(policies);
  const created = await cluster.sendAll('POST', made);
  await compare('CREATE', created);
  const valid = created.filter(({ answer }) => cluster.verdictOf(answer) !== undefined);
  await compareApply(cluster, tally, { folder, stated, valid });

  await cluster.removeBindings(policies);
  const stored = (await cluster.storeManifests(made)).filter(
    ({ object }) => !written.has(String(object['kind'])),
  );
  await cluster.addBindings(policies);
  const old = stored.map(withoutStatus);
  const changes = old.map(({ object, ...rest }) => ({ ...rest, object: changed(random, object) }));
  const oldFolder = writeManifests(
    `${folder}/old`,
    old.map(({ object }) => object),
  );
  const updates = await cluster.sendAll('PUT', changes);
  await compare('UPDATE', updates, ['--operation', 'UPDATE', '--old-resource', oldFolder]);
  await compare('DELETE', await cluster.sendAll('DELETE', old), ['--operation', 'DELETE']);
  return tally.report();
}

/** kubectl prints the warnings of all objects together, each text once. */
async function compareApply(
  cluster: Cluster,
  tally: Tally,
  given: { readonly folder: string; readonly stated: string; readonly valid: readonly Sent[] },
): Promise<void> {
  const { folder, stated, valid } = given;
  const objects = valid.map(({ object }) => withLastApplied(object));
  const manifests = writeManifests(`${folder}/apply`, objects);
  const verdictOf = await checkFolder(stated, manifests, []);
  for (let start = 0; start < valid.length; start += applied) {
    const some = valid.slice(start, start + applied);
    const own = some.map((_, index) => verdictOf(start + index));
    const list = { apiVersion: 'v1', kind: 'List', items: some.map(({ object }) => object) };
    const lines = await cluster.apply(`${folder}/list.json`, list);
    const title = `apply of ${start} to ${start + some.length - 1}`;
    tally.addTexts(
      title,
      policyWarnings(lines.flatMap((line) => /^Warning: (.*)$/.exec(line)?.[1] ?? [])),
      own.flatMap(({ warnings }) => warnings),
    );
    const denials = lines.filter((line) => /^(?!Warning).* denied request: /.test(line)).length;
    const ownDenials = own.filter(({ denial }) => denial !== '').length;
    tally.addTexts(`denials in the ${title}`, [`${denials}`], [`${ownDenials}`]);
  }
}

// A stored object has no status from its creator where the status is a subresource.
function withoutStatus(manifest: MadeManifest): MadeManifest {
  const { status: _, ...rest } = manifest.object;
  const keeps = ['Node', 'Gadget'].includes(String(rest['kind']));
  return keeps ? manifest : { ...manifest, object: rest };
}

function inNamespace(random: Random, manifest: MadeManifest): MadeManifest {
  const { object, namespaced } = manifest;
  if (!namespaced) return manifest;
  const metadata = object['metadata'] as Readonly<Record<string, unknown>>;
  const namespace = metadata['namespace'] ?? random.pick(['default', 'shop']);
  return { ...manifest, object: { ...object, metadata: { ...metadata, namespace } } };
}

function changed(random: Random, object: KubernetesObject): KubernetesObject {
  const metadata = object['metadata'] as Readonly<Record<string, unknown>>;
  const labels = { ...(metadata['labels'] as object), changed: random.pick(['a', 'b']) };
  const spec = object['spec'] as Readonly<Record<string, unknown>> | undefined;
  const isScaled =
    random.chance(0.5) && ['Deployment', 'StatefulSet'].includes(String(object['kind']));
  return {
    ...object,
    metadata: { ...metadata, labels },
    ...(isScaled ? { spec: { ...spec, replicas: 7 } } : {}),
  };
}

function withLastApplied(object: KubernetesObject): KubernetesObject {
  const metadata = object['metadata'] as Readonly<Record<string, unknown>>;
  const annotations = {
    ...(metadata['annotations'] as object),
    'kubectl.kubernetes.io/last-applied-configuration': '{}',
  };
  return { ...object, metadata: { ...metadata, annotations } };
}

const [server = '', kubectl = ''] = [process.env['SERVER'], process.env['KUBECTL']];

if (server === '' || kubectl === '') {
  console.error(usage);
  process.exitCode = 2;
} else {
  await withFolder((folder) =>
    withCluster({ server, kubectl, folder }, async (cluster) => {
      process.exitCode = (await play(cluster, folder)) === 0 ? 0 : 1;
    }),
  );
}
