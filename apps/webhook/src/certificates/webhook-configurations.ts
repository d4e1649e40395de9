import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { bundleOf, certificatesIn } from '@kubeadmit/certificates';
import type { ApiClient } from '../cluster/api-client.ts';
import { ApiError } from '../cluster/api-error.ts';
import type { ReviewStep } from '../review/decide-review.ts';

/** A kind of webhook configurations. */
export interface ConfigurationKind {
  readonly resource: string;
  readonly kind: string;
  readonly step: ReviewStep;
}

/** Both kinds of webhook configurations. */
export const configurationKinds: readonly ConfigurationKind[] = [
  {
    resource: 'mutatingwebhookconfigurations',
    kind: 'MutatingWebhookConfiguration',
    step: 'mutate',
  },
  {
    resource: 'validatingwebhookconfigurations',
    kind: 'ValidatingWebhookConfiguration',
    step: 'validate',
  },
];

/** The path of the collection of a resource of webhook configurations. */
export function configurationPath(resource: string): string {
  return `/apis/admissionregistration.k8s.io/v1/${resource}`;
}

// A JSON patch whose tests fail, and an object that has changed.
const changedMeanwhile = [409, 422];

/** The webhook configurations with given names, of both kinds, and the authorities that they know. */
export class WebhookConfigurations {
  readonly #client: ApiClient;
  readonly #names: readonly string[];
  #found: Map<string, KubernetesObject> = new Map();

  constructor(client: ApiClient, names: readonly string[]) {
    this.#client = client;
    this.#names = names;
  }

  /**
   * Reads the current configurations.
   *
   * @throws ApiError if the cluster does not answer
   */
  async read(): Promise<void> {
    const found = new Map<string, KubernetesObject>();
    for (const name of this.#names) {
      for (const { resource } of configurationKinds) {
        const path = `${configurationPath(resource)}/${name}`;
        const object = await this.#client.find(path);
        if (object !== undefined) found.set(path, object);
      }
    }
    this.#found = found;
  }

  /** Whether each webhook of each configuration knew an authority when they were read. */
  know(authority: string): boolean {
    return [...this.#found.values()]
      .flatMap(webhooksOf)
      .every((webhook) => certificatesIn(bundleIn(webhook)).includes(authority));
  }

  /** Writes authorities into the configurations; returns the problems, or an empty string. */
  async tell(authorities: string): Promise<string> {
    const problems = this.#names
      .filter((name) => ![...this.#found.keys()].some((path) => path.endsWith(`/${name}`)))
      .map((name) => `no webhook configuration has the name ${name}`);
    for (const [path, object] of this.#found) {
      const operations = webhooksOf(object).flatMap((webhook, index) =>
        bundleOf([bundleIn(webhook)]) === authorities
          ? []
          : patchOf(webhook, index, Buffer.from(authorities).toString('base64')),
      );
      if (operations.length === 0) continue;
      try {
        await this.#client.ask(path, {
          method: 'PATCH',
          contentType: 'application/json-patch+json',
          body: JSON.stringify(operations),
        });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const isLater = changedMeanwhile.includes(error.code);
        problems.push(`${path}: ${isLater ? 'changed meanwhile' : error.message}`);
      }
    }
    return problems.join('; ');
  }
}

function webhooksOf(configuration: KubernetesObject): readonly unknown[] {
  return (member(configuration, 'webhooks') ?? []) as readonly unknown[];
}

/** Returns the authorities (PEM) of a webhook's `caBundle`; empty without one. */
export function bundleIn(webhook: unknown): string {
  const bundle = member(member(webhook, 'clientConfig'), 'caBundle');
  return Buffer.from(String(bundle ?? ''), 'base64').toString('utf8');
}

function patchOf(webhook: unknown, index: number, caBundle: string): readonly object[] {
  return [
    { op: 'test', path: `/webhooks/${index}/name`, value: member(webhook, 'name') },
    { op: 'add', path: `/webhooks/${index}/clientConfig/caBundle`, value: caBundle },
  ];
}
