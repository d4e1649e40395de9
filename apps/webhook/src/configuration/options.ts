import { isIP } from 'node:net';
import { knownVersions } from '@kubeadmit/schemas';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { ClusterAccess } from '../cluster/api-client.ts';
import { type ReportGroup, reportFormats } from '../reports/report-format.ts';
import {
  type Address,
  type CertificateSource,
  type Configuration,
  defaultLimits,
  systemNamespaces,
  type TracingSettings,
} from './configuration.ts';
import { configurationFileArguments } from './configuration-file.ts';
import { UsageError } from './usage-error.ts';

/** Where help and complaints about options are written. */
export interface OptionOutput {
  writeOut(text: string): void;
  writeErr(text: string): void;
}

interface Options {
  readonly policies: readonly string[];
  readonly kubeconfig?: string;
  readonly inCluster: boolean;
  readonly nativePolicies: boolean;
  readonly ownPolicies: boolean;
  readonly kyvernoPolicies: boolean;
  readonly listen: Address;
  readonly metricsListen: Address;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly selfSigned?: string;
  readonly certificateSecret?: string;
  readonly webhookConfiguration: readonly string[];
  readonly dnsName: readonly string[];
  readonly clientCa?: string;
  readonly kubernetesVersion?: string;
  readonly shutdownDelay: number;
  readonly workers: number;
  readonly excludeNamespace: readonly string[];
  readonly systemNamespaces: boolean;
  readonly logAllows: number;
  readonly maxBodyBytes: number;
  readonly maxInFlight: number;
  readonly tracingEndpoint?: string;
  readonly traceShare: number;
  readonly events: boolean;
  readonly reports?: ReportGroup;
  readonly scanInterval: number;
}

/** What the environment of the process says, such as the namespace that it runs in. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the options of the program; `undefined` where they ask for help only.
 *
 * @throws UsageError when they make no sense.
 */
export function readOptions(
  args: readonly string[],
  environment: Environment,
  output: OptionOutput,
): Configuration | undefined {
  const command = createCommand(output);
  try {
    command.parse(args, { from: 'user' });
    const { config } = command.opts<{ readonly config?: string }>();
    if (config !== undefined) {
      // What is given here wins over what stands in the file.
      const given = configurationFileArguments(config, command.options);
      command.parse([...given, ...args], { from: 'user' });
    }
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw new UsageError(usageText(command, error));
  }
  return configurationOf(command.opts<Options>(), environment);
}

// What a shell makes of `--policies policies/*.yaml` is one path with the option, and others without.
function usageText({ args }: Command, { code, message }: CommanderError): string {
  if (code !== 'commander.excessArguments') return message.replace(/^error: /, '');
  const given = args.map((each) => `\`${each}\``).join(', ');
  return `${given}: of no option; \`--policies\` takes one file or folder, and is repeated for others`;
}

/** The command with all options. */
export function createCommand(output: OptionOutput): Command {
  return (
    new Command('kubeadmit-webhook')
      .description("Decides admission requests as kube-apiserver's own policies would.")
      .option('--config <file>', 'a configuration file with these names; options win over it')
      .option('--policies <path>', 'a file or folder of policies; repeatable', collected, [])
      .option('--kubeconfig <file>', 'follow the policies of this cluster')
      .option('--in-cluster', 'follow the policies of the cluster that this runs in', false)
      .option(
        '--no-native-policies',
        'leave policies of admissionregistration.k8s.io to the server',
      )
      .option('--no-own-policies', 'pass over policies of policies.kubeadmit.dev')
      .option('--no-kyverno-policies', 'leave policies of Kyverno to Kyverno')
      .addOption(addressOption('--listen', 'where to answer reviews', '0.0.0.0:9443'))
      .addOption(
        addressOption('--metrics-listen', 'where to tell of metrics and health', '0.0.0.0:8080'),
      )
      .option('--tls-cert <file>', 'the certificate; read again when it changes')
      .option('--tls-key <file>', 'its key')
      .option('--self-signed <folder>', 'keep an own authority and certificate here')
      .option(
        '--certificate-secret <namespace/name>',
        'keep an own authority and certificate in this Secret of the cluster',
      )
      .option(
        '--webhook-configuration <name>',
        'tell the webhook configurations of this name of that authority; repeatable',
        collected,
        [],
      )
      .option('--dns-name <name>', 'a name in that certificate; repeatable', hostNames, [])
      .option('--client-ca <file>', 'clients need a certificate of this authority')
      .option(
        '--kubernetes-version <version>',
        'the version of the cluster; default the newest',
        versionOf,
      )
      .option('--shutdown-delay <seconds>', 'from SIGTERM to closing the listener', numberOf, 5)
      .option('--workers <count>', 'processes that answer', countOf, 1)
      .option(
        '--exclude-namespace <name>',
        'allow everything in this namespace; repeatable',
        namespaces,
        [],
      )
      .option('--no-system-namespaces', `judge requests in ${systemNamespaces.join(', ')} too`)
      .option('--log-allows <share>', 'the share of allowed requests to log', shareOf, 0.01)
      .option('--max-body-bytes <bytes>', 'longest body', countOf, defaultLimits.bodyBytes)
      .option(
        '--max-in-flight <count>',
        'requests decided at once',
        countOf,
        defaultLimits.requestsInFlight,
      )
      .option('--tracing-endpoint <url>', 'tell the collector there of requests, by OTLP over HTTP')
      .option('--trace-share <share>', 'the share of requests without a trace to trace', shareOf, 1)
      .option('--events', 'tell of denials by events of the cluster', false)
      .addOption(
        new Option(
          '--reports <group>',
          'report what policies say of objects that are let in, and of all that is there',
        ).choices(Object.keys(reportFormats)),
      )
      .option(
        '--scan-interval <seconds>',
        'from scan to scan of what is there; 0: none',
        numberOf,
        3600,
      )
      .exitOverride()
      // Whoever asks for the options tells what is wrong with them.
      .configureOutput({ ...output, outputError: () => undefined })
      .showSuggestionAfterError()
  );
}

function configurationOf(options: Options, environment: Environment): Configuration {
  const cluster = clusterOf(options);
  if (options.policies.length === 0 && cluster === undefined) {
    const help = 'with `--policies`, or a cluster with `--kubeconfig` or `--in-cluster`';
    throw new UsageError(`no policies: name files or folders ${help}`);
  }
  for (const name of ['events', 'reports'] as const) {
    if (cluster === undefined && options[name]) {
      throw new UsageError(`\`--${name}\` needs a cluster: \`--kubeconfig\` or \`--in-cluster\``);
    }
  }
  const ownNamespace = environment['POD_NAMESPACE'] ?? '';
  return {
    policies: options.policies,
    cluster,
    policyGroups: {
      native: options.nativePolicies,
      own: options.ownPolicies,
      kyverno: options.kyvernoPolicies,
    },
    listen: options.listen,
    metricsListen: options.metricsListen,
    certificate: certificateOf(options, ownNamespace),
    clientCa: options.clientCa,
    kubernetesVersion: options.kubernetesVersion,
    shutdownDelaySeconds: options.shutdownDelay,
    workers: options.workers,
    excludedNamespaces: [
      ...(options.systemNamespaces ? systemNamespaces : []),
      ...(ownNamespace === '' ? [] : [ownNamespace]),
      ...options.excludeNamespace,
    ],
    loggedAllows: options.logAllows,
    limits: {
      ...defaultLimits,
      bodyBytes: options.maxBodyBytes,
      requestsInFlight: options.maxInFlight,
    },
    tracing: tracingOf(options, environment),
    tellsEvents: options.events,
    reports:
      options.reports === undefined
        ? undefined
        : { group: options.reports, scanSeconds: options.scanInterval },
    leaseNamespace: ownNamespace || 'default',
  };
}

// An endpoint by the names of OpenTelemetry's specification; the one for traces is taken as it stands there.
function tracingOf(
  { tracingEndpoint, traceShare }: Options,
  environment: Environment,
): TracingSettings | undefined {
  const forTraces = environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  const base =
    tracingEndpoint ?? (forTraces ? undefined : environment['OTEL_EXPORTER_OTLP_ENDPOINT']);
  const text = base ? `${base.replace(/\/$/, '')}/v1/traces` : forTraces;
  if (!text) return undefined;
  if (!/^https?:/.test(text) || !URL.canParse(text)) {
    throw new UsageError(
      `\`${base ?? text}\` is no address of a collector, such as http://collector:4318`,
    );
  }
  return { url: text, share: traceShare };
}

function clusterOf({ kubeconfig, inCluster }: Options): ClusterAccess | undefined {
  if (kubeconfig !== undefined && inCluster) {
    throw new UsageError('`--kubeconfig` names one cluster, `--in-cluster` another: not both');
  }
  if (kubeconfig !== undefined) return { kind: 'kubeconfig', file: kubeconfig };
  return inCluster ? { kind: 'inCluster' } : undefined;
}

function certificateOf(options: Options, ownNamespace: string): CertificateSource {
  const { tlsCert, tlsKey, selfSigned, certificateSecret, dnsName } = options;
  if (certificateSecret !== undefined) {
    if (tlsCert !== undefined || tlsKey !== undefined || selfSigned !== undefined) {
      throw new UsageError('`--certificate-secret` makes a certificate: name no other one');
    }
    return secretOf(certificateSecret, options, ownNamespace);
  }
  if (options.webhookConfiguration.length > 0) {
    throw new UsageError('`--webhook-configuration` is told of what `--certificate-secret` makes');
  }
  if (selfSigned !== undefined) {
    if (tlsCert !== undefined || tlsKey !== undefined) {
      throw new UsageError('`--self-signed` makes a certificate, `--tls-cert` names one: not both');
    }
    return { kind: 'selfSigned', folder: selfSigned, dnsNames: dnsName };
  }
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new UsageError(
      'no certificate: give `--tls-cert` and `--tls-key`, `--self-signed` with a folder, or `--certificate-secret`',
    );
  }
  return { kind: 'files', certificate: tlsCert, key: tlsKey, dnsNames: dnsName };
}

function secretOf(
  text: string,
  { webhookConfiguration, dnsName, kubeconfig, inCluster }: Options,
  ownNamespace: string,
): CertificateSource {
  if (kubeconfig === undefined && !inCluster) {
    throw new UsageError(
      '`--certificate-secret` needs a cluster: `--kubeconfig` or `--in-cluster`',
    );
  }
  const [name = '', namespace = ownNamespace, ...more] = text.split('/').reverse();
  if (name === '' || namespace === '' || more.length > 0) {
    throw new UsageError(`\`${text}\` is no NAMESPACE/NAME of a Secret`);
  }
  return {
    kind: 'secret',
    secret: { namespace, name },
    configurations: webhookConfiguration,
    dnsNames: dnsName,
  };
}

function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

// A name that no namespace can have would exclude nothing.
function namespaces(value: string, before: readonly string[]): readonly string[] {
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(value)) {
    throw new InvalidArgumentError('No namespace can have that name.');
  }
  return [...before, value];
}

function versionOf(text: string): string {
  const minor = /^v?(\d+\.\d+)(?:\.|$)/.exec(text)?.[1] ?? '';
  if (knownVersions.includes(minor)) return text;
  throw new InvalidArgumentError(`Known are ${knownVersions.join(', ')}.`);
}

function hostNames(value: string, before: readonly string[]): readonly string[] {
  const isHost =
    /^(?:\*\.)?[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/i;
  if (isIP(value) === 0 && !isHost.test(value)) {
    throw new InvalidArgumentError('It is no name of a host, and no address.');
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
  if (match === null || port > 65_535) throw new InvalidArgumentError('It is no HOST:PORT.');
  return { host: match[1] ?? (match[2] || '0.0.0.0'), port };
}

function numberOf(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw new InvalidArgumentError('It is no number of at least 0.');
  }
  return value;
}

function countOf(text: string): number {
  const value = numberOf(text);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError('It is no whole number of at least 1.');
  }
  return value;
}

function shareOf(text: string): number {
  const value = numberOf(text);
  if (value > 1) throw new InvalidArgumentError('It is no number from 0 to 1.');
  return value;
}
