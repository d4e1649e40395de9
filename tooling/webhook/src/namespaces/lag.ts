import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, ApiServer } from '../server/api-server.ts';

/** How many objects were accepted although a policy about their namespace denies them. */
export interface Lag {
  readonly side: 'native' | 'webhook';
  readonly change: 'new namespace' | 'new label';
  readonly rounds: number;
  readonly accepted: number;
}

type Server = Pick<ApiServer, 'ask'>;

const native = '/apis/admissionregistration.k8s.io/v1';
const namespaces = '/api/v1/namespaces';
// As long as kube-apiserver and the webhook need to know a namespace for sure.
const settleMilliseconds = 1_000;

/** Creates and labels namespaces, and at once creates an object in each, which a policy denies. */
export async function measureNamespaceLag(server: Server, rounds: number): Promise<readonly Lag[]> {
  await createNativePolicy(server);
  const lags: Lag[] = [];
  for (const side of ['native', 'webhook'] as const) {
    await untilDenied(server, side);
    const labels = { guarded: side };
    let accepted = 0;
    for (let round = 0; round < rounds; round++) {
      const name = `new-${side}-${round}`;
      await create(server, namespaces, { ...namespace(name), metadata: { name, labels } });
      if (await isAccepted(server, name)) accepted++;
    }
    lags.push({ side, change: 'new namespace', rounds, accepted });
  }
  // The sides take turns, so that both meet the same load.
  const counts = { native: 0, webhook: 0 };
  for (const side of ['native', 'webhook'] as const) {
    for (let round = 0; round < rounds; round++) {
      await create(server, namespaces, namespace(`old-${side}-${round}`));
    }
  }
  await sleep(settleMilliseconds);
  for (let round = 0; round < rounds; round++) {
    for (const side of ['native', 'webhook'] as const) {
      const name = `old-${side}-${round}`;
      await label(server, name, side);
      if (await isAccepted(server, name)) counts[side]++;
    }
  }
  for (const side of ['native', 'webhook'] as const) {
    lags.push({ side, change: 'new label', rounds, accepted: counts[side] });
  }
  return lags;
}

async function createNativePolicy(server: Server): Promise<void> {
  const name = 'native';
  const resourceRules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
  ];
  await create(server, `${native}/validatingadmissionpolicies`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: {
        namespaceSelector: { matchLabels: { guarded: 'native' } },
        resourceRules,
      },
      validations: [{ expression: 'false' }],
    },
  });
  await create(server, `${native}/validatingadmissionpolicybindings`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  });
}

async function untilDenied(server: Server, side: Lag['side']): Promise<void> {
  const name = `ready-${side}`;
  await create(server, namespaces, {
    ...namespace(name),
    metadata: { name, labels: { guarded: side } },
  });
  for (let attempt = 0; attempt < 300; attempt++) {
    if (!(await isAccepted(server, name))) return;
    await sleep(200);
  }
  throw new Error(`the policy of the ${side} side never denied`);
}

function namespace(name: string): Record<string, unknown> {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

async function create(server: Server, path: string, body: unknown): Promise<void> {
  const { code, body: answer } = await server.ask({ method: 'POST', path, body });
  if (code !== 201) throw new Error(`${path}: ${code} ${String(answer['message'])}`);
}

async function label(server: Server, name: string, side: string): Promise<void> {
  const { code } = await server.ask({
    method: 'PATCH',
    path: `${namespaces}/${name}`,
    contentType: 'application/merge-patch+json',
    body: { metadata: { labels: { guarded: side } } },
  });
  if (code !== 200) throw new Error(`${name}: ${code}`);
}

/** Whether a ConfigMap is accepted in a namespace. */
async function isAccepted(server: Server, name: string): Promise<boolean> {
  const answer: Answer = await server.ask({
    method: 'POST',
    path: `${namespaces}/${name}/configmaps?dryRun=All`,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'denied' } },
  });
  if (answer.code === 201) return true;
  if (/denied|forbidden/.test(String(answer.body['message']))) return false;
  throw new Error(`${answer.code} ${String(answer.body['message'])}`);
}
