import { join } from 'node:path';
import type { Configuration } from '../configuration/configuration.ts';
import type { Log } from '../operation/log.ts';
import { listFiles } from '../policies/list-files.ts';
import type { Credentials } from '../workers/answerer.ts';
import { ownCertificate } from './own-certificate.ts';
import { CertificateError, type CertificatePair, readAuthorities, readPair } from './pair.ts';

const pollMilliseconds = 1_000;
const renewalMilliseconds = 3_600_000;

/** Gives the certificate of the listener, from files that may change or from a folder of our own. */
export class CredentialSource {
  private readonly configuration: Pick<Configuration, 'certificate' | 'clientCa'>;
  private readonly log: Log;
  private readonly timers: NodeJS.Timeout[] = [];
  private used: Credentials | undefined;
  private lastProblem = '';

  constructor(configuration: Pick<Configuration, 'certificate' | 'clientCa'>, log: Log) {
    this.configuration = configuration;
    this.log = log;
  }

  /** What is in use. */
  get current(): Credentials {
    if (this.used === undefined) throw new Error('no certificate is loaded');
    return this.used;
  }

  /** Why the files as they are now are not in use; empty when they are. */
  get problem(): string {
    return this.lastProblem;
  }

  /**
   * Loads the certificate for the first time.
   *
   * @throws CertificateError when there is none that can be used.
   */
  async load(): Promise<void> {
    this.used = await this.read();
  }

  /** Tells of another certificate whenever there is one; a broken one keeps the one before it. */
  watch(changed: (credentials: Credentials) => Promise<void>): void {
    const files = this.files();
    let seen = listFiles(files).signature;
    this.timers.push(
      setInterval(() => {
        const { signature } = listFiles(files);
        if (signature === seen) return;
        seen = signature;
        void this.reload(changed);
      }, pollMilliseconds),
    );
    if (this.configuration.certificate.kind === 'selfSigned') {
      this.timers.push(setInterval(() => void this.reload(changed), renewalMilliseconds));
    }
  }

  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  private async reload(changed: (credentials: Credentials) => Promise<void>): Promise<void> {
    try {
      const credentials = await this.read();
      this.lastProblem = '';
      if (isSame(credentials, this.current)) return;
      this.used = credentials;
      await changed(credentials);
      this.log.info('another certificate is in use');
    } catch (error) {
      this.lastProblem = error instanceof Error ? error.message : String(error);
      this.log.error({ problem: this.lastProblem }, 'the certificate before it stays in use');
    }
  }

  private async read(): Promise<Credentials> {
    const { certificate, clientCa } = this.configuration;
    const pair = certificate.kind === 'files' ? readPair(certificate) : await this.own(certificate);
    return { pair, clientCa: clientCa === undefined ? undefined : readAuthorities(clientCa) };
  }

  private async own(source: {
    readonly folder: string;
    readonly dnsNames: readonly string[];
  }): Promise<CertificatePair> {
    try {
      const { certificate, key } = await ownCertificate(source.folder, source.dnsNames, Date.now());
      return { certificate, key };
    } catch (error) {
      throw new CertificateError(
        `${source.folder}: ${error instanceof Error ? error.message : error}`,
      );
    }
  }

  private files(): readonly string[] {
    const { certificate, clientCa } = this.configuration;
    const own =
      certificate.kind === 'files'
        ? [certificate.certificate, certificate.key]
        : ['ca.crt', 'tls.crt', 'tls.key'].map((name) => join(certificate.folder, name));
    return clientCa === undefined ? own : [...own, clientCa];
  }
}

function isSame(a: Credentials, b: Credentials): boolean {
  return (
    a.pair.certificate === b.pair.certificate &&
    a.pair.key === b.pair.key &&
    a.clientCa === b.clientCa
  );
}
