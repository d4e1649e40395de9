import { ConfigurationFileError, configurationFileArguments } from '@kubeadmit/files';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
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
  readonly controllers: boolean;
  readonly alwaysAllow?: true;
  readonly kubernetesVersion?: string;
  readonly auditLogPath?: string;
  readonly auditLevel: AuditLevel;
}

function usageText({ args }: Command, { code, message }: CommanderError): string {
  if (code !== 'commander.excessArguments') return message.replace(/^error: /, '');
  const given = args.map((each) => `\`${each}\``).join(', ');
  return `${given}: of no option; a command to run stands behind \`--\``;
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

function createCommand(output: OptionOutput): Command {
  return new Command('kubeadmit-apiserver')
    .description('A cluster for policies in one process, for kubectl and every other client.')
    .usage('[options] [-- COMMAND …]')
    .allowExcessArguments(false)
    .option('--config <file>', 'a file of options by their names; arguments win over it')
    .option('--data <dir>', 'keep the objects in this folder')
    .option('--new-keys', 'make keys anew where those beside the objects are lost')
    .option('--etcd <urls>', 'keep the objects in etcd; several members by commas')
    .option('--etcd-prefix <prefix>', 'in front of every key in etcd (default: "/registry")')
    .option('--etcd-cafile <file>', "what signed etcd's certificate")
    .option('--etcd-certfile <file>', 'a certificate for etcd')
    .option('--etcd-keyfile <file>', 'its key')
    .option('--in-memory', 'keep nothing; the default with a COMMAND')
    .option('--listen <host:port>', 'where to serve HTTPS (default: "127.0.0.1:6443")', addressOf)
    .option('--name <name>', 'a further name in the own certificate; repeatable', collected, [])
    .option('--write-kubeconfig <file>', "an administrator's kubeconfig, when the server is ready")
    .option('--tls-cert <file>', 'a certificate instead of one of the own authority')
    .option('--tls-key <file>', 'its key')
    .option('--client-ca <file>', 'authorities of further client certificates')
    .option('--token-file <file>', 'users by token: token,user,uid,"group,group" a line')
    .option('--oidc-issuer-url <url>', 'a provider of ID tokens')
    .option('--oidc-client-id <id>', 'whom its tokens must be for')
    .option('--oidc-username-claim <claim>', 'the claim with the user (default: "sub")')
    .option('--oidc-username-prefix <prefix>', 'in front of user names; "-" for nothing')
    .option('--oidc-groups-claim <claim>', 'the claim with the groups')
    .option('--oidc-groups-prefix <prefix>', 'in front of groups')
    .option('--oidc-required-claim <key=value>', 'what tokens must say; repeatable', collected, [])
    .option('--oidc-ca-file <file>', "what signed the provider's certificate")
    .option('--load <path>', 'manifests to put in at the start; repeatable', collected, [])
    .option(
      '--static-manifests <folder>',
      "policies or webhooks on the server's own disk (staticManifestsDir), read again when they change; repeatable",
      collected,
      [],
    )
    .option(
      '--admission-control-config-file <file>',
      "an AdmissionConfiguration, as kube-apiserver's: folders of static manifests for its plugins",
    )
    .option('--no-controllers', 'nothing writes by itself')
    .option('--always-allow', 'no RBAC; on loopback only')
    .option('--kubernetes-version <version>', 'the version to be (default: the newest known)')
    .option(
      '--audit-log-path <file>',
      'events of audit.k8s.io/v1, a line each; "-" for standard output',
    )
    .option('--audit-level <level>', 'Metadata, Request or RequestResponse', levelOf, 'Metadata')
    .exitOverride()
    .configureOutput(output)
    .showSuggestionAfterError();
}

function optionsOf(raw: RawOptions, command: readonly string[]): ProgramOptions {
  if ((raw.tlsCert === undefined) !== (raw.tlsKey === undefined)) {
    throw new UsageError('--tls-cert and --tls-key belong together');
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
    controllers: raw.controllers,
    authorization: raw.alwaysAllow ? 'always-allow' : 'rbac',
    kubernetesVersion: raw.kubernetesVersion,
    ...(raw.auditLogPath === undefined
      ? {}
      : { auditLog: { path: raw.auditLogPath, level: raw.auditLevel } }),
    writeKubeconfig: raw.writeKubeconfig,
    command,
  };
}

function storeOf(raw: RawOptions, isForCommand: boolean): StoreChoice {
  const chosen = [raw.data, raw.etcd, raw.inMemory].filter((choice) => choice !== undefined);
  if (chosen.length > 1) throw new UsageError('choose one of --data, --etcd and --in-memory');
  if (raw.data === '') throw new UsageError('--data names no folder');
  if (raw.newKeys && raw.data === undefined) {
    throw new UsageError('--new-keys is about the keys beside --data, which names no folder here');
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
  throw new UsageError('say where the objects are kept: --data DIR, --etcd URL, or --in-memory');
}

function oidcOf(raw: RawOptions): ServerOptions['oidc'] {
  const { oidcIssuerUrl: issuerUrl, oidcClientId: clientId } = raw;
  if (issuerUrl === undefined && clientId === undefined) return undefined;
  if (issuerUrl === undefined || clientId === undefined) {
    throw new UsageError('--oidc-issuer-url and --oidc-client-id belong together');
  }
  if (!issuerUrl.startsWith('https://')) throw new UsageError('--oidc-issuer-url: not https');
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
  if (at < 1) throw new UsageError(`--oidc-required-claim: not key=value: ${text}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function addressOf(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]|([^:]*)):(\d+)$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535) throw new InvalidArgumentError('not HOST:PORT.');
  return { host: host === '' ? '0.0.0.0' : host, port: Number(port) };
}

function levelOf(text: string): AuditLevel {
  if (text === 'Metadata' || text === 'Request' || text === 'RequestResponse') return text;
  throw new InvalidArgumentError('not Metadata, Request or RequestResponse.');
}

function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
