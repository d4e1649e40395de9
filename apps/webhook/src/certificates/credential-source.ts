import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '@kubeadmit/base';
import type { CertificatePair } from '@kubeadmit/certificates';
import { readErrorText } from '@kubeadmit/files';
import { ApiClient } from '../cluster/api-client.ts';
import { ApiError } from '../cluster/api-error.ts';
import { Backoff } from '../cluster/backoff.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Log } from '../logging/log.ts';
import { listFiles } from '../policies/list-files.ts';
import type { Credentials } from '../workers/answerer.ts';
import { Alarm } from './alarm.ts';
import { folderCertificate } from './folder-certificate.ts';
import { keptFiles } from './kept-certificate.ts';
import { CertificateError, readAuthorities, readPair, refusalOf, renewalOf } from './pair.ts';
import { SecretCertificate } from './secret-certificate.ts';
import { watchConfigurations } from './watch-configurations.ts';

const pollMilliseconds = 1_000;
const secretMilliseconds = 10_000;
// While something is to be put right.
const repairMilliseconds = 1_000;
const renewalMilliseconds = 3_600_000;

type Configured = Pick<Configuration, 'certificate' | 'clientCa' | 'cluster' | 'caBundle'>;

/** Returns the certificate of the listener: from files that may change, an own folder, or a Secret. */
export class CredentialSource {
  readonly #configuration: Configured;
  readonly #log: Log;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #ending: AbortController = new AbortController();
  #secret: SecretCertificate | undefined;
  #authorities = '';
  #used: Credentials | undefined;
  #lastProblem = '';
  #lastRefusal = '';
  #lastRenewal = '';

  constructor(configuration: Configured, log: Log) {
    this.#configuration = configuration;
    this.#log = log;
  }

  /** The credentials in use, or `undefined` before the first load. */
  get current(): Credentials | undefined {
    return this.#used;
  }

  /** The authorities that clients need to trust the certificate; empty if they are unknown here. */
  get authorities(): string {
    const { certificate, caBundle } = this.#configuration;
    if (certificate.kind === 'secret') return this.#authorities;
    const file =
      certificate.kind === 'selfSigned'
        ? join(certificate.folder, keptFiles.authorities)
        : caBundle;
    return file === undefined ? '' : readAuthorities(file);
  }

  /**
   * Why the newest certificate is not in use, not trusted by its clients, or refused now or soon; empty if all is
   * well.
   */
  get problem(): string {
    return this.#lastProblem || this.#refusal() || this.#renewal();
  }

  // The reason why kube-apiserver rejects the current certificate.
  #refusal(): string {
    if (this.#used === undefined) return '';
    const { certificate } = this.#configuration;
    return refusalOf(this.#used.pair.certificate, certificate.dnsNames, Date.now());
  }

  #renewal(): string {
    return this.#used === undefined ? '' : renewalOf(this.#used.pair.certificate, Date.now());
  }

  #tellOfDates(): void {
    const refusal = this.#refusal();
    if (refusal !== '' && refusal !== this.#lastRefusal) {
      this.#log.error({ problem: refusal }, 'kube-apiserver rejects the certificate');
    }
    this.#lastRefusal = refusal;
    const renewal = refusal === '' ? this.#renewal() : '';
    if (renewal !== '' && renewal !== this.#lastRenewal) {
      this.#log.warn({ problem: renewal }, 'kube-apiserver will soon reject the certificate');
    }
    this.#lastRenewal = renewal;
  }

  /**
   * Loads the certificate for the first time; waits for the cluster if it is kept there.
   *
   * @throws CertificateError if there is no usable certificate
   */
  async load(): Promise<Credentials> {
    const backoff = new Backoff();
    for (;;) {
      try {
        this.#lastProblem = '';
        const read = await this.#read();
        this.#used = read;
        this.#tellOfDates();
        return read;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.#fail(error, 'waiting for the certificate');
        const { signal } = this.#ending;
        await sleep(backoff.next(), undefined, { signal });
      }
    }
  }

  /** Calls `changed` for each new certificate; if the new one is invalid, the current one stays in use. */
  watch(changed: (credentials: Credentials) => Promise<void>): void {
    const reload = (): void => void this.#reload(changed);
    const { kind } = this.#configuration.certificate;
    const files = this.#files();
    let seen = listFiles(files).signature;
    this.#timers.push(
      setInterval(() => {
        this.#tellOfDates();
        const { signature } = listFiles(files);
        if (signature === seen) return;
        seen = signature;
        reload();
      }, pollMilliseconds),
    );
    if (kind === 'selfSigned') this.#timers.push(setInterval(reload, renewalMilliseconds));
    if (kind === 'secret') void this.#followSecret(changed);
  }

  stop(): void {
    this.#ending.abort();
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #followSecret(changed: (credentials: Credentials) => Promise<void>): Promise<void> {
    const { signal } = this.#ending;
    const { certificate, cluster } = this.#configuration;
    if (certificate.kind !== 'secret' || cluster === undefined) return;
    const alarm = new Alarm();
    const client = await ApiClient.open(cluster);
    const names = certificate.configurations;
    const stop = watchConfigurations(client, names, () => alarm.ring(), this.#log);
    while (!signal.aborted) {
      const milliseconds = this.#lastProblem === '' ? secretMilliseconds : repairMilliseconds;
      await alarm.wait(milliseconds, signal);
      if (!signal.aborted) await this.#reload(changed);
    }
    stop();
  }

  async #reload(changed: (credentials: Credentials) => Promise<void>): Promise<void> {
    try {
      const before = this.#lastProblem;
      this.#lastProblem = '';
      const credentials = await this.#read(before);
      if (isSame(credentials, this.#used)) return;
      this.#used = credentials;
      await changed(credentials);
      this.#log.info('certificate replaced');
    } catch (error) {
      this.#fail(error, 'keeping the previous certificate');
    }
  }

  #fail(error: unknown, consequence: string): void {
    this.#lastProblem = errorText(error);
    this.#log.error({ problem: this.#lastProblem }, consequence);
  }

  async #read(problemBefore = ''): Promise<Credentials> {
    const { certificate, clientCa } = this.#configuration;
    const pair =
      certificate.kind === 'files'
        ? readPair(certificate)
        : certificate.kind === 'secret'
          ? await this.#fromSecret(certificate, problemBefore)
          : await fromFolder(certificate);
    return { pair, clientCa: clientCa === undefined ? undefined : readAuthorities(clientCa) };
  }

  async #fromSecret(
    source: ConstructorParameters<typeof SecretCertificate>[1],
    problemBefore: string,
  ): Promise<CertificatePair> {
    const { cluster } = this.#configuration;
    if (cluster === undefined) throw new CertificateError('a Secret requires a cluster');
    this.#secret ??= new SecretCertificate(await ApiClient.open(cluster), source);
    const { kept, problem } = await this.#secret.read(Date.now());
    this.#lastProblem = problem;
    this.#authorities = kept.authorities;
    if (problem !== '' && problem !== problemBefore) {
      this.#log.error({ problem }, 'some webhook configurations lack the certificate authority');
    }
    return { certificate: kept.certificate, key: kept.key };
  }

  #files(): readonly string[] {
    const { certificate, clientCa } = this.#configuration;
    const clients = clientCa === undefined ? [] : [clientCa];
    switch (certificate.kind) {
      case 'files':
        return [certificate.certificate, certificate.key, ...clients];
      case 'selfSigned': {
        const names = [keptFiles.authorities, keptFiles.certificate, keptFiles.key];
        return [...names.map((name) => join(certificate.folder, name)), ...clients];
      }
      case 'secret':
        return clients;
    }
  }
}

async function fromFolder(source: {
  readonly folder: string;
  readonly dnsNames: readonly string[];
}): Promise<CertificatePair> {
  try {
    const { folder, dnsNames } = source;
    const { certificate, key } = await folderCertificate(folder, dnsNames, Date.now());
    return { certificate, key };
  } catch (error) {
    throw new CertificateError(`${source.folder}: ${readErrorText(error)}`);
  }
}

function isSame(a: Credentials, b: Credentials | undefined): boolean {
  return (
    a.pair.certificate === b?.pair.certificate &&
    a.pair.key === b.pair.key &&
    a.clientCa === b.clientCa
  );
}
