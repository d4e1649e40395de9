import { createPrivateKey, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import type { ApiClient, BoundObject, TokenIssuer } from '@kubeadmit/apiserver';
import type { UserInfo } from '@kubeadmit/engine';
import { quote } from '@kubeadmit/go';
import { calculateJwkThumbprint, exportJWK, jwtVerify, SignJWT } from 'jose';
import type { TokenAuthenticator, TokenUser } from './authenticator.ts';

/** The issuer that tokens name, as a cluster without another one has it. */
export const tokenIssuer = 'https://kubernetes.default.svc.cluster.local';

const algorithm = 'ES256';
/** How long a token stays valid after the deletion of an object that it is bound to, while finalizers keep the object. */
const leewayMilliseconds = 60_000;

/** Claims of Kubernetes in a token. */
interface PrivateClaims {
  readonly namespace: string;
  readonly serviceaccount: Required<NamedObject>;
  readonly pod?: NamedObject;
  readonly secret?: NamedObject;
  readonly node?: NamedObject;
}

interface NamedObject {
  readonly name: string;
  /** Absent for the node of a pod, if the cluster had no such node. */
  readonly uid?: string;
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
    readonly bound: readonly BoundObject[];
  }): Promise<{ readonly token: string; readonly expirationTimestamp: string }> {
    const { namespace, serviceAccount, spec, bound } = request;
    const account = namedObject(serviceAccount['metadata']);
    const seconds = Math.floor(this.#now() / 1000);
    const expires = seconds + Number(spec['expirationSeconds'] ?? 3600);
    const audiences = (spec['audiences'] as readonly string[] | undefined) ?? [];
    const claims: PrivateClaims = {
      namespace,
      serviceaccount: account,
      ...boundClaims(bound),
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
    wanted: readonly string[] = this.audiences,
  ): Promise<TokenUser | { readonly problem: string } | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.#publicKey, {
        issuer: tokenIssuer,
        algorithms: [algorithm],
        currentDate: new Date(this.#now()),
      });
      const own = [payload.aud ?? this.audiences].flat();
      const audiences = own.filter((audience) => wanted.includes(audience));
      if (audiences.length === 0) return { problem: audienceProblem(own, wanted) };
      const user = await this.#userOf(payload['kubernetes.io'] as PrivateClaims, payload.jti);
      return user && { user, audiences };
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
    const { namespace, serviceaccount, pod, secret, node } = claims;
    const within = `/api/v1/namespaces/${namespace}`;
    const required: (readonly [string, NamedObject])[] = [
      [`${within}/serviceaccounts`, serviceaccount],
      ...(pod ? [[`${within}/pods`, pod] as const] : []),
      ...(secret ? [[`${within}/secrets`, secret] as const] : []),
      // A pod outlives its node.
      ...(node && !pod ? [['/api/v1/nodes', node] as const] : []),
    ];
    for (const [collection, object] of required) {
      if (!(await this.#exists(collection, object))) return undefined;
    }
    return {
      username: `system:serviceaccount:${namespace}:${serviceaccount.name}`,
      uid: serviceaccount.uid,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
      extra: Object.fromEntries([
        ...(id === undefined ? [] : [[`${extraPrefix}credential-id`, [`JTI=${id}`]]]),
        ...extraOf('node', node),
        ...extraOf('pod', pod),
      ]),
    };
  }

  /** Whether an object exists and was not deleted a minute ago (pkg/serviceaccount `Validate`). */
  async #exists(collection: string, { name, uid }: NamedObject): Promise<boolean> {
    const path = `${collection}/${encodeURIComponent(name)}`;
    const { status, object } = await this.#ask({ method: 'GET', path });
    if (status !== 200 || metadataString(object, 'uid') !== uid) return false;
    const deleted = metadataString(object, 'deletionTimestamp');
    return deleted === '' || Date.parse(deleted) >= this.#now() - leewayMilliseconds;
  }
}

const extraPrefix = 'authentication.kubernetes.io/';

function extraOf(kind: string, object: NamedObject | undefined): [string, string[]][] {
  if (object === undefined) return [];
  const { name, uid } = object;
  return [
    [`${extraPrefix}${kind}-name`, [name]],
    ...(uid ? ([[`${extraPrefix}${kind}-uid`, [uid]]] as [string, string[]][]) : []),
  ];
}

// pkg/serviceaccount `jwtTokenAuthenticator`
function audienceProblem(own: readonly string[], wanted: readonly string[]): string {
  const [ofToken, target] = [own, wanted].map(
    (list) => `[${list.map((each) => quote(each)).join(' ')}]`,
  );
  return `token audiences ${ofToken} is invalid for the target audiences ${target}`;
}

function namedObject(value: unknown): Required<NamedObject> {
  const { name, uid } = value as Required<NamedObject>;
  return { name, uid };
}

function boundClaims(bound: readonly BoundObject[]): Partial<PrivateClaims> {
  const claims = bound.map(({ kind, name, uid }) => [
    kind.toLowerCase(),
    { name, ...(uid === '' ? {} : { uid }) },
  ]);
  return Object.fromEntries(claims) as Partial<PrivateClaims>;
}
