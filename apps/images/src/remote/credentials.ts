/** The credentials of a client of registries. */
export interface Credentials {
  /** Where they are stored, in words. */
  readonly from: string;
  /** `user:password` in base64. */
  readonly basic?: string | undefined;
  /** A token that the registry exchanges for others. */
  readonly identityToken?: string | undefined;
}

/** Returns the credentials for the host of a registry; undefined if there are none. */
export type FindCredentials = (
  host: string,
) => Credentials | undefined | Promise<Credentials | undefined>;

/**
 * Returns the credentials for a registry that a configuration file of Docker contains itself; undefined if there are
 * none.
 *
 * @param from where the configuration is stored, in words
 */
export function storedCredentials(
  config: Readonly<Record<string, unknown>>,
  host: string,
  from: string,
): Credentials | undefined {
  const [, entry] = entryFor(config['auths'], host) ?? [];
  const { auth, identitytoken, username, password } = (entry ?? {}) as Readonly<
    Record<string, unknown>
  >;
  if (isText(identitytoken)) return { from, identityToken: identitytoken };
  if (isText(auth)) return { from, basic: auth };
  if (!isText(username) || typeof password !== 'string') return undefined;
  // Secrets of Kubernetes may have these instead of `auth`.
  return { from, basic: Buffer.from(`${username}:${password}`).toString('base64') };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The names of Docker Hub. */
const hub = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io']);

/** Returns the entry for a registry, whose key may be a URL. */
export function entryFor(entries: unknown, host: string): readonly [string, unknown] | undefined {
  if (typeof entries !== 'object' || entries === null) return undefined;
  const same = (key: string): boolean => {
    const name = key.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
    return name === host || (hub.has(name) && hub.has(host));
  };
  return Object.entries(entries).find(([key]) => same(key));
}
