import { setTimeout as sleep } from 'node:timers/promises';
import {
  type JsonAnswer,
  type KubeClient,
  startKubeApiserver,
} from '@kubeadmit/apiserver-tools/kube-apiserver';
import type { JsonObject } from '../json-object.ts';
import { coreRule, validatingPolicy } from '../parts.ts';
import type { VersionCase } from './version-cases.ts';

/** The answer of a server of one version; missing if it does not serve the kind or rejects the object itself. */
export interface VersionAnswer {
  readonly id: string;
  readonly code: number;
  readonly message?: string;
  readonly warnings?: readonly string[];
}

const root = '/apis/admissionregistration.k8s.io';
const noticed = { code: 422 };

/** Asks a server, which is started and stopped, all cases with `dryRun=All`. */
export async function askVersion(
  program: string,
  cases: readonly VersionCase[],
): Promise<VersionAnswer[]> {
  const { client, stop } = await startKubeApiserver(program);
  try {
    const answers: VersionAnswer[] = [];
    for (const each of cases) {
      if (!('create' in each)) continue;
      const answer = await client.ask('POST', `${pathOf(each.create)}?dryRun=All`, each.create);
      if (answer.code !== 404) answers.push(answerOf(each.id, answer));
    }
    await storePolicies(client, cases);
    for (const each of cases) {
      if (!('request' in each)) continue;
      const answer = await send(client, each.request);
      if (isOfPolicies(answer)) answers.push(answerOf(each.id, answer));
    }
    return answers;
  } finally {
    await stop();
  }
}

function pathOf({ apiVersion, kind }: JsonObject): string {
  const version = String(apiVersion).split('/')[1] ?? '';
  return `${root}/${version}/${String(kind).toLowerCase().replace(/y$/, 'ie')}s`;
}

function answerOf(id: string, { code, body, warnings }: JsonAnswer): VersionAnswer {
  const told = warnings.filter((text) => text.startsWith('Validation failed for '));
  return {
    id,
    code,
    ...(code < 300 ? {} : { message: String(body['message'] ?? body['text'] ?? '') }),
    ...(told.length === 0 ? {} : { warnings: told }),
  };
}

// The server rejects an invalid object before it evaluates policies.
function isOfPolicies({ code, body }: JsonAnswer): boolean {
  return code < 300 || String(body['message']).includes('ValidatingAdmissionPolicy ');
}

async function storePolicies(client: KubeClient, cases: readonly VersionCase[]): Promise<void> {
  const stored = new Set<string>();
  const resources = cases.flatMap((each) => ('request' in each ? each.resources : []));
  for (const resource of [...resources, ...sentinel]) {
    const key = JSON.stringify(resource);
    if (stored.has(key)) continue;
    stored.add(key);
    await client.ask('POST', pathOf(resource), resource);
  }
  const object = { metadata: { name: 'sentinel', labels: { case: 'sentinel' } } };
  for (let attempt = 0; attempt < 200; attempt++) {
    const { code } = await client.ask('POST', `${configMaps}?dryRun=All`, object);
    if (code === noticed.code) break;
    await sleep(500);
  }
  await sleep(3000);
}

const configMaps = '/api/v1/namespaces/default/configmaps';

// The server notices the most recently created object last.
const sentinel: readonly JsonObject[] = validatingPolicy('sentinel', {
  matchConstraints: {
    ...coreRule(['configmaps'], ['CREATE']),
    objectSelector: { matchLabels: { case: 'sentinel' } },
  },
  validations: [{ expression: 'false' }],
});

function send(
  client: KubeClient,
  { resource, namespace, object }: JsonObject,
): Promise<JsonAnswer> {
  const { group, version, resource: plural } = resource as Record<string, string>;
  const start = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespace === undefined ? '' : `/namespaces/${String(namespace)}`;
  return client.ask('POST', `${start}${place}/${plural}?dryRun=All&fieldValidation=Ignore`, object);
}
