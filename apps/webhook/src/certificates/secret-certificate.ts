import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import { bundleOf, certificatesIn } from '@kubeadmit/certificates';
import type { ApiClient } from '../cluster/api-client.ts';
import { ApiError } from '../cluster/api-error.ts';
import type { NamespacedName } from '../configuration/configuration.ts';
import { type KeptCertificate, keptFiles, renewCertificate } from './kept-certificate.ts';
import { ageOf, CertificateError } from './pair.ts';
import { WebhookConfigurations } from './webhook-configurations.ts';

/** The Secret of a certificate, its names, and the configurations that must trust it. */
export interface SecretCertificateOptions {
  readonly secret: NamespacedName;
  readonly configurations: readonly string[];
  readonly dnsNames: readonly string[];
}

/** The current certificate of a cluster. */
export interface SecretCertificateState {
  readonly kept: KeptCertificate;
  /** Which configurations do not have the authority, and why; empty if all have it. */
  readonly problem: string;
}

const attempts = 5;
const conflict = 409;
// After this time every API server knows a changed configuration.
const hearsayMilliseconds = 60_000;

/**
 * The certificate that all replicas share.
 *
 * It is kept in a Secret and renewed by the first replica that finds it due. The `caBundle` of webhook
 * configurations gets its authority before the certificate is used.
 */
export class SecretCertificate {
  readonly #client: ApiClient;
  readonly #options: SecretCertificateOptions;
  readonly #configurations: WebhookConfigurations;

  constructor(client: ApiClient, options: SecretCertificateOptions) {
    this.#client = client;
    this.#options = options;
    this.#configurations = new WebhookConfigurations(client, options.configurations);
  }

  /**
   * Reads the certificate, renews it if needed, and writes its authorities into the configurations.
   *
   * @throws ApiError if the cluster does not answer, and CertificateError for a Secret of another authority
   */
  async read(now: number): Promise<SecretCertificateState> {
    await this.#configurations.read();
    const kept = await this.#renewed(now);
    return { kept, problem: await this.#configurations.tell(kept.authorities) };
  }

  async #renewed(now: number): Promise<KeptCertificate> {
    const { dnsNames } = this.#options;
    const isTrusted = (authority: string): boolean =>
      ageOf(authority, now) > hearsayMilliseconds + madeEarlierMilliseconds &&
      this.#configurations.know(authority);
    for (let attempt = 1; ; attempt++) {
      const secret = await this.#client.find(`${this.#folder}/${this.#options.secret.name}`);
      const kept = secret === undefined ? undefined : this.#keptIn(secret);
      const renewed = await renewCertificate(kept, { dnsNames, now, isTrusted });
      if (renewed === kept) return renewed;
      try {
        await this.#write(secret, renewed);
        return renewed;
      } catch (error) {
        // Another replica was first.
        const isLost = error instanceof ApiError && error.code === conflict;
        if (!isLost || attempt === attempts) throw error;
      }
    }
  }

  get #folder(): string {
    return `/api/v1/namespaces/${this.#options.secret.namespace}/secrets`;
  }

  #keptIn(secret: KubernetesObject): KeptCertificate | undefined {
    const data = member(secret, 'data');
    const read = (field: string): string =>
      Buffer.from(String(member(data, field) ?? ''), 'base64').toString('utf8');
    const kept = {
      authorities: bundleOf([read(keptFiles.authorities)]),
      authorityKey: read(keptFiles.authorityKey),
      certificate: read(keptFiles.certificate),
      key: read(keptFiles.key),
    };
    if (kept.authorityKey !== '' && kept.authorities !== '') return kept;
    if (certificatesIn(kept.certificate).length === 0) return undefined;
    const { namespace, name } = this.#options.secret;
    throw new CertificateError(
      `Secret ${namespace}/${name}: contains a certificate without the key of its authority (\`ca.key\`); use another Secret, or \`--tls-cert\` and \`--tls-key\``,
    );
  }

  async #write(secret: KubernetesObject | undefined, kept: KeptCertificate): Promise<void> {
    const { namespace, name } = this.#options.secret;
    const data = Object.fromEntries(
      Object.entries(keptFiles).map(([field, key]) => [
        key,
        Buffer.from(kept[field as keyof KeptCertificate]).toString('base64'),
      ]),
    );
    if (secret === undefined) {
      const made = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, namespace },
        type: 'kubernetes.io/tls',
        data,
      };
      await this.#client.ask(this.#folder, { method: 'POST', body: JSON.stringify(made) });
      return;
    }
    // The resource version makes the server reject a conflicting update.
    if (metadataString(secret, 'resourceVersion') === '') throw new ApiError(0, 'no version');
    const changed = { ...secret, data: { ...(member(secret, 'data') as object), ...data } };
    await this.#client.ask(`${this.#folder}/${name}`, {
      method: 'PUT',
      body: JSON.stringify(changed),
    });
  }
}

// Authorities are valid from five minutes before their creation.
const madeEarlierMilliseconds = 300_000;
