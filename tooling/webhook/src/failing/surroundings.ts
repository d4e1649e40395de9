import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CertificatePair, makeAuthority, makeCertificate } from '@kubeadmit/certificates';
import type { Answer, ApiServer } from '../server/api-server.ts';
import type { JsonObject } from '../server/json.ts';
import { readObjects } from '../server/objects.ts';
import { type Running, startProgram } from '../server/processes.ts';
import { type BadWebhooks, startBadWebhooks } from './bad-webhooks.ts';
import { Switch } from './switch.ts';

const names = ['127.0.0.1', 'localhost'];
const subject = { type: 'server', commonName: 'webhook', names } as const;
const own = '/apis/policies.kubeadmit.dev/v1';
const registration = '/apis/admissionregistration.k8s.io/v1';
const policy = 'named';

/** A server that asks the webhook, and a webhook that follows the server; both ways can be cut. */
export class Surroundings {
  readonly server: Pick<ApiServer, 'ask' | 'kubeconfig'>;
  /** From the server to the webhook. */
  readonly reviews: Switch = new Switch();
  /** From the webhook to the server. */
  readonly cluster: Switch;
  readonly #folder: string;
  readonly #program: string;
  #authority: CertificatePair | undefined;
  #webhook: Running | undefined;
  #bad: BadWebhooks | undefined;
  /** Why the server had no answer the last time. */
  lastFailure = '';

  constructor(
    server: Pick<ApiServer, 'ask' | 'kubeconfig'>,
    { folder, program, port }: { folder: string; program: string; port: number },
  ) {
    this.server = server;
    this.#folder = folder;
    this.#program = program;
    this.cluster = new Switch(port);
  }

  /** The webhooks that do not answer as they should. */
  get badWebhooks(): BadWebhooks {
    if (this.#bad === undefined) throw new Error('not started yet');
    return this.#bad;
  }

  async start(manifests: string): Promise<void> {
    await Promise.all([this.reviews.listen(), this.cluster.listen()]);
    const authority = await makeAuthority('failing', { now: Date.now() });
    this.#authority = authority;
    await this.useCertificate(authority);
    this.#bad = await startBadWebhooks(
      await makeCertificate(authority, subject, { now: Date.now() }),
    );
    const definitions = readObjects(manifests).filter(
      ({ kind }) => kind === 'CustomResourceDefinition',
    );
    for (const definition of definitions) {
      await this.#done('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    }
    for (const name of ['fail', 'ignore']) {
      const metadata = { name, labels: { webhook: name } };
      await this.#done('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
    }
    await this.startWebhook();
    for (const object of policyAbout(policy, 'generation 0')) await this.put(object);
    await this.register(authority.certificate);
  }

  /** Starts the webhook, and leads the server to it. */
  async startWebhook(): Promise<void> {
    const kubeconfig = join(this.#folder, 'followed');
    const text = readFileSync(this.server.kubeconfig, 'utf8');
    writeFileSync(kubeconfig, text.replace(/127\.0\.0\.1:\d+/g, `127.0.0.1:${this.cluster.port}`));
    const args = [
      ...['--kubeconfig', kubeconfig, '--no-native-policies', '--shutdown-delay', '0'],
      ...['--tls-cert', this.#file('tls.crt'), '--tls-key', this.#file('tls.key')],
      ...['--listen', '127.0.0.1:0', '--metrics-listen', '127.0.0.1:0', '--log-allows', '0'],
    ];
    this.#webhook = await startProgram(process.execPath, [this.#program, ...args], '"listening"');
    this.leadToWebhook();
  }

  leadToWebhook(): void {
    const { reviews } = JSON.parse(this.#webhook?.line ?? '{}') as { readonly reviews: number };
    this.reviews.lead(reviews);
  }

  /** Ends the webhook at once. */
  async killWebhook(): Promise<void> {
    await this.#webhook?.stop('SIGKILL');
  }

  /** Gives the webhook a certificate, which it has a moment to notice. */
  async useCertificate(authority = this.#authority, seconds = 86_400): Promise<void> {
    if (authority === undefined) throw new Error('not started yet');
    const life = { now: Date.now(), days: seconds / 86_400 };
    const { certificate, key } = await makeCertificate(authority, subject, life);
    writeFileSync(this.#file('tls.crt'), certificate);
    writeFileSync(this.#file('tls.key'), key);
  }

  /** Tells the server whom to trust. */
  async register(caBundle: string): Promise<void> {
    for (const failurePolicy of ['Fail', 'Ignore']) {
      const name = failurePolicy.toLowerCase();
      const path = `${registration}/validatingwebhookconfigurations`;
      const known = await this.server.ask({ method: 'GET', path: `${path}/${name}` });
      const object = configuration(name, failurePolicy, this.reviews.port, caBundle);
      if (known.code === 404) await this.#done(path, object);
      else {
        const body = { webhooks: object['webhooks'] };
        const contentType = 'application/merge-patch+json';
        await this.server.ask({ method: 'PATCH', path: `${path}/${name}`, body, contentType });
      }
    }
  }

  /** Creates or replaces a policy or binding. */
  async put(object: JsonObject): Promise<Answer> {
    return this.server.ask({
      method: 'PATCH',
      path: `${pathOf(object)}?fieldManager=failing&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: object,
    });
  }

  /** Takes a policy or binding away. */
  async remove(object: JsonObject): Promise<Answer> {
    return this.server.ask({ method: 'DELETE', path: pathOf(object) });
  }

  /** Returns the server's verdict on a ConfigMap that the policy allows or denies. */
  async verdict(namespace: 'fail' | 'ignore', isGood: boolean): Promise<string> {
    const metadata = { name: isGood ? 'good' : 'bad', namespace };
    const { code, body } = await this.server.ask({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/configmaps?dryRun=All`,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata },
    });
    const message = String(body['message'] ?? '');
    if (code === 201) return 'allowed';
    const denial = /denied the request: .*: (generation \d+)$/.exec(message);
    if (denial !== null) return `denied: ${denial[1]}`;
    if (/failed calling webhook/.test(message)) {
      this.lastFailure = message;
      return 'no answer';
    }
    return `${code} ${message}`;
  }

  /** Waits until the server denies with a message, as the newest policy does. */
  async untilDenied(message: string): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt++) {
      if ((await this.verdict('fail', false)) === `denied: ${message}`) return;
      await sleep(100);
    }
    throw new Error(`not denied with ${message}: ${await this.verdict('fail', false)}`);
  }

  /** Waits until the server allows valid objects. */
  async untilAllowed(): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt++) {
      if ((await this.verdict('fail', true)) === 'allowed') return;
      await sleep(100);
    }
    throw new Error('what is good is not allowed');
  }

  async stop(): Promise<void> {
    await this.#webhook?.stop('SIGTERM');
    this.#bad?.close();
    this.reviews.close();
    this.cluster.close();
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }

  async #done(path: string, body: JsonObject): Promise<void> {
    const { code, body: answer } = await this.server.ask({ method: 'POST', path, body });
    if (code >= 300) throw new Error(`${path}: ${String(answer['message'])}`);
  }
}

/** A policy that refuses ConfigMaps called `bad`, with its binding. */
export function policyAbout(name: string, message: string, expression = '!bad'): JsonObject[] {
  const head = { apiVersion: 'policies.kubeadmit.dev/v1', metadata: { name } };
  const resources = ['configmaps'];
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources };
  return [
    {
      ...head,
      kind: 'ValidatingAdmissionPolicy',
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules: [rule] },
        validations: [
          {
            expression: expression === '!bad' ? "object.metadata.name != 'bad'" : expression,
            message,
          },
        ],
      },
    },
    {
      ...head,
      kind: 'ValidatingAdmissionPolicyBinding',
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
}

function pathOf({ kind, metadata }: JsonObject): string {
  const { name } = metadata as { readonly name: string };
  const resource = kind === 'ValidatingAdmissionPolicy' ? 'policies' : 'policybindings';
  return `${own}/validatingadmission${resource}/${name}`;
}

function configuration(
  name: string,
  failurePolicy: string,
  port: number,
  caBundle: string,
): JsonObject {
  const rule = {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: ['configmaps'],
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: `${name}.kubeadmit.dev`,
        ...{ admissionReviewVersions: ['v1'], sideEffects: 'None', failurePolicy },
        timeoutSeconds: 5,
        namespaceSelector: { matchLabels: { webhook: name } },
        clientConfig: {
          url: `https://127.0.0.1:${port}/validate`,
          caBundle: Buffer.from(caBundle).toString('base64'),
        },
        rules: [rule],
      },
    ],
  };
}
