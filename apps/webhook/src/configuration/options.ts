import { ConfigurationFileError, configurationFileArguments } from '@kubeadmit/files';
import { type Command, CommanderError } from 'commander';
import type { ClusterAccess } from '../cluster/cluster-access.ts';
import type { Reach } from '../registration/configuration-object.ts';
import { createCommand, type OptionOutput, type Options } from './command.ts';
import {
  type CertificateSource,
  type Configuration,
  defaultLimits,
  systemNamespaces,
  type TracingSettings,
} from './configuration.ts';
import { imageSettingsOf } from './image-options.ts';
import { UsageError } from './usage-error.ts';

/** The environment variables of the process, such as the namespace that it runs in. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the options of the program; returns `undefined` if they only ask for help.
 *
 * @throws UsageError if the options are invalid
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
      // Command-line arguments override the file.
      const given = configurationFileArguments(config, command.options);
      command.parse([...given, ...args], { from: 'user' });
    }
  } catch (error) {
    if (error instanceof ConfigurationFileError) throw new UsageError(error.message);
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw new UsageError(usageText(command, error));
  }
  return configurationOf(command.opts<Options>(), environment);
}

// A shell expands `--policies policies/*.yaml` to one path with the option and others without it.
function usageText({ args }: Command, { code, message }: CommanderError): string {
  if (code !== 'commander.excessArguments') return message.replace(/^error: /, '');
  const given = args.map((each) => `\`${each}\``).join(', ');
  return `unexpected argument ${given}; repeat \`--policies\` for further files and folders`;
}

function configurationOf(options: Options, environment: Environment): Configuration {
  const cluster = clusterOf(options);
  if (options.policies.length === 0 && cluster === undefined) {
    const help = 'with `--policies`, or a cluster with `--kubeconfig` or `--in-cluster`';
    throw new UsageError(`no policies: name files or folders ${help}`);
  }
  for (const name of ['events', 'reports', 'background'] as const) {
    if (cluster === undefined && options[name]) {
      throw new UsageError(
        `\`--${name}\` requires a cluster: \`--kubeconfig\` or \`--in-cluster\``,
      );
    }
  }
  if (cluster === undefined && options.namespaceLookup === 'live') {
    throw new UsageError(
      '`--namespace-lookup=live` requires a cluster: `--kubeconfig` or `--in-cluster`',
    );
  }
  const background = backgroundOf(options);
  const ownNamespace = environment['POD_NAMESPACE'] ?? '';
  return {
    policies: options.policies,
    cluster,
    policyGroups: {
      native: options.nativePolicies,
      own: options.ownPolicies,
      kyverno: options.kyvernoPolicies,
      background: options.background,
      exceptionNamespace: options.exceptionNamespace,
    },
    onInvalidPolicy: options.onInvalidPolicy,
    registration: registrationOf(options, cluster),
    caBundle: options.caBundle,
    state: options.state,
    staleness: { maxSeconds: options.maxStaleness, fails: options.failWhenStale },
    namespaceMode: options.namespaceLookup,
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
    denialMessages: options.denialMessages,
    limits: {
      ...defaultLimits,
      bodyBytes: options.maxBodyBytes,
      requestsInFlight: options.maxInFlight,
    },
    tracing: tracingOf(options, environment),
    tellsEvents: options.events,
    asKyverno: options.asKyverno,
    reports:
      options.reports === undefined
        ? undefined
        : { group: options.reports, scanSeconds: options.scanInterval },
    background,
    images: imageSettingsOf(options, cluster !== undefined),
    leaseNamespace: ownNamespace || 'default',
  };
}

function backgroundOf({
  background,
  backgroundDryRun: isDryRun,
  kyvernoPolicies,
}: Options): Configuration['background'] {
  if (!background) {
    if (isDryRun) throw new UsageError('`--background-dry-run` requires `--background`');
    return undefined;
  }
  if (!kyvernoPolicies) {
    throw new UsageError('`--background` and `--no-kyverno-policies` exclude each other');
  }
  return { isDryRun };
}

function registrationOf(
  { register, service, webhookUrl, webhookTimeout, includeControlPlane, ...options }: Options,
  cluster: ClusterAccess | undefined,
): Configuration['registration'] {
  const { configurationAnnotation, unregisterAtZero } = options;
  if (register === undefined) return undefined;
  if (cluster === undefined) {
    throw new UsageError('`--register` requires a cluster: `--kubeconfig` or `--in-cluster`');
  }
  return {
    name: register,
    annotations: Object.fromEntries(configurationAnnotation.map(splitAtEquals)),
    deployment: unregisterAtZero,
    reach: reachOf({ service, webhookUrl }),
    included: includeControlPlane,
    timeoutSeconds: webhookTimeout,
  };
}

function splitAtEquals(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}

/**
 * How kube-apiserver reaches the webhook.
 *
 * @throws UsageError when neither or both of a Service and a URL are given, or one is invalid
 */
export function reachOf({
  service,
  webhookUrl,
}: {
  readonly service?: string | undefined;
  readonly webhookUrl?: string | undefined;
}): Reach {
  if ((service === undefined) === (webhookUrl === undefined)) {
    throw new UsageError(
      'exactly one of `--service NAMESPACE/NAME` and `--webhook-url URL` is required',
    );
  }
  if (webhookUrl !== undefined) {
    if (!/^https:/.test(webhookUrl) || !URL.canParse(webhookUrl)) {
      throw new UsageError(`invalid \`--webhook-url ${webhookUrl}\`: expected https://HOST:PORT`);
    }
    return { kind: 'url', url: webhookUrl };
  }
  const [, namespace = '', name = '', port = '443'] =
    /^([^/:]+)\/([^/:]+)(?::(\d{1,5}))?$/.exec(service ?? '') ?? [];
  if (name === '') {
    throw new UsageError(
      `invalid \`--service ${service}\`: expected NAMESPACE/NAME or NAMESPACE/NAME:PORT`,
    );
  }
  return { kind: 'service', namespace, name, port: Number(port) };
}

// Returns the trace endpoint by OpenTelemetry's variables; the one for traces is used unchanged.
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
      `invalid \`--tracing-endpoint ${base ?? text}\`: expected a URL such as http://collector:4318`,
    );
  }
  return { url: text, share: traceShare };
}

function clusterOf({ kubeconfig, inCluster }: Options): ClusterAccess | undefined {
  if (kubeconfig !== undefined && inCluster) {
    throw new UsageError('`--kubeconfig` and `--in-cluster` cannot be combined');
  }
  if (kubeconfig !== undefined) return { kind: 'kubeconfig', file: kubeconfig };
  return inCluster ? { kind: 'inCluster' } : undefined;
}

function certificateOf(options: Options, ownNamespace: string): CertificateSource {
  const { tlsCert, tlsKey, selfSigned, certificateSecret, dnsName } = options;
  if (certificateSecret !== undefined) {
    if (tlsCert !== undefined || tlsKey !== undefined || selfSigned !== undefined) {
      throw new UsageError(
        '`--certificate-secret` cannot be combined with `--tls-cert`, `--tls-key` or `--self-signed`',
      );
    }
    return secretOf(certificateSecret, options, ownNamespace);
  }
  if (options.webhookConfiguration.length > 0) {
    throw new UsageError('`--webhook-configuration` requires `--certificate-secret`');
  }
  if (selfSigned !== undefined) {
    if (tlsCert !== undefined || tlsKey !== undefined) {
      throw new UsageError('`--self-signed` cannot be combined with `--tls-cert` or `--tls-key`');
    }
    return { kind: 'selfSigned', folder: selfSigned, dnsNames: dnsName };
  }
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new UsageError(
      'no certificate: set `--tls-cert` and `--tls-key`, `--self-signed` with a folder, or `--certificate-secret`',
    );
  }
  return { kind: 'files', certificate: tlsCert, key: tlsKey, dnsNames: dnsName };
}

function secretOf(
  text: string,
  { webhookConfiguration, register, dnsName, kubeconfig, inCluster }: Options,
  ownNamespace: string,
): CertificateSource {
  if (kubeconfig === undefined && !inCluster) {
    throw new UsageError(
      '`--certificate-secret` requires a cluster: `--kubeconfig` or `--in-cluster`',
    );
  }
  const [name = '', namespace = ownNamespace, ...more] = text.split('/').reverse();
  if (name === '' || namespace === '' || more.length > 0) {
    throw new UsageError(`invalid \`--certificate-secret ${text}\`: expected NAMESPACE/NAME`);
  }
  return {
    kind: 'secret',
    secret: { namespace, name },
    configurations: [...webhookConfiguration, ...(register === undefined ? [] : [register])],
    dnsNames: dnsName,
  };
}
