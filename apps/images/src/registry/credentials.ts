import { isRecord } from '@kubeadmit/manifest';
import type { Repository } from './registry.ts';

/** The name and password for a registry. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Returns the credentials for a registry; `undefined` without any. */
export type FindCredentials = (registry: Repository['registry']) => Credentials | undefined;

/**
 * Reads the credentials in Docker's `config.json`. Programs that it names (`credsStore`, `credHelpers`) are not run.
 *
 * @throws Error for text that is not a JSON object
 */
export function readDockerConfig(text: string): FindCredentials {
  const config: unknown = JSON.parse(text);
  if (!isRecord(config)) throw new Error('not a JSON object');
  const auths = isRecord(config['auths']) ? config['auths'] : {};
  const known = new Map(
    Object.entries(auths).flatMap(([server, entry]) => {
      const credentials = isRecord(entry) ? credentialsIn(entry) : undefined;
      return credentials === undefined ? [] : [[hostOf(server), credentials] as const];
    }),
  );
  return (registry) => known.get(registry);
}

/** The host of a server, which older files write as an address with a path. */
function hostOf(server: string): string {
  const host = server.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
  return host === 'docker.io' ? 'index.docker.io' : host;
}

function credentialsIn(entry: Readonly<Record<string, unknown>>): Credentials | undefined {
  const { auth, username, password } = entry;
  if (typeof username === 'string' && typeof password === 'string') return { username, password };
  if (typeof auth !== 'string') return undefined;
  const decoded = Buffer.from(auth, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 0) return undefined;
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}
