import { ConfigurationFileError, configurationFileArguments } from '@kubeadmit/files';
import { Command, CommanderError, InvalidArgumentError, type Option } from 'commander';
import type { AuditLevel, ServerOptions, StoreChoice } from './server-options.ts';
import { UsageError } from './usage-error.ts';

/** Where help and complaints about options are written. */
export interface OptionOutput {
  writeOut(text: string): void;
  writeErr(text: string): void;
}

/** The options of the program. */
export interface ProgramOptions extends ServerOptions {
  readonly writeKubeconfig?: string | undefined;
  /** The command and arguments that the server runs for; empty for none. */
  readonly command: readonly string[];
}

/** The options as commander names them. */
interface RawOptions {
  readonly data?: string;
  readonly newKeys?: true;
  readonly etcd?: string;
  readonly etcdPrefix?: string;
  readonly etcdCafile?: string;
  readonly etcdCertfile?: string;
  readonly etcdKeyfile?: string;
  readonly inMemory?: true;
  readonly listen?: { readonly host: string; readonly port: number };
  readonly name: readonly string[];
  readonly writeKubeconfig?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly clientCa?: string;
  readonly tokenFile?: string;
  readonly oidcIssuerUrl?: string;
  readonly oidcClientId?: string;
  readonly oidcUsernameClaim?: string;
  readonly oidcUsernamePrefix?: string;
  readonly oidcGroupsClaim?: string;
  readonly oidcGroupsPrefix?: string;
  readonly oidcRequiredClaim: readonly string[];
  readonly oidcCaFile?: string;
  readonly load: readonly string[];
  readonly staticManifests: readonly string[];
  readonly admissionControlConfigFile?: string;
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  readonly controllers: boolean;
  readonly alwaysAllow?: true;
  readonly kubernetesVersion?: string;
  readonly auditLogPath?: string;
  readonly auditLevel: AuditLevel;
  readonly auditLogMaxsize: number;
  readonly auditLogMaxbackup: number;
  readonly auditLogMaxage: number;
}

function usageText({ args }: Command, { code, message }: CommanderError): string {
  if (code !== 'commander.excessArguments') return message.replace(/^error: /, '');
  const given = args.map((each) => `\`${each}\``).join(', ');
  return `unexpected arguments: ${given}; put a command after \`--\``;
}

const defaultListen = { host: '127.0.0.1', port: 6443 };

/**
 * Reads the options of the program; returns `undefined` if they only ask for help.
 *
 * @throws UsageError if the options are invalid
 */
export function readOptions(
  args: readonly string[],
  output: OptionOutput,
): ProgramOptions | undefined {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  const command = createCommand(output);
  try {
    command.parse(withConfiguration(command, own), { from: 'user' });
  } catch (error) {
    if (error instanceof ConfigurationFileError) throw new UsageError(error.message);
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw new UsageError(usageText(command, error));
  }
  return optionsOf(command.opts<RawOptions>(), end < 0 ? [] : args.slice(end + 1));
}

// Options from the file come first, so that arguments override them.
function withConfiguration(command: Command, args: readonly string[]): readonly string[] {
  const files = args.flatMap((argument, i) => {
    if (argument.startsWith('--config=')) return [argument.slice('--config='.length)];
    return argument === '--config' && args[i + 1] !== undefined ? [args[i + 1] ?? ''] : [];
  });
  return [...files.flatMap((file) => configurationFileArguments(file, command.options)), ...args];
}

const examples = `
Examples:
  kubeadmit apiserver --data ./cluster --write-kubeconfig ./kubeconfig
  kubeadmit apiserver --load policies/ -- go test -p 1 ./...
  go test -exec 'kubeadmit apiserver --' ./...      A separate server for each package
  kubeadmit apiserver --in-memory --listen 127.0.0.1:0 --write-kubeconfig ./kubeconfig

With a COMMAND, the server runs until the command ends, and its exit code is returned. KUBECONFIG is set
for the command, and USE_EXISTING_CLUSTER=true, so that envtest of controller-runtime uses this server.

Exit codes: 0 the server was stopped, 2 invalid usage, manifests or address, 4 the store cannot be opened
or reached; otherwise that of COMMAND.`;

function createCommand(output: OptionOutput): Command {
  return new Command('kubeadmit apiserver')
    .description('Run a Kubernetes API server for policies and tests in one process.')
    .usage('[options] [-- COMMAND …]')
    .helpOption('-h, --help', 'Print help')
    .addHelpText('after', examples)
    .allowExcessArguments(false)
    .option('--config <file>', 'Configuration file; options override it')
    .option('--kubernetes-version <version>', 'Kubernetes version (default: newest)')
    .optionsGroup('Storage:')
    .option('--data <dir>', 'Store objects in this folder')
    .option('--new-keys', 'Create new keys if those of --data are lost')
    .option('--etcd <urls>', 'Store objects in etcd; comma-separated URLs')
    .option('--etcd-prefix <prefix>', 'Prefix of all keys in etcd (default: "/registry")')
    .option('--etcd-cafile <file>', 'CA certificates of etcd')
    .option('--etcd-certfile <file>', 'Client certificate for etcd')
    .option('--etcd-keyfile <file>', 'Key of the client certificate')
    .option('--in-memory', 'Store objects in memory (default with a COMMAND)')
    .optionsGroup('Objects:')
    .option('--load <path>', 'Manifests to create at startup (repeatable)', collected, [])
    .option(
      '--static-manifests <folder>',
      'Static policies or webhooks, reloaded on change (repeatable)',
      collected,
      [],
    )
    .option('--admission-control-config-file <file>', 'AdmissionConfiguration of kube-apiserver')
    .option(
      '--enable-admission-plugins <names>',
      'Additional admission plugins, comma-separated (repeatable)',
      namesOf,
      [],
    )
    .option(
      '--disable-admission-plugins <names>',
      'Default admission plugins to disable, comma-separated (repeatable)',
      namesOf,
      [],
    )
    .option('--no-controllers', 'Do not run controllers')
    .optionsGroup('Serving:')
    .option('--listen <host:port>', 'HTTPS address (default: "127.0.0.1:6443")', addressOf)
    .option('--name <name>', 'Additional name in the certificate (repeatable)', collected, [])
    .option('--tls-cert <file>', 'Server certificate (default: generated)')
    .option('--tls-key <file>', 'Key of the server certificate')
    .option('--write-kubeconfig <file>', "Write an administrator's kubeconfig when ready")
    .optionsGroup('Users:')
    .option('--client-ca <file>', 'CA certificates of further client certificates')
    .option('--token-file <file>', 'Static tokens; lines of token,user,uid,"group,group"')
    .option('--oidc-issuer-url <url>', 'Issuer of ID tokens (https://)')
    .option('--oidc-client-id <id>', 'Required audience of ID tokens')
    .option('--oidc-username-claim <claim>', 'Claim with the user name (default: "sub")')
    .option('--oidc-username-prefix <prefix>', 'Prefix of user names; "-" for none')
    .option('--oidc-groups-claim <claim>', 'Claim with the groups')
    .option('--oidc-groups-prefix <prefix>', 'Prefix of groups')
    .option('--oidc-required-claim <key=value>', 'Required claim (repeatable)', collected, [])
    .option('--oidc-ca-file <file>', 'CA certificates of the issuer')
    .option('--always-allow', 'Turn RBAC off; only on a loopback address')
    .optionsGroup('Auditing:')
    .option('--audit-log-path <file>', 'Audit log as JSON Lines; "-" for standard output')
    .option('--audit-level <level>', 'Metadata, Request or RequestResponse', levelOf, 'Metadata')
    .option(
      '--audit-log-maxsize <mb>',
      'Size in MB at which the log is rotated; 0 for never',
      countOf,
      100,
    )
    .option('--audit-log-maxbackup <count>', 'Old audit logs to keep; 0 for all', countOf, 100)
    .option(
      '--audit-log-maxage <days>',
      'Days to keep old audit logs; 0 for no limit',
      countOf,
      366,
    )
    .exitOverride()
    .configureOutput(output)
    .configureHelp({ optionDescription: describeOption })
    .showSuggestionAfterError();
}

/** Describes an option with its default, without the empty list of a repeatable one. */
function describeOption({ description, defaultValue }: Option): string {
  return defaultValue === undefined ||
    typeof defaultValue === 'boolean' ||
    Array.isArray(defaultValue)
    ? description
    : `${description} (default: ${JSON.stringify(defaultValue)})`;
}

function optionsOf(raw: RawOptions, command: readonly string[]): ProgramOptions {
  if ((raw.tlsCert === undefined) !== (raw.tlsKey === undefined)) {
    throw new UsageError('--tls-cert and --tls-key must be used together');
  }
  const isForCommand = command.length > 0;
  return {
    store: storeOf(raw, isForCommand),
    listen: raw.listen ?? (isForCommand ? { ...defaultListen, port: 0 } : defaultListen),
    names: raw.name,
    ...(raw.tlsCert !== undefined && raw.tlsKey !== undefined
      ? { tls: { certificateFile: raw.tlsCert, keyFile: raw.tlsKey } }
      : {}),
    clientCaFile: raw.clientCa,
    tokenFile: raw.tokenFile,
    oidc: oidcOf(raw),
    load: raw.load,
    staticManifests: raw.staticManifests,
    admissionConfigurationFile: raw.admissionControlConfigFile,
    enableAdmissionPlugins: raw.enableAdmissionPlugins,
    disableAdmissionPlugins: raw.disableAdmissionPlugins,
    controllers: raw.controllers,
    authorization: raw.alwaysAllow ? 'always-allow' : 'rbac',
    kubernetesVersion: raw.kubernetesVersion,
    ...(raw.auditLogPath === undefined ? {} : { auditLog: auditLogOf(raw, raw.auditLogPath) }),
    writeKubeconfig: raw.writeKubeconfig,
    command,
  };
}

function auditLogOf(raw: RawOptions, path: string): ServerOptions['auditLog'] {
  return {
    path,
    level: raw.auditLevel,
    maxSize: raw.auditLogMaxsize,
    maxBackups: raw.auditLogMaxbackup,
    maxAge: raw.auditLogMaxage,
  };
}

function storeOf(raw: RawOptions, isForCommand: boolean): StoreChoice {
  const chosen = [raw.data, raw.etcd, raw.inMemory].filter((choice) => choice !== undefined);
  if (chosen.length > 1) throw new UsageError('choose one of --data, --etcd and --in-memory');
  if (raw.data === '') throw new UsageError('--data requires a folder');
  if (raw.newKeys && raw.data === undefined) {
    throw new UsageError('--new-keys requires --data');
  }
  if (raw.data !== undefined) {
    return { type: 'folder', folder: raw.data, newKeys: raw.newKeys === true };
  }
  if (raw.etcd !== undefined) {
    const urls = raw.etcd.split(',').map((url) => url.trim());
    for (const url of urls) {
      if (!/^https?:\/\/[^/]+\/?$/.test(url)) throw new UsageError(`--etcd: not a URL: ${url}`);
    }
    return {
      type: 'etcd',
      urls,
      prefix: raw.etcdPrefix,
      caFile: raw.etcdCafile,
      certificateFile: raw.etcdCertfile,
      keyFile: raw.etcdKeyfile,
    };
  }
  if (raw.inMemory || isForCommand) return { type: 'memory' };
  throw new UsageError('no storage selected: use --data DIR, --etcd URL or --in-memory');
}

function oidcOf(raw: RawOptions): ServerOptions['oidc'] {
  const { oidcIssuerUrl: issuerUrl, oidcClientId: clientId } = raw;
  if (issuerUrl === undefined && clientId === undefined) return undefined;
  if (issuerUrl === undefined || clientId === undefined) {
    throw new UsageError('--oidc-issuer-url and --oidc-client-id must be used together');
  }
  if (!issuerUrl.startsWith('https://'))
    throw new UsageError('--oidc-issuer-url: must be an https:// URL');
  return {
    issuerUrl,
    clientId,
    usernameClaim: raw.oidcUsernameClaim,
    usernamePrefix: raw.oidcUsernamePrefix,
    groupsClaim: raw.oidcGroupsClaim,
    groupsPrefix: raw.oidcGroupsPrefix,
    requiredClaims: Object.fromEntries(raw.oidcRequiredClaim.map(claimOf)),
    caFile: raw.oidcCaFile,
  };
}

function claimOf(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--oidc-required-claim: expected key=value, got ${text}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function addressOf(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]|([^:]*)):(\d+)$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535)
    throw new InvalidArgumentError('Expected HOST:PORT.');
  return { host: host === '' ? '0.0.0.0' : host, port: Number(port) };
}

function levelOf(text: string): AuditLevel {
  if (text === 'Metadata' || text === 'Request' || text === 'RequestResponse') return text;
  throw new InvalidArgumentError('Expected Metadata, Request or RequestResponse.');
}

function countOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number of at least 0.');
}

function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function namesOf(value: string, before: readonly string[]): readonly string[] {
  return [...before, ...value.split(',').filter((name) => name !== '')];
}
