import { request } from 'node:https';
import { member } from '@kubeadmit/apimachinery';
import { errorText, hasMembers } from '@kubeadmit/base';
import type { UserInfo } from '@kubeadmit/engine';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import type { OidcOptions } from '../configuration/oidc-options.ts';
import { readText } from '../configuration/read-text.ts';
import type { UserTokens } from './authenticator.ts';

/** After this time keys are fetched again, sooner when a token names one that is not known. */
const keyMilliseconds = 600_000;
const fewestMilliseconds = 10_000;
/** The time for one document of the provider, as in kube-apiserver. */
const documentMilliseconds = 30_000;
/** The maximum size of such a document. kube-apiserver has no limit; a key set of 100 RSA keys has about 100 KB. */
const documentBytes = 2 ** 20;

/** Knows users by the ID tokens of an OpenID Connect provider. */
export class OidcTokens implements UserTokens {
  readonly #options: OidcOptions;
  readonly #now: () => number;
  readonly #tell: (text: string) => void;
  #problem = '';
  #keys: { readonly set: JSONWebKeySet; readonly fetched: number } | undefined;
  /** The last attempt to fetch keys, which concurrent requests share: any client may send tokens of unknown keys. */
  #attempt: { readonly keys: Promise<JSONWebKeySet>; readonly begun: number } | undefined;

  /** @param tell receives the reason why tokens of the provider cannot be checked (default: standard error) */
  constructor(
    options: OidcOptions,
    now: () => number,
    tell: (text: string) => void = (text) => void process.stderr.write(`${text}\n`),
  ) {
    this.#options = options;
    this.#now = now;
    this.#tell = tell;
  }

  async authenticate(token: string): Promise<UserInfo | undefined> {
    const { issuerUrl, clientId } = this.#options;
    try {
      if (decodeJwt(token).iss !== issuerUrl) return undefined;
      const { payload } = await jwtVerify(
        token,
        async (header, input) => createLocalJWKSet(await this.#keysFor(header.kid))(header, input),
        {
          issuer: issuerUrl,
          audience: clientId,
          // kube-apiserver's default for `--oidc-signing-algs`.
          algorithms: ['RS256'],
          requiredClaims: ['exp'],
          currentDate: new Date(this.#now()),
        },
      );
      return userOf(payload, this.#options);
    } catch {
      // A token of another issuer, an invalid one, or an issuer that cannot be reached: another authenticator decides.
      return undefined;
    }
  }

  /** Returns the keys of the provider. Without them its tokens are rejected, and the log says why. */
  async #keysFor(id: string | undefined): Promise<JSONWebKeySet> {
    try {
      const keys = await this.#findKeys(id);
      this.#problem = '';
      return keys;
    } catch (error) {
      const problem = errorText(error);
      if (problem !== this.#problem) {
        this.#tell(`tokens of ${this.#options.issuerUrl} cannot be checked: ${problem}`);
      }
      this.#problem = problem;
      throw error;
    }
  }

  async #findKeys(id: string | undefined): Promise<JSONWebKeySet> {
    const keys = this.#keys;
    const age = keys ? this.#now() - keys.fetched : Number.POSITIVE_INFINITY;
    const isKnown = keys?.set.keys.some(({ kid }) => id === undefined || kid === id) ?? false;
    if (keys && isKnown && age < keyMilliseconds) return keys.set;
    const begun = this.#now();
    if (this.#attempt === undefined || begun - this.#attempt.begun >= fewestMilliseconds) {
      this.#attempt = { keys: this.#fetchKeys(), begun };
    }
    return this.#attempt.keys;
  }

  async #fetchKeys(): Promise<JSONWebKeySet> {
    const { caFile } = this.#options;
    const certificate = caFile === undefined ? undefined : Buffer.from(await readText(caFile));
    const base = this.#options.issuerUrl.replace(/\/$/, '');
    const found = await getJson(`${base}/.well-known/openid-configuration`, certificate);
    const { issuer, jwks_uri: keysUrl } = found as { issuer?: string; jwks_uri?: string };
    if (issuer !== this.#options.issuerUrl || keysUrl === undefined) {
      throw new Error(`${base} is not the issuer ${this.#options.issuerUrl}`);
    }
    const set = await getJson(keysUrl, certificate);
    if (!isKeySet(set)) throw new Error(`${keysUrl} is not a set of keys`);
    this.#keys = { set, fetched: this.#now() };
    return set;
  }
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  const keys = member(value, 'keys');
  return Array.isArray(keys) && keys.every(hasMembers);
}

function userOf(claims: JWTPayload, options: OidcOptions): UserInfo | undefined {
  const { issuerUrl, usernameClaim = 'sub', groupsClaim, groupsPrefix = '' } = options;
  const defaultPrefix = usernameClaim === 'email' ? '' : `${issuerUrl}#`;
  const prefix = options.usernamePrefix === '-' ? '' : (options.usernamePrefix ?? defaultPrefix);
  const name = claims[usernameClaim];
  if (typeof name !== 'string' || name === '') return undefined;
  const isUnverified = Object.hasOwn(claims, 'email_verified') && claims['email_verified'] !== true;
  if (usernameClaim === 'email' && isUnverified) return undefined;
  for (const [claim, value] of Object.entries(options.requiredClaims ?? {})) {
    if (claims[claim] !== value) return undefined;
  }
  const groups = groupsClaim === undefined ? [] : listOf(claims[groupsClaim]);
  return {
    username: prefix + name,
    groups: groups.map((group) => groupsPrefix + group),
    ...(claims.jti === undefined
      ? {}
      : { extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${claims.jti}`] } }),
  };
}

function listOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function getJson(url: string, ca: Buffer | undefined): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const options = { ...(ca ? { ca } : {}), allowPartialTrustChain: true };
    const sent = request(url, options, (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        size += part.length;
        if (size > documentBytes) fail(`the document is longer than ${documentBytes} bytes`);
        else parts.push(part);
      });
      response.on('error', reject);
      response.on('end', () => {
        try {
          if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`);
          resolve(JSON.parse(Buffer.concat(parts).toString('utf8')));
        } catch (error) {
          reject(error);
        }
      });
    });
    const fail = (problem: string): void => {
      reject(new Error(`${url}: ${problem}`));
      sent.destroy();
    };
    const timer = setTimeout(() => fail('timed out'), documentMilliseconds);
    sent.on('close', () => clearTimeout(timer));
    sent.on('error', reject);
    sent.end();
  });
}
