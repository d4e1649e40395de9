import { spawn } from 'node:child_process';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { member } from '@kubeadmit/apimachinery';
import { errorText } from '@kubeadmit/base';
import { ApiError } from './api-error.ts';
import type { ClusterEntry, ExecEntry } from './kubeconfig.ts';

/** The credentials that a program printed. */
export interface ExecCredential {
  readonly token: string;
  /** PEM texts; both or none. */
  readonly certificate: string;
  readonly key: string;
}

interface Kept {
  readonly credential: ExecCredential;
  /** By `Date.now()`. */
  readonly until: number;
}

/**
 * Runs the credential plugin of a kubeconfig (`client.authentication.k8s.io`), and caches its output until it expires.
 */
export class ExecPlugin {
  readonly #entry: ExecEntry;
  readonly #cluster: ClusterEntry;
  #kept: Kept | undefined;

  constructor(entry: ExecEntry, cluster: ClusterEntry) {
    this.#entry = entry;
    this.#cluster = cluster;
  }

  /**
   * Returns the credentials, which are kept until they expire or the server refuses them.
   *
   * @throws ApiError if the program fails or prints invalid output
   */
  async credential(): Promise<ExecCredential> {
    if (this.#kept === undefined || this.#kept.until <= Date.now()) this.#kept = await this.#run();
    return this.#kept.credential;
  }

  /** Forgets the credentials, since the server refused them. */
  forget(): void {
    this.#kept = undefined;
  }

  async #run(): Promise<Kept> {
    const { command, args, env, interactiveMode } = this.#entry;
    if (interactiveMode === 'Always') {
      throw this.#failure('it needs a terminal (`interactiveMode: Always`)');
    }
    const child = spawn(command, [...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, KUBERNETES_EXEC_INFO: this.#info(), ...env },
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    try {
      const [code, output, errors] = await Promise.all([
        ended,
        text(child.stdout),
        text(child.stderr),
      ]);
      if (code !== 0) throw new Error(errors.trim() || `it ended with exit code ${code}`);
      return this.#read(output);
    } catch (error) {
      throw this.#failure(errorText(error));
    }
  }

  #failure(problem: string): ApiError {
    const { command, installHint } = this.#entry;
    const hint = installHint === '' ? '' : `\n${installHint}`;
    return new ApiError(0, `the credential plugin \`${command}\` failed: ${problem}${hint}`);
  }

  #info(): string {
    const { apiVersion, provideClusterInfo } = this.#entry;
    const { server, tlsServerName, skipsVerification, authority, proxyUrl } = this.#cluster;
    const cluster = {
      server,
      ...(tlsServerName === '' ? {} : { 'tls-server-name': tlsServerName }),
      ...(skipsVerification ? { 'insecure-skip-tls-verify': true } : {}),
      ...(authority.data === '' ? {} : { 'certificate-authority-data': authority.data }),
      ...(proxyUrl === '' ? {} : { 'proxy-url': proxyUrl }),
    };
    return JSON.stringify({
      kind: 'ExecCredential',
      apiVersion,
      spec: { ...(provideClusterInfo ? { cluster } : {}), interactive: false },
    });
  }

  #read(output: string): Kept {
    const printed = JSON.parse(output) as unknown;
    const apiVersion = String(member(printed, 'apiVersion') ?? '');
    if (apiVersion !== this.#entry.apiVersion) {
      throw new Error(
        `it is configured to use API version ${this.#entry.apiVersion}, but returned ${apiVersion || 'none'}`,
      );
    }
    const status = member(printed, 'status');
    if (status == null) throw new Error("it didn't return a status field");
    const read = (field: string): string => String(member(status, field) ?? '');
    const credential = {
      token: read('token'),
      certificate: read('clientCertificateData'),
      key: read('clientKeyData'),
    };
    if (credential.token === '' && credential.certificate === '' && credential.key === '') {
      throw new Error("it didn't return a token or cert/key pair");
    }
    if ((credential.certificate === '') !== (credential.key === '')) {
      throw new Error('it returned only certificate or key, not both');
    }
    const expiry = Date.parse(read('expirationTimestamp'));
    return { credential, until: Number.isNaN(expiry) ? Number.POSITIVE_INFINITY : expiry };
  }
}
