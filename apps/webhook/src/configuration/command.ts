import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { knownVersions } from '@kubeadmit/schemas';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { OnInvalidPolicy } from '../policies/generation.ts';
import { isLifelineName, lifelineName, lifelines } from '../registration/lifelines.ts';
import { type ReportGroup, reportFormats } from '../reports/report-format.ts';
import type { NamespaceMode } from '../review/request-namespace.ts';
import { describeOption, serveGuide } from './command-help.ts';
import { type Address, defaultLimits, systemNamespaces } from './configuration.ts';
import { addImageOptions, type ImageOptions } from './image-options.ts';

/** Where help and complaints about options are written. */
export interface OptionOutput {
  writeOut(text: string): void;
  writeErr(text: string): void;
}

/** The options as commander names them. */
export interface Options extends ImageOptions {
  readonly policies: readonly string[];
  readonly kubeconfig?: string;
  readonly inCluster: boolean;
  readonly nativePolicies: boolean;
  readonly ownPolicies: boolean;
  readonly kyvernoPolicies: boolean;
  readonly exceptionNamespace?: string;
  readonly onInvalidPolicy: OnInvalidPolicy;
  readonly state?: string;
  readonly maxStaleness: number;
  readonly failWhenStale: boolean;
  readonly namespaceLookup: NamespaceMode;
  readonly listen: Address;
  readonly metricsListen: Address;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly selfSigned?: string;
  readonly certificateSecret?: string;
  readonly webhookConfiguration: readonly string[];
  readonly register?: string;
  readonly configurationAnnotation: readonly string[];
  readonly unregisterAtZero?: string;
  readonly service?: string;
  readonly webhookUrl?: string;
  readonly caBundle?: string;
  readonly webhookTimeout: number;
  readonly includeControlPlane: readonly string[];
  readonly dnsName: readonly string[];
  readonly clientCa?: string;
  readonly kubernetesVersion?: string;
  readonly shutdownDelay: number;
  readonly workers: number;
  readonly excludeNamespace: readonly string[];
  readonly systemNamespaces: boolean;
  readonly logAllows: number;
  /** Whether the log and traces have the messages of denials. */
  readonly denialMessages: boolean;
  readonly maxBodyBytes: number;
  readonly maxInFlight: number;
  readonly tracingEndpoint?: string;
  readonly traceShare: number;
  readonly events: boolean;
  readonly asKyverno: boolean;
  readonly reports?: ReportGroup;
  readonly scanInterval: number;
  readonly background: boolean;
  readonly backgroundDryRun: boolean;
}

/** The command with all options. */
export function createCommand(output: OptionOutput): Command {
  const command = new Command('kubeadmit serve')
    .description("Run the admission webhook: answer requests as kube-apiserver's policies would.")
    .helpOption('-h, --help', 'Print help')
    .addHelpText('after', serveGuide)
    .option('--config <file>', 'Configuration file with these names; options override it')
    .optionsGroup('Policies:')
    .option('--policies <path>', 'File or folder with policies (repeatable)', collected, [])
    .option('--kubeconfig <file>', 'Kubeconfig; follow the policies of its current cluster')
    .option('--in-cluster', 'Follow the policies of the cluster that runs this pod', false)
    .option('--no-native-policies', 'Leave policies of admissionregistration.k8s.io to the server')
    .option('--no-own-policies', 'Ignore policies of policies.kubeadmit.dev')
    .option('--no-kyverno-policies', 'Leave policies of Kyverno to Kyverno')
    .option(
      '--exception-namespace <name>',
      'Namespace whose PolicyExceptions apply; `*` for all (default: none)',
      exceptionNamespace,
    )
    .addOption(
      new Option('--on-invalid-policy <action>', 'Policies to use while one of them is invalid')
        .choices(['keep-last', 'skip', 'fail'])
        .default('keep-last'),
    )
    .option('--state <folder>', 'Folder for the last good set of policies')
    .option(
      '--max-staleness <seconds>',
      'Time without events after which a watch is stale',
      numberOf,
      300,
    )
    .option('--fail-when-stale', 'Fail readiness while all watches are stale', false)
    .addOption(
      new Option('--namespace-lookup <mode>', 'Source of the namespace of a request')
        .choices(['watch', 'live'])
        .default('watch'),
    )
    .optionsGroup('Serving:')
    .addOption(addressOption('--listen', 'Address for admission requests', '0.0.0.0:9443'))
    .addOption(addressOption('--metrics-listen', 'Address for metrics and health', '0.0.0.0:8080'))
    .option('--tls-cert <file>', 'Certificate; read again when it changes')
    .option('--tls-key <file>', 'Key of the certificate')
    .option('--self-signed <folder>', 'Create a CA and a certificate in this folder')
    .option('--certificate-secret <namespace/name>', 'Create a CA and a certificate in this Secret')
    .option(
      '--webhook-configuration <name>',
      'Write the CA into these configurations (repeatable)',
      collected,
      [],
    )
    .option('--dns-name <name>', 'Name in the created certificate (repeatable)', hostNames, [])
    .optionsGroup('Registration:')
    .option('--register <name>', 'Write webhook configurations with this name')
    .option(
      '--configuration-annotation <key=value>',
      'Annotation of the configurations (repeatable)',
      annotations,
      [],
    )
    .option(
      '--unregister-at-zero <deployment>',
      'Delete the configurations if this Deployment is scaled to zero',
    )
    .option('--service <namespace/name[:port]>', 'Service that kube-apiserver calls')
    .option('--webhook-url <url>', 'URL that kube-apiserver calls')
    .option('--ca-bundle <file>', 'CA certificates of --tls-cert, for the configurations')
    .option('--webhook-timeout <seconds>', 'Timeout of the webhooks', webhookSeconds, 10)
    .option(
      '--include-control-plane <resource>',
      'Also match this resource (repeatable)',
      lifelineNames,
      [],
    )
    .optionsGroup('Requests:')
    .option('--client-ca <file>', 'Require client certificates signed by these CAs')
    .option('--kubernetes-version <version>', 'Version of the cluster (default: newest)', versionOf)
    .option('--shutdown-delay <seconds>', 'Time from SIGTERM to closing the listener', numberOf, 5)
    .option(
      '--workers <count>',
      'Number of worker processes; `auto` for one per core',
      workersOf,
      1,
    )
    .option(
      '--exclude-namespace <name>',
      'Allow all requests in this namespace (repeatable)',
      namespaces,
      [],
    )
    .option('--no-system-namespaces', `Also apply policies in ${systemNamespaces.join(', ')}`)
    .optionsGroup('Logs and limits:')
    .option('--log-allows <share>', 'Share of allowed requests to log', shareOf, 0.01)
    .option('--denial-messages', 'Include denial messages in the log and in traces', false)
    .option('--max-body-bytes <bytes>', 'Maximum size of a body', countOf, defaultLimits.bodyBytes)
    .option(
      '--max-in-flight <count>',
      'Maximum number of concurrent requests',
      countOf,
      defaultLimits.requestsInFlight,
    )
    .optionsGroup('Traces, events and reports:')
    .option('--tracing-endpoint <url>', 'Send traces to this collector by OTLP over HTTP')
    .option(
      '--trace-share <share>',
      'Share of requests to trace if the caller sends no trace',
      shareOf,
      1,
    )
    .option('--events', 'Write events for denials and invalid policies', false)
    .option('--as-kyverno', "Write events and reports under Kyverno's names", false)
    .addOption(
      new Option('--reports <group>', 'Write reports for allowed and existing objects').choices(
        Object.keys(reportFormats),
      ),
    )
    .option(
      '--scan-interval <seconds>',
      'Time between scans of existing objects; 0 for none',
      numberOf,
      3600,
    )
    .optionsGroup('Background:')
    .option('--background', 'Generate, mutate and delete objects for Kyverno policies', false)
    .option('--background-dry-run', 'Log background changes without making them', false)
    .exitOverride()
    // The caller reports usage errors.
    .configureOutput({ ...output, outputError: () => undefined })
    .configureHelp({ optionDescription: describeOption })
    .showSuggestionAfterError();
  return addImageOptions(command, numberOf);
}

/** Adds the value of a repeatable option to the previous ones. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

// A name that no namespace can have would exclude nothing.
function namespaces(value: string, before: readonly string[]): readonly string[] {
  return [...before, namespaceOf(value)];
}

function exceptionNamespace(value: string): string {
  return value === '*' ? value : namespaceOf(value);
}

function namespaceOf(value: string): string {
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(value)) return value;
  throw new InvalidArgumentError('Expected the name of a namespace.');
}

/** Adds the name of a lifeline; see `--include-control-plane`. */
export function lifelineNames(value: string, before: readonly string[]): readonly string[] {
  if (!isLifelineName(value)) {
    throw new InvalidArgumentError(`Expected one of ${lifelines.map(lifelineName).join(', ')}.`);
  }
  return [...before, value];
}

function annotations(value: string, before: readonly string[]): readonly string[] {
  if (!/^[^=]+=/.test(value)) throw new InvalidArgumentError('Expected KEY=VALUE.');
  return [...before, value];
}

function versionOf(text: string): string {
  const minor = /^v?(\d+\.\d+)(?:\.|$)/.exec(text)?.[1] ?? '';
  if (knownVersions.includes(minor)) return text;
  throw new InvalidArgumentError(`Expected one of ${knownVersions.join(', ')}.`);
}

function hostNames(value: string, before: readonly string[]): readonly string[] {
  const isHost =
    /^(?:\*\.)?[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/i;
  if (isIP(value) === 0 && !isHost.test(value)) {
    throw new InvalidArgumentError('Expected a host name or an address.');
  }
  return [...before, value];
}

function addressOption(name: string, description: string, standard: string): Option {
  return new Option(`${name} <host:port>`, description)
    .argParser(addressOf)
    .default(addressOf(standard), standard);
}

function addressOf(text: string): Address {
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) throw new InvalidArgumentError('Expected HOST:PORT.');
  return { host: match[1] ?? (match[2] || '0.0.0.0'), port };
}

function numberOf(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw new InvalidArgumentError('Expected a number of at least 0.');
  }
  return value;
}

function countOf(text: string): number {
  const value = numberOf(text);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError('Expected a whole number of at least 1.');
  }
  return value;
}

// More processes than these need more memory than they save time.
const mostWorkers = 4;

function workersOf(text: string): number {
  return text === 'auto' ? Math.min(availableParallelism(), mostWorkers) : countOf(text);
}

/** Reads the timeout of a webhook; kube-apiserver accepts 1 to 30 seconds. */
export function webhookSeconds(text: string): number {
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 30) return seconds;
  throw new InvalidArgumentError('Expected a whole number from 1 to 30.');
}

function shareOf(text: string): number {
  const value = numberOf(text);
  if (value > 1) throw new InvalidArgumentError('Expected a number from 0 to 1.');
  return value;
}
