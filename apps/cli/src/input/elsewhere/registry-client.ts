import { type Credentials, credentialsFor, type Environment, jsonObject } from './credentials.ts';
import { type DownloadLimits, download, isLocal } from './download.ts';
import { ElsewhereError } from './found-text.ts';

/** The answer of a registry, with or without success. */
export type RegistryAnswer = Awaited<ReturnType<typeof download>>;

/** The origin of a registry by its host: HTTPS, and HTTP on this machine. */
export function registryOrigin(host: string): string {
  const scheme = isLocal(host.replace(/:\d+$/, '')) ? 'http' : 'https';
  return `${scheme}://${host}`;
}

/** The JSON object that an answer is, of which nothing is known. */
export function objectIn(bytes: Uint8Array, complaint: string): Readonly<Record<string, unknown>> {
  const value = jsonObject(Buffer.from(bytes).toString('utf8'));
  if (value === undefined) throw new ElsewhereError(complaint);
  return value;
}

/**
 * A registry (OCI distribution specification). If it requires a password or a token, it gets the credentials that
 * `docker login` stored.
 */
export class RegistryClient {
  readonly #origin: string;
  readonly #limits: DownloadLimits;
  readonly #env: Environment;
  #authorization: string | undefined;

  constructor(origin: string, limits: DownloadLimits, env: Environment) {
    this.#origin = origin;
    this.#limits = limits;
    this.#env = env;
  }

  /**
   * Returns the bytes behind a path.
   *
   * @throws ElsewhereError for an answer without success
   */
  async get(path: string, accept: string): Promise<Uint8Array> {
    return this.good(await this.ask(path, accept), path);
  }

  /** Returns the answer to a request, after the authorization that the registry requires. */
  async ask(path: string, accept: string, maxFileSize?: number): Promise<RegistryAnswer> {
    const first = await this.#ask(path, accept, maxFileSize);
    if (first.response.status !== 401 || this.#authorization !== undefined) return first;
    const challenge = first.response.headers.get('www-authenticate') ?? '';
    this.#authorization = await this.#authorizationFor(challenge);
    return this.#ask(path, accept, maxFileSize);
  }

  #ask(path: string, accept: string, maxFileSize = this.#limits.maxFileSize) {
    const authorization = this.#authorization;
    const headers = { accept, ...(authorization === undefined ? {} : { authorization }) };
    // Registries keep layers with other hosts, which get no credentials.
    const request = { headers, followsRedirects: true };
    return download(`${this.#origin}${path}`, request, { ...this.#limits, maxFileSize });
  }

  /**
   * Returns the bytes of an answer.
   *
   * @throws ElsewhereError for an answer without success
   */
  good({ response, bytes }: RegistryAnswer, path: string): Uint8Array {
    if (response.ok) return bytes;
    const { status, statusText } = response;
    const hint = this.#hintFor(status);
    throw new ElsewhereError(`the response to ${path} is ${status} ${statusText}${hint}`);
  }

  #hintFor(status: number): string {
    return status === 401 || status === 403 ? `: ${this.#passwordHint()}` : '';
  }

  #passwordHint(): string {
    const { host } = new URL(this.#origin);
    const credentials = credentialsFor(host, this.#env);
    return credentials === undefined
      ? `the registry requires credentials; run \`docker login ${host}\``
      : `the registry rejects the credentials in ${credentials.from}`;
  }

  /** Returns the authorization for a challenge: a password, or a token, for which the registry may require a password. */
  async #authorizationFor(challenge: string): Promise<string> {
    const credentials = credentialsFor(new URL(this.#origin).host, this.#env);
    if (/^basic\b/i.test(challenge)) {
      if (credentials?.basic === undefined) throw new ElsewhereError(this.#passwordHint());
      return `Basic ${credentials.basic}`;
    }
    const fields = Object.fromEntries(
      [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
    );
    const { realm, service = '', scope = '' } = fields;
    if (!/^bearer /i.test(challenge) || realm === undefined) {
      throw new ElsewhereError('the registry requires an unsupported kind of authentication');
    }
    const url = URL.canParse(realm) ? new URL(realm) : undefined;
    const isLocalRegistry = isLocal(new URL(this.#origin).hostname);
    const isSafe =
      url !== undefined &&
      (isLocal(url.hostname) ? isLocalRegistry : url.protocol === 'https:') &&
      /^https?:$/.test(url.protocol);
    if (!isSafe) {
      throw new ElsewhereError(
        `the registry names an invalid token URL (it must be https:// and not this machine): ${realm}`,
      );
    }
    const { response, bytes } = await this.#askForToken(url, { service, scope }, credentials);
    if (!response.ok) {
      const { status } = response;
      throw new ElsewhereError(
        `the registry returned no token (${status})${this.#hintFor(status)}`,
      );
    }
    const answer = objectIn(bytes, 'the registry returned no token');
    return `Bearer ${String(answer['token'] ?? answer['access_token'] ?? '')}`;
  }

  /** Asks for a token (Docker registry v2 authentication), with an identity token by OAuth2. */
  #askForToken(
    url: URL,
    about: Readonly<Record<string, string>>,
    credentials: Credentials | undefined,
  ) {
    if (credentials?.identityToken !== undefined) {
      const body = new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: 'kubeadmit',
        refresh_token: credentials.identityToken,
        ...about,
      });
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const request = { headers: type, body: body.toString(), followsRedirects: false };
      return download(url.href, request, this.#limits);
    }
    for (const [name, value] of Object.entries(about)) url.searchParams.set(name, value);
    const basic = credentials?.basic;
    const headers = basic === undefined ? {} : { authorization: `Basic ${basic}` };
    return download(url.href, { headers, followsRedirects: false }, this.#limits);
  }
}
