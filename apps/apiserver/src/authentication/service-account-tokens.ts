import { createPrivateKey, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import type { ApiClient, TokenIssuer } from '@kubeadmit/apiserver';
import type { UserInfo } from '@kubeadmit/engine';
import { calculateJwkThumbprint, exportJWK, jwtVerify, SignJWT } from 'jose';
import type { TokenAuthenticator } from './authenticator.ts';

/** The issuer that tokens name, as a cluster without another one has it. */
export const tokenIssuer = 'https://kubernetes.default.svc.cluster.local';

const algorithm = 'ES256';

/** Claims of Kubernetes in a token. */
interface PrivateClaims {
  readonly namespace: string;
  readonly serviceaccount: NamedObject;
  readonly pod?: NamedObject;
  readonly secret?: NamedObject;
  readonly node?: NamedObject;
}

interface NamedObject {
  readonly name: string;
  readonly uid: string;
}

/** Issues and knows tokens of service accounts (TokenRequest), signed with the key of the cluster. */
export class ServiceAccountTokens implements TokenIssuer, TokenAuthenticator {
  readonly audiences: readonly string[] = [tokenIssuer];
  readonly certificateAuthority: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #now: () => number;
  readonly #ask: ApiClient['ask'];

  constructor(options: {
    readonly key: string;
    readonly certificateAuthority: string;
    readonly now: () => number;
    /** Reads the object that a token is bound to from the server. */
    readonly ask: ApiClient['ask'];
  }) {
    this.#privateKey = createPrivateKey(options.key);
    this.#publicKey = createPublicKey(options.key);
    this.certificateAuthority = options.certificateAuthority;
    this.#now = options.now;
    this.#ask = options.ask;
  }

  async issue(request: {
    readonly namespace: string;
    readonly serviceAccount: KubernetesObject;
    readonly spec: KubernetesObject;
  }): Promise<{ readonly token: string; readonly expirationTimestamp: string }> {
    const { namespace, serviceAccount, spec } = request;
    const account = namedObject(serviceAccount['metadata']);
    const seconds = Math.floor(this.#now() / 1000);
    const expires = seconds + Number(spec['expirationSeconds'] ?? 3600);
    const audiences = (spec['audiences'] as readonly string[] | undefined) ?? [];
    const claims: PrivateClaims = {
      namespace,
      serviceaccount: account,
      ...boundObject(spec['boundObjectRef']),
    };
    const token = await new SignJWT({ 'kubernetes.io': claims })
      .setProtectedHeader({ alg: algorithm, kid: await this.#keyId() })
      .setIssuer(tokenIssuer)
      .setAudience(audiences.length > 0 ? [...audiences] : [tokenIssuer])
      .setSubject(`system:serviceaccount:${namespace}:${account.name}`)
      .setJti(randomUUID())
      .setIssuedAt(seconds)
      .setNotBefore(seconds)
      .setExpirationTime(expires)
      .sign(this.#privateKey);
    const expirationTimestamp = new Date(expires * 1000).toISOString().replace('.000Z', 'Z');
    return { token, expirationTimestamp };
  }

  async authenticate(
    token: string,
    audiences: readonly string[] = [tokenIssuer],
  ): Promise<UserInfo | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.#publicKey, {
        issuer: tokenIssuer,
        audience: [...audiences],
        algorithms: [algorithm],
        currentDate: new Date(this.#now()),
      });
      return await this.#userOf(payload['kubernetes.io'] as PrivateClaims, payload.jti);
    } catch {
      // A token of another issuer, or an expired one: its user is unknown here.
      return undefined;
    }
  }

  /** The keys that others check tokens with (`/openid/v1/jwks`). */
  async publicKeys(): Promise<object> {
    const jwk = await exportJWK(this.#publicKey);
    return { keys: [{ use: 'sig', ...jwk, kid: await this.#keyId(), alg: algorithm }] };
  }

  async #keyId(): Promise<string> {
    return calculateJwkThumbprint(await exportJWK(this.#publicKey));
  }

  async #userOf(claims: PrivateClaims, id: string | undefined): Promise<UserInfo | undefined> {
    const { namespace, serviceaccount, pod, secret } = claims;
    const bound: (readonly [string, NamedObject])[] = [
      ['serviceaccounts', serviceaccount],
      ...(pod ? [['pods', pod] as const] : []),
      ...(secret ? [['secrets', secret] as const] : []),
    ];
    for (const [resource, { name, uid }] of bound) {
      const path = `/api/v1/namespaces/${namespace}/${resource}/${encodeURIComponent(name)}`;
      const { status, object } = await this.#ask({ method: 'GET', path });
      if (status !== 200 || metadataString(object, 'uid') !== uid) return undefined;
    }
    return {
      username: `system:serviceaccount:${namespace}:${serviceaccount.name}`,
      uid: serviceaccount.uid,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
      extra: {
        ...(id === undefined
          ? {}
          : { 'authentication.kubernetes.io/credential-id': [`JTI=${id}`] }),
        ...(pod
          ? {
              'authentication.kubernetes.io/pod-name': [pod.name],
              'authentication.kubernetes.io/pod-uid': [pod.uid],
            }
          : {}),
      },
    };
  }
}

function namedObject(value: unknown): NamedObject {
  const { name, uid } = value as NamedObject;
  return { name, uid };
}

function boundObject(reference: unknown): Partial<PrivateClaims> {
  if (typeof reference !== 'object' || reference === null) return {};
  const { kind = '' } = reference as { readonly kind?: string };
  return { [kind.toLowerCase()]: namedObject(reference) };
}
