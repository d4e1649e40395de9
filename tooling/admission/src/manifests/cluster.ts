import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import {
  type JsonAnswer,
  type KubeApiserver,
  startKubeApiserver,
} from '@kubeadmit/apiserver-tools/kube-apiserver';
import { readLines } from '@kubeadmit/test-support';
import type { MadeManifest } from './manifests.ts';
import { policyWarnings, serverVerdict, type Verdict } from './verdict.ts';

/** A manifest with the server's answer to the request about it. */
export interface Sent extends MadeManifest {
  readonly answer: JsonAnswer;
}

interface Programs {
  readonly server: string;
  readonly kubectl: string;
  /** For the audit log. */
  readonly folder: string;
}

interface AuditEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

// The plugins that need controllers or nodes; the other default plugins stay on.
const plugins = 'ServiceAccount,TaintNodesByCondition,Priority,DefaultTolerationSeconds';

/** Starts a kube-apiserver, and stops it after its use. */
export async function withCluster(
  { server, kubectl, folder }: Programs,
  use: (cluster: Cluster) => Promise<void>,
): Promise<void> {
  const policy = join(folder, 'audit.json');
  const rules = [{ level: 'Metadata' }];
  writeFileSync(policy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
  const auditLog = join(folder, 'audit.log');
  const started = await startKubeApiserver(server, [
    `--disable-admission-plugins=${plugins}`,
    `--audit-policy-file=${policy}`,
    `--audit-log-path=${auditLog}`,
    '--audit-log-mode=blocking',
  ]);
  try {
    await use(new Cluster(started, kubectl, auditLog));
  } finally {
    await started.stop();
  }
}

/** A running kube-apiserver. */
export class Cluster {
  readonly #started: KubeApiserver;
  readonly #kubectl: string;
  readonly #auditLog: string;
  #audited: ReadonlyMap<string, AuditEvent> = new Map();

  constructor(started: KubeApiserver, kubectl: string, auditLog: string) {
    this.#started = started;
    this.#kubectl = kubectl;
    this.#auditLog = auditLog;
  }

  /** Stores objects, and waits until custom resources are served. */
  async store(objects: readonly KubernetesObject[]): Promise<void> {
    for (const object of objects) await this.#create(object);
    for (const path of ['/apis/example.com/v1/widgets', '/apis/example.com/v1/gadgets']) {
      await this.#until(`${path} is not served`, async () => {
        const { code } = await this.#started.client.ask('GET', path);
        return code === 200;
      });
    }
  }

  /** Stores policies and their bindings, and waits until they take effect. */
  async addPolicies(policies: readonly KubernetesObject[]): Promise<void> {
    for (const object of policies) await this.#create(object);
    await this.#untilPoliciesAct(true);
  }

  /** Stores the bindings again. */
  addBindings(policies: readonly KubernetesObject[]): Promise<void> {
    return this.addPolicies(policies.filter(isBinding));
  }

  /** Removes the bindings, so that anything can be stored. */
  async removeBindings(policies: readonly KubernetesObject[]): Promise<void> {
    for (const object of policies.filter(isBinding)) {
      await this.#started.client.ask('DELETE', `${listPath(object)}/${nameOf(object)}`);
    }
    await this.#untilPoliciesAct(false);
  }

  /** Stores manifests, and returns those that the server accepted. */
  async storeManifests(manifests: readonly MadeManifest[]): Promise<readonly MadeManifest[]> {
    const stored: MadeManifest[] = [];
    for (const manifest of manifests) {
      const path = resourcePath(manifest);
      const { code } = await this.#started.client.ask('POST', path, manifest.object);
      if (code === 201) stored.push(manifest);
    }
    return stored;
  }

  /** Sends a request about each manifest, with `dryRun=All`. */
  async sendAll(
    method: 'POST' | 'PUT' | 'DELETE',
    manifests: readonly MadeManifest[],
  ): Promise<readonly Sent[]> {
    const sent: Sent[] = [];
    for (const manifest of manifests) {
      sent.push({ ...manifest, answer: await this.#send(method, manifest) });
    }
    this.#audited = readAudits(this.#auditLog);
    return sent;
  }

  /** The verdict in an answer; undefined if the server rejected the request before any policy. */
  verdictOf(answer: JsonAnswer): Verdict | undefined {
    return serverVerdict(answer, this.#audited.get(answer.auditId)?.annotations ?? {});
  }

  /** Returns the lines on standard error of `kubectl apply --dry-run=server`. */
  async apply(file: string, list: object): Promise<readonly string[]> {
    writeFileSync(file, JSON.stringify(list));
    const { kubeconfig } = this.#started;
    const args = ['--kubeconfig', kubeconfig, 'apply', '--dry-run=server', '-f', file];
    const { stderr } = await promisify(execFile)(this.#kubectl, args, { maxBuffer: 2 ** 28 }).catch(
      (error: { readonly stderr: string }) => error,
    );
    return stderr.split('\n');
  }

  async #send(method: 'POST' | 'PUT' | 'DELETE', manifest: MadeManifest): Promise<JsonAnswer> {
    const { client } = this.#started;
    const list = resourcePath(manifest);
    const path = `${list}/${nameOf(manifest.object)}`;
    const query = '?dryRun=All&fieldManager=kubectl-create';
    if (method === 'POST') return client.ask('POST', list + query, manifest.object);
    if (method === 'DELETE') return client.ask('DELETE', `${path}?dryRun=All`);
    const { body } = await client.ask('GET', path);
    const { resourceVersion } = body['metadata'] as Record<string, string>;
    const metadata = { ...(manifest.object['metadata'] as object), resourceVersion };
    return client.ask('PUT', path + query, { ...manifest.object, metadata });
  }

  async #create(object: KubernetesObject): Promise<void> {
    const answer = await this.#started.client.ask('POST', listPath(object), object);
    if (answer.code !== 201) throw new Error(JSON.stringify(answer.body));
  }

  // Policies take effect about a second after they are stored, in any order.
  async #untilPoliciesAct(act: boolean): Promise<void> {
    const path = '/api/v1/namespaces/default/configmaps?dryRun=All';
    await this.#until(`policies still ${act ? 'take no' : 'take'} effect`, async () => {
      const { warnings } = await this.#started.client.ask('POST', path, {
        metadata: { name: 'probe' },
      });
      return policyWarnings(warnings).length > 0 === act;
    });
    await sleep(3000);
  }

  async #until(problem: string, test: () => Promise<boolean>): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt++) {
      if (await test()) return;
      await sleep(200);
    }
    throw new Error(problem);
  }
}

function readAudits(file: string): ReadonlyMap<string, AuditEvent> {
  const events = readLines<AuditEvent>(file).filter(({ stage }) => stage === 'ResponseComplete');
  return new Map(events.map((event) => [event.auditID, event]));
}

function isBinding({ kind }: KubernetesObject): boolean {
  return String(kind).endsWith('Binding');
}

function nameOf({ metadata }: KubernetesObject): string {
  return (metadata as { readonly name: string }).name;
}

/** The path of the collection of a policy, a binding, or another object of a cluster's set-up. */
function listPath(object: KubernetesObject): string {
  const kind = String(object['kind']).toLowerCase();
  const resource = kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
  return collectionPath(object, resource);
}

function resourcePath({ object, resource }: MadeManifest): string {
  return collectionPath(object, resource);
}

function collectionPath(object: KubernetesObject, resource: string): string {
  const apiVersion = String(object['apiVersion']);
  const { namespace } = object['metadata'] as { readonly namespace?: string };
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${base}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${resource}`;
}
