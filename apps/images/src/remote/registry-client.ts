import { jsonObject } from '@kubeadmit/files';
import { type Connection, isLocal, publicConnection } from './connection.ts';
import type { Credentials, FindCredentials } from './credentials.ts';
import { DownloadError, type DownloadLimits, type DownloadRequest, download } from './download.ts';
import { ResponseError } from './response-error.ts';
import { readTokenChallenge, type TokenChallenge } from './token-challenge.ts';

/** The answer of a registry, with or without success. */
export type RegistryAnswer = Awaited<ReturnType<typeof download>>;

const noToken = 'the registry returned no token';

/** The origin of a registry by its host: HTTPS, and HTTP on this machine. */
export function registryOrigin(host: string): string {
  const scheme = isLocal(host.replace(/:\d+$/, '')) ? 'http' : 'https';
  return `${scheme}://${host}`;
}

/**
 * Returns the JSON object in an answer.
 *
 * @throws DownloadError with the complaint for anything else
 */
export function objectIn(bytes: Uint8Array, complaint: string): Readonly<Record<string, unknown>> {
  const value = jsonObject(Buffer.from(bytes).toString('utf8'));
  if (value === undefined) throw new DownloadError(complaint);
  return value;
}

/** How a registry is reached. */
export interface RegistryAccess {
  /** The scheme and the host. */
  readonly origin: string;
  readonly limits: DownloadLimits;
  readonly credentials: FindCredentials;
  /** Returns how to give credentials for a host, if the registry requires them and there are none. */
  readonly missingCredentialsHint: (host: string) => string;
  readonly connection?: Connection | undefined;
}

/**
 * The client of a registry (OCI distribution specification). It sends the credentials for the host if the registry
 * requires a password or a token.
 */
export class RegistryClient {
  readonly #access: RegistryAccess;
  readonly #connection: Connection;
  /** The authorization that the registry accepted last. */
  #authorization: Promise<string> | undefined;

  constructor(access: RegistryAccess) {
    this.#access = access;
    this.#connection = access.connection ?? publicConnection;
  }

  /**
   * Returns the bytes behind a path.
   *
   * @throws DownloadError for an answer without success
   */
  async get(path: string, accept: string): Promise<Uint8Array> {
    return await this.good(await this.ask(path, accept), path);
  }

  /** Returns the answer to a request, after the authorization that the registry requires. */
  async ask(path: string, accept: string, maxFileSize?: number): Promise<RegistryAnswer> {
    const sent = this.#authorization;
    const ask = (authorization?: string) => this.#ask(path, accept, authorization, maxFileSize);
    const first = await ask(await sent);
    if (first.response.status !== 401) return first;
    const challenge = first.response.headers.get('www-authenticate') ?? '';
    return ask(await this.#renew(sent, challenge));
  }

  // Tokens expire; several requests that find this out share the new one.
  async #renew(refused: Promise<string> | undefined, challenge: string): Promise<string> {
    if (this.#authorization === refused) {
      this.#authorization = this.#authorizationFor(challenge);
    }
    const renewed = this.#authorization;
    try {
      return await (renewed ?? this.#authorizationFor(challenge));
    } catch (error) {
      if (this.#authorization === renewed) this.#authorization = undefined;
      throw error;
    }
  }

  #ask(
    path: string,
    accept: string,
    authorization: string | undefined,
    maxFileSize = this.#access.limits.maxFileSize,
  ) {
    const { origin, limits } = this.#access;
    const headers = { accept, ...(authorization === undefined ? {} : { authorization }) };
    // Registries keep layers with other hosts, which get no credentials.
    const request = { headers, followsRedirects: true };
    return download(`${origin}${path}`, request, { ...limits, maxFileSize }, this.#connection);
  }

  /**
   * Returns the bytes of an answer.
   *
   * @throws DownloadError for an answer without success
   */
  async good({ response, bytes }: RegistryAnswer, path: string): Promise<Uint8Array> {
    if (response.ok) return bytes;
    const { status, statusText } = response;
    const hint = await this.#hintFor(status);
    const message = `the response to ${path} is ${status} ${statusText}${hint}`;
    if (hint !== '') throw new DownloadError(message);
    throw new ResponseError(message, `${this.#access.origin}${path}`, { response, bytes });
  }

  async #hintFor(status: number): Promise<string> {
    if (status !== 401 && status !== 403) return '';
    return `: ${this.#passwordHint(await this.#access.credentials(this.#host))}`;
  }

  #passwordHint(credentials: Credentials | undefined): string {
    return credentials === undefined
      ? `the registry requires credentials; ${this.#access.missingCredentialsHint(this.#host)}`
      : `the registry rejects the credentials in ${credentials.from}`;
  }

  get #host(): string {
    return new URL(this.#access.origin).host;
  }

  /** Returns the authorization for a challenge: a password, or a token, for which the registry may require a password. */
  async #authorizationFor(challenge: string): Promise<string> {
    const credentials = await this.#access.credentials(this.#host);
    if (!/^basic\b/i.test(challenge)) {
      return `Bearer ${await this.#tokenFor(readTokenChallenge(challenge), credentials)}`;
    }
    if (credentials?.basic === undefined) throw new DownloadError(this.#passwordHint(credentials));
    return `Basic ${credentials.basic}`;
  }

  async #tokenFor(
    { realm, ...about }: TokenChallenge,
    credentials: Credentials | undefined,
  ): Promise<string> {
    const url = URL.canParse(realm) ? new URL(realm) : undefined;
    if (url === undefined || !this.#isSafeForTokens(url)) {
      throw new DownloadError(
        `the registry names an invalid token URL (it must be https:// and not this machine): ${realm}`,
      );
    }
    const { response, bytes } = await this.#askForToken(url, about, credentials);
    if (response.ok) return tokenIn(bytes);
    const { status } = response;
    throw new DownloadError(`${noToken} (${status})${await this.#hintFor(status)}`);
  }

  #isSafeForTokens(url: URL): boolean {
    const { isTrusted } = this.#connection;
    if (!/^https?:$/.test(url.protocol)) return false;
    return isTrusted(url) ? isTrusted(new URL(this.#access.origin)) : url.protocol === 'https:';
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
      return this.#download(url, request);
    }
    for (const [name, value] of Object.entries(about)) url.searchParams.set(name, value);
    const basic = credentials?.basic;
    const headers = basic === undefined ? {} : { authorization: `Basic ${basic}` };
    return this.#download(url, { headers, followsRedirects: false });
  }

  #download(url: URL, request: DownloadRequest) {
    return download(url.href, request, this.#access.limits, this.#connection);
  }
}

function tokenIn(bytes: Uint8Array): string {
  const { token, access_token: accessToken } = objectIn(bytes, noToken);
  const found = [token, accessToken].find((each) => typeof each === 'string' && each !== '');
  if (found === undefined) throw new DownloadError(noToken);
  return String(found);
}
