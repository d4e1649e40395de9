import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import {
  type JsonObject,
  type KubernetesObject,
  member,
  memberList,
} from '@kubeadmit/apimachinery';
import { certificatesIn } from '@kubeadmit/certificates';
import {
  bundleIn,
  configurationKinds,
  configurationPath,
} from '../certificates/webhook-configurations.ts';
import type { ApiClient } from '../cluster/api-client.ts';
import { ApiError } from '../cluster/api-error.ts';

/** A report on a registration in lines, and whether it has a problem. */
export interface RegistrationStatus {
  readonly lines: readonly string[];
  readonly hasProblem: boolean;
}

interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
}

const urlMilliseconds = 5_000;
const dayMilliseconds = 86_400_000;

/** Reads the webhook configurations of a name, and whether their webhooks are reachable, ready and trusted. */
export async function registrationStatus(
  client: ApiClient,
  name: string,
  now: number,
): Promise<RegistrationStatus> {
  const lines: string[] = [];
  const services = new Map<string, ServiceReference>();
  let hasProblem = false;
  let hasWebhook = false;
  for (const { resource, kind } of configurationKinds) {
    const configuration = await client.find(`${configurationPath(resource)}/${name}`);
    if (configuration === undefined) {
      lines.push(`${kind}/${name}: not registered`);
      continue;
    }
    for (const webhook of memberList(configuration, 'webhooks') as readonly JsonObject[]) {
      hasWebhook = true;
      const trust = trustOf(webhook, now);
      hasProblem ||= trust.isProblem;
      lines.push(`${kind}/${name}: ${String(webhook['name'])}`);
      lines.push(`  failure policy  ${String(webhook['failurePolicy'])}`);
      lines.push(`  matches         ${rulesText(webhook)}`);
      lines.push(`  authority       ${trust.text}`);
      const service = member(webhook['clientConfig'], 'service') as ServiceReference | undefined;
      if (service === undefined) {
        const url = String(member(webhook['clientConfig'], 'url'));
        const problem = await urlProblem(url, webhook);
        hasProblem ||= problem !== '';
        lines.push(`  calls           ${url}`);
        lines.push(`  reachable       ${problem === '' ? 'yes' : `no: ${problem}`}`);
      } else {
        lines.push(`  calls           Service ${service.namespace}/${service.name}`);
        services.set(`${service.namespace}/${service.name}`, service);
      }
    }
  }
  if (!hasWebhook) hasProblem = true;
  for (const service of services.values()) {
    const reached = await serviceStatus(client, service);
    lines.push(...reached.lines);
    hasProblem ||= reached.hasProblem;
  }
  return { lines, hasProblem };
}

function rulesText(webhook: JsonObject): string {
  const rules = memberList(webhook, 'rules').map((rule) => {
    const [groups, resources, operations] = ['apiGroups', 'resources', 'operations'].map((field) =>
      memberList(rule, field).map(String),
    );
    const group = groups?.filter((each) => each !== '').join(',') ?? '';
    return `${operations?.join(',')} ${resources?.join(',')}${group === '' ? '' : ` (${group})`}`;
  });
  return rules.join('; ');
}

function trustOf(
  webhook: JsonObject,
  now: number,
): { readonly text: string; readonly isProblem: boolean } {
  const certificates = certificatesIn(bundleIn(webhook));
  if (certificates.length === 0) {
    return { text: 'no caBundle (kube-apiserver uses its system certificates)', isProblem: false };
  }
  const ends = certificates.map((each) => Date.parse(new X509Certificate(each).validTo));
  const days = Math.floor((Math.max(...ends) - now) / dayMilliseconds);
  return days < 0
    ? { text: `expired ${-days} days ago`, isProblem: true }
    : {
        text: `${certificates.length} in caBundle, the last one expires in ${days} days`,
        isProblem: false,
      };
}

// Any answer is sufficient, since no review is sent.
function urlProblem(url: string, webhook: JsonObject): Promise<string> {
  const ca = bundleIn(webhook);
  return new Promise((resolve) => {
    const options = { method: 'GET', timeout: urlMilliseconds, ...(ca === '' ? {} : { ca }) };
    const call = request(url, options, (response) => {
      response.destroy();
      resolve('');
    });
    call.once('timeout', () => call.destroy(new Error('no response')));
    call.once('error', (error) => resolve(error.message));
    call.end();
  });
}

// The metrics port of a Service has the readiness of one replica.
async function serviceStatus(
  client: ApiClient,
  { namespace, name }: ServiceReference,
): Promise<RegistrationStatus> {
  const title = `Service ${namespace}/${name}`;
  try {
    const selector = encodeURIComponent(`kubernetes.io/service-name=${name}`);
    const list = await client.find(
      `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=${selector}`,
    );
    const slices = memberList(list, 'items') as readonly KubernetesObject[];
    const endpoints = slices.flatMap((slice) => memberList(slice, 'endpoints'));
    const ready = endpoints.filter(
      (endpoint) => member(member(endpoint, 'conditions'), 'ready') === true,
    );
    const lines = [`${title}: ${ready.length} of ${endpoints.length} replicas ready`];
    if (ready.length === 0) return { lines, hasProblem: true };
    const path = `/api/v1/namespaces/${namespace}/services/http:${name}:metrics/proxy/readyz?verbose`;
    const text = await client.ask(path).catch((error: unknown) => problemOf(error));
    const checks = text
      .trim()
      .split('\n')
      .map((line) => `  ${line}`);
    const hasProblem = !checks.some((line) => line.endsWith('check passed'));
    return { lines: [...lines, ...checks], hasProblem };
  } catch (error) {
    return { lines: [`${title}: ${problemOf(error)}`], hasProblem: true };
  }
}

function problemOf(error: unknown): string {
  return error instanceof ApiError ? error.message : String(error);
}
