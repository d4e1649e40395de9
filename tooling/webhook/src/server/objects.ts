import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import type { ApiServer } from './api-server.ts';
import { namespaces, webhookNames } from './comparable.ts';
import { isObject, type JsonObject } from './json.ts';

/** Reads the objects of a folder of manifests. */
export function readObjects(folder: string): readonly JsonObject[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')))
    .map((document) => document.toJS() as JsonObject);
}

/** Returns the objects of one side: its namespace and the objects in it. */
export function objectsOf(
  side: keyof typeof namespaces,
  objects: readonly JsonObject[],
): readonly JsonObject[] {
  const namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespaces[side], labels: { tier: 'gold', side } },
  };
  const placed = objects.map(
    (object) =>
      JSON.parse(
        JSON.stringify(object).replaceAll('"NAMESPACE"', `"${namespaces[side]}"`),
      ) as JsonObject,
  );
  return [namespace, ...placed];
}

/** Whether an object is a policy or a binding. */
export function isPolicy({ kind }: JsonObject): boolean {
  return /AdmissionPolicy/.test(String(kind));
}

/** A policy as one of the group of which the webhook brings definitions. */
export function asOwn(object: JsonObject): JsonObject {
  return { ...object, apiVersion: 'policies.kubeadmit.dev/v1' };
}

/** Limits a binding to the namespaces of a side. */
export function boundTo(side: keyof typeof namespaces, object: JsonObject): JsonObject {
  const { spec } = object;
  if (!String(object['kind']).endsWith('Binding') || !isObject(spec)) return object;
  const { matchResources } = spec;
  const namespaceSelector = { matchLabels: { side } };
  const limited = { ...(isObject(matchResources) ? matchResources : {}), namespaceSelector };
  return { ...object, spec: { ...spec, matchResources: limited } };
}

const collections: Readonly<Record<string, string>> = {
  Namespace: '/api/v1/namespaces',
  ConfigMap: '/api/v1/namespaces/NAMESPACE/configmaps',
  CustomResourceDefinition: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  ValidatingAdmissionPolicy: '/apis/GROUP/v1/validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: '/apis/GROUP/v1/validatingadmissionpolicybindings',
  MutatingAdmissionPolicy: '/apis/GROUP/v1/mutatingadmissionpolicies',
  MutatingAdmissionPolicyBinding: '/apis/GROUP/v1/mutatingadmissionpolicybindings',
  ValidatingWebhookConfiguration: '/apis/GROUP/v1/validatingwebhookconfigurations',
  MutatingWebhookConfiguration: '/apis/GROUP/v1/mutatingwebhookconfigurations',
};

/** Creates objects, and fails when the server refuses one; existing ones stay. */
export async function create(server: ApiServer, objects: readonly JsonObject[]): Promise<void> {
  for (const object of objects) {
    const { metadata, kind, apiVersion } = object;
    const namespace = isObject(metadata) ? String(metadata['namespace'] ?? '') : '';
    const path = (collections[String(kind)] ?? '')
      .replace('NAMESPACE', namespace)
      .replace('GROUP', String(apiVersion).split('/')[0] ?? '');
    const { code, body } = await server.ask({ method: 'POST', path, body: object });
    if (code >= 300 && code !== 409) throw new Error(`${kind}: ${JSON.stringify(body)}`);
  }
}

/** The two configurations that register the webhook for the namespace of its side. */
export function configurations(port: number, caBundle: string): readonly JsonObject[] {
  return (['mutate', 'validate'] as const).map((step) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: step === 'mutate' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
    metadata: { name: webhookNames[step] },
    webhooks: [
      {
        name: webhookNames[step],
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        timeoutSeconds: 10,
        ...(step === 'mutate' ? { reinvocationPolicy: 'Never' } : {}),
        namespaceSelector: { matchLabels: { side: 'webhook' } },
        clientConfig: { url: `https://127.0.0.1:${port}/${step}`, caBundle },
        rules: [
          {
            apiGroups: ['*'],
            apiVersions: ['*'],
            operations: ['*'],
            resources: ['*/*'],
            scope: '*',
          },
        ],
      },
    ],
  }));
}

/** Waits until the policies of the server and the configurations are active: both refuse invalid objects. */
export async function untilActing(
  server: ApiServer,
  sides: readonly (keyof typeof namespaces)[],
): Promise<void> {
  for (const side of sides) {
    const namespace = namespaces[side];
    for (let attempt = 0; ; attempt++) {
      const { code } = await server.ask({
        method: 'POST',
        path: `/api/v1/namespaces/${namespace}/configmaps?dryRun=All`,
        body: { metadata: { name: 'probe' }, data: { 'a-key-that-is-long': 'x' } },
      });
      if (code === 413) break;
      if (attempt > 200) throw new Error(`nothing acts in ${namespace}`);
      await sleep(200);
    }
  }
  // Those that were made last need no longer than those that were found to act.
  await sleep(3_000);
}
