import { dirname, isAbsolute, join } from 'node:path';
import { member } from '@kubeadmit/apimachinery';
import { readErrorText, readText } from '@kubeadmit/files';
import { readYaml } from '@kubeadmit/go';
import { ApiError } from './api-error.ts';

/** A cluster of a kubeconfig, by the names of client-go's `clientcmd/api/v1`. Paths are absolute. */
export interface ClusterEntry {
  readonly server: string;
  readonly tlsServerName: string;
  readonly skipsVerification: boolean;
  readonly authority: FileOrData;
  readonly proxyUrl: string;
}

/** A user of a kubeconfig. Paths are absolute. */
export interface UserEntry {
  readonly certificate: FileOrData;
  readonly key: FileOrData;
  readonly token: string;
  readonly tokenFile: string;
  readonly username: string;
  readonly password: string;
  readonly impersonate: Impersonation;
  readonly exec: ExecEntry | undefined;
  /** The configuration of an auth provider, such as `oidc`. */
  readonly authProvider: object | undefined;
}

/** Something that is in a file, or in the kubeconfig itself in base64; the latter wins. */
export interface FileOrData {
  readonly file: string;
  readonly data: string;
}

/** The user that requests impersonate. */
export interface Impersonation {
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A program that prints credentials. */
export interface ExecEntry {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: string;
}

/** The cluster and the user of a context. */
export interface AccessEntry {
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
}

/**
 * Reads the cluster and the user of a context of a kubeconfig as client-go does; default: the current context.
 *
 * @throws ApiError when the file cannot be read, or client-go would refuse it.
 */
export function readKubeconfig(file: string, context = ''): AccessEntry {
  const config = parseKubeconfig(file);
  const name = context || text(config, 'current-context');
  const contexts = named(config, 'contexts', 'context');
  const found = contexts.get(name);
  if (name === '' || found === undefined)
    throw new ApiError(0, contextProblem(file, name, contexts));
  const clusterName = text(found, 'cluster');
  const cluster = named(config, 'clusters', 'cluster').get(clusterName);
  if (cluster === undefined) throw missingEntry(file, 'cluster', clusterName, name);
  const userName = text(found, 'user');
  const user = named(config, 'users', 'user').get(userName);
  if (user === undefined && userName !== '') throw missingEntry(file, 'user', userName, name);
  const folder = dirname(file);
  const entry = { cluster: clusterEntry(cluster, folder), user: userEntry(user, folder) };
  const problem = entryProblem(entry, userName);
  if (problem !== '') throw new ApiError(0, `the kubeconfig ${file}: ${problem}`);
  return entry;
}

function parseKubeconfig(file: string): unknown {
  const content = kubeconfigText(file);
  if (content.trim() === '') throw new ApiError(0, `the kubeconfig ${file} is empty`);
  const reading = readYaml(content);
  if ('error' in reading) {
    throw new ApiError(0, `${file} cannot be read as a kubeconfig: ${reading.error}`);
  }
  return reading.value;
}

function kubeconfigText(file: string): string {
  try {
    return readText(file);
  } catch (error) {
    throw new ApiError(0, `${file}: ${readErrorText(error)}`);
  }
}

function contextProblem(
  file: string,
  name: string,
  contexts: ReadonlyMap<string, unknown>,
): string {
  const names = [...contexts.keys()].map((each) => `\`${each}\``).join(', ');
  const choose = `; choose one with \`kubectl config use-context NAME --kubeconfig ${file}\``;
  const known = names === '' ? 'it has no contexts' : `it has ${names}${choose}`;
  if (name === '') return `the kubeconfig ${file} has no current context; ${known}`;
  return `the kubeconfig ${file} has no context \`${name}\`; ${known}`;
}

function missingEntry(file: string, kind: string, name: string, context: string): ApiError {
  return new ApiError(
    0,
    `the kubeconfig ${file} has no ${kind} \`${name}\`, which its context \`${context}\` names`,
  );
}

// The refusals of client-go, in its words (`clientcmd` validation, `rest.TLSConfigFor`, `rest.HTTPWrappersForConfig`).
function entryProblem({ cluster, user }: AccessEntry, name: string): string {
  const hasAuthority = cluster.authority.file !== '' || cluster.authority.data !== '';
  if (cluster.skipsVerification && hasAuthority) {
    return 'specifying a root certificates file with the insecure flag is not allowed';
  }
  return (
    methodsProblem(user, name) || pluginProblem(user, name) || impersonationProblem(user, name)
  );
}

function methodsProblem(user: UserEntry, name: string): string {
  const hasCertificate = user.certificate.file !== '' || user.certificate.data !== '';
  if (hasCertificate && user.key.file === '' && user.key.data === '') {
    return `client-key-data or client-key must be specified for ${name} to use the clientCert authentication method`;
  }
  if (user.username === '' && user.password === '') return '';
  if (user.token !== '') {
    return `more than one authentication method found for ${name}; found [token basicAuth], only one is allowed`;
  }
  return user.tokenFile === '' ? '' : 'username/password or bearer token may be set, but not both';
}

function pluginProblem({ exec, authProvider }: UserEntry, name: string): string {
  if (authProvider !== undefined) {
    if (exec !== undefined) {
      return `authProvider cannot be provided in combination with an exec plugin for ${name}`;
    }
    const provider = text(authProvider, 'name');
    return provider === 'oidc' ? '' : `no Auth Provider found for name "${provider}"`;
  }
  if (exec === undefined) return '';
  if (exec.command === '') {
    return `command must be specified for ${name} to use exec authentication plugin`;
  }
  return exec.interactiveMode === '' && exec.apiVersion.endsWith('/v1')
    ? `interactiveMode must be specified for ${name} to use exec authentication plugin`
    : '';
}

function impersonationProblem({ impersonate }: UserEntry, name: string): string {
  const { user, uid, groups, extra } = impersonate;
  const isIncomplete = uid !== '' || groups.length > 0 || Object.keys(extra).length > 0;
  return isIncomplete && user === ''
    ? `requesting uid, groups or user-extra for ${name} without impersonating a user`
    : '';
}

function clusterEntry(cluster: unknown, folder: string): ClusterEntry {
  return {
    server: text(cluster, 'server').replace(/\/$/, ''),
    tlsServerName: text(cluster, 'tls-server-name'),
    skipsVerification: member(cluster, 'insecure-skip-tls-verify') === true,
    authority: fileOrData(cluster, 'certificate-authority', folder),
    proxyUrl: text(cluster, 'proxy-url'),
  };
}

function userEntry(user: unknown, folder: string): UserEntry {
  const exec = member(user, 'exec');
  const authProvider = member(user, 'auth-provider');
  return {
    certificate: fileOrData(user, 'client-certificate', folder),
    key: fileOrData(user, 'client-key', folder),
    token: text(user, 'token'),
    tokenFile: absolute(text(user, 'tokenFile'), folder),
    username: text(user, 'username'),
    password: text(user, 'password'),
    impersonate: {
      user: text(user, 'as'),
      uid: text(user, 'as-uid'),
      groups: texts(member(user, 'as-groups')),
      extra: Object.fromEntries(
        Object.entries((member(user, 'as-user-extra') ?? {}) as object).map(([key, values]) => [
          key,
          texts(values),
        ]),
      ),
    },
    exec: exec == null ? undefined : execEntry(exec, folder),
    authProvider: authProvider == null ? undefined : (authProvider as object),
  };
}

function execEntry(exec: unknown, folder: string): ExecEntry {
  const command = text(exec, 'command');
  const env = (member(exec, 'env') ?? []) as readonly unknown[];
  return {
    apiVersion: text(exec, 'apiVersion'),
    // A name without a slash is looked for in PATH.
    command: command.includes('/') ? absolute(command, folder) : command,
    args: texts(member(exec, 'args')),
    env: Object.fromEntries(env.map((each) => [text(each, 'name'), text(each, 'value')])),
    installHint: text(exec, 'installHint'),
    provideClusterInfo: member(exec, 'provideClusterInfo') === true,
    interactiveMode: text(exec, 'interactiveMode'),
  };
}

// Of several entries with one name the first one counts.
function named(config: unknown, list: string, field: string): ReadonlyMap<string, unknown> {
  const entries = member(config, list);
  const found = new Map<string, unknown>();
  if (!Array.isArray(entries)) return found;
  for (const entry of entries) {
    const name = text(entry, 'name');
    if (!found.has(name)) found.set(name, member(entry, field) ?? {});
  }
  return found;
}

function fileOrData(entry: unknown, field: string, folder: string): FileOrData {
  return { file: absolute(text(entry, field), folder), data: text(entry, `${field}-data`) };
}

function absolute(path: string, folder: string): string {
  return path === '' || isAbsolute(path) ? path : join(folder, path);
}

function text(object: unknown, field: string): string {
  return String(member(object, field) ?? '');
}

function texts(values: unknown): readonly string[] {
  return Array.isArray(values) ? values.map(String) : [];
}
