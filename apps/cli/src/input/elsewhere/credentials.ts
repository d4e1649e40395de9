import { homedir } from 'node:os';
import { join } from 'node:path';
import { jsonObject, readText } from '@kubeadmit/files';
import { type Credentials, entryFor, storedCredentials } from '@kubeadmit/images/remote';
import { ElsewhereError } from '../local/found-text.ts';
import { outputOf } from './programs.ts';

/** The variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The largest output of a helper, which prints a few hundred bytes. */
const maxFileSize = 1 << 20;

/**
 * Returns the credentials that `docker login` or `podman login` stored for a registry, in a configuration file or with the
 * helper (`docker-credential-NAME`) that it names; undefined if there are none.
 *
 * @throws ElsewhereError for an invalid file, and for a helper that fails
 */
export function credentialsFor(host: string, env: Environment): Credentials | undefined {
  for (const file of configurationFiles(env)) {
    const text = textOf(file);
    if (text === undefined) continue;
    const config = jsonObject(text);
    if (config === undefined) throw new ElsewhereError(`${file} is not a JSON object`);
    const found = credentialsIn(config, { host, file, env });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The configuration files in order: the one of the environment, podman's, docker's. */
function configurationFiles(env: Environment): readonly string[] {
  const { REGISTRY_AUTH_FILE, DOCKER_CONFIG, XDG_RUNTIME_DIR, HOME } = env;
  if (REGISTRY_AUTH_FILE) return [REGISTRY_AUTH_FILE];
  return [
    ...(XDG_RUNTIME_DIR ? [join(XDG_RUNTIME_DIR, 'containers', 'auth.json')] : []),
    join(DOCKER_CONFIG || join(HOME || homedir(), '.docker'), 'config.json'),
  ];
}

function textOf(file: string): string | undefined {
  try {
    return readText(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ElsewhereError(message);
  }
}

interface Asked {
  readonly host: string;
  readonly file: string;
  readonly env: Environment;
}

function credentialsIn(
  config: Readonly<Record<string, unknown>>,
  { host, file, env }: Asked,
): Credentials | undefined {
  const [, helper] = entryFor(config['credHelpers'], host) ?? [];
  if (typeof helper === 'string') return fromHelper(helper, host, env);
  const stored = storedCredentials(config, host, file);
  if (stored !== undefined) return stored;
  const [key = host] = entryFor(config['auths'], host) ?? [];
  const store = config['credsStore'];
  return typeof store === 'string' && store !== '' ? fromHelper(store, key, env) : undefined;
}

/** Asks a helper (docker/docker-credential-helpers): it reads the registry, and writes a name and a secret. */
function fromHelper(helper: string, key: string, env: Environment): Credentials | undefined {
  const program = `docker-credential-${helper}`;
  if (!/^[\w.-]+$/.test(helper))
    throw new ElsewhereError(`\`${program}\` is not a valid program name`);
  const output = answerOf(program, key, env);
  if (output === undefined) return undefined;
  const { Username: user, Secret: secret } = jsonObject(Buffer.from(output).toString('utf8')) ?? {};
  if (typeof user !== 'string' || typeof secret !== 'string') {
    throw new ElsewhereError(`\`${program} get\` returned no user name and secret`);
  }
  if (user === '<token>') return { from: program, identityToken: secret };
  return { from: program, basic: Buffer.from(`${user}:${secret}`).toString('base64') };
}

function answerOf(program: string, key: string, env: Environment): Uint8Array | undefined {
  let output: Uint8Array | undefined;
  try {
    output = outputOf(program, ['get'], { env, maxFileSize }, key);
  } catch (error) {
    // Helpers fail in this way where nothing is kept.
    if (/credentials not found/.test((error as Error).message)) return undefined;
    throw error;
  }
  if (output === undefined) throw new ElsewhereError(`\`${program}\` is not installed`);
  return output;
}
