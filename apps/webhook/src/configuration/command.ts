import { isIP } from 'node:net';
import { knownVersions } from '@kubeadmit/schemas';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { OnInvalidPolicy } from '../policies/generation.ts';
import { isLifelineName, lifelineName, lifelines } from '../registration/lifelines.ts';
import { type ReportGroup, reportFormats } from '../reports/report-format.ts';
import type { NamespaceMode } from '../review/request-namespace.ts';
import { type Address, defaultLimits, systemNamespaces } from './configuration.ts';

/** Where help and complaints about options are written. */
export interface OptionOutput {
  writeOut(text: string): void;
  writeErr(text: string): void;
}

/** The options as commander names them. */
export interface Options {
  readonly policies: readonly string[];
  readonly kubeconfig?: string;
  readonly inCluster: boolean;
  readonly nativePolicies: boolean;
  readonly ownPolicies: boolean;
  readonly kyvernoPolicies: boolean;
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
  readonly reports?: ReportGroup;
  readonly scanInterval: number;
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
      .addOption(
        new Option(
          '--on-invalid-policy <action>',
          'what to do with a set that has an invalid policy',
        )
          .choices(['keep-last', 'skip', 'fail'])
          .default('keep-last'),
      )
      .option('--state <folder>', 'keep the last good set of policies here')
      .option('--max-staleness <seconds>', 'how long a watch may be silent', numberOf, 300)
      .option('--fail-when-stale', 'not ready while all watches are silent', false)
      .addOption(
        new Option(
          '--namespace-lookup <mode>',
          'read the namespace of each request: `watch` or `live`',
        )
          .choices(['watch', 'live'])
          .default('watch'),
      )
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
      .option('--register <name>', 'write the webhook configurations NAME from the policies')
      .option('--service <namespace/name[:port]>', 'the Service that kube-apiserver calls')
      .option('--webhook-url <url>', 'the URL that kube-apiserver calls')
      .option('--ca-bundle <file>', 'the authorities of --tls-cert, for these configurations')
      .option('--webhook-timeout <seconds>', 'the time-out of these webhooks', webhookSeconds, 10)
      .option(
        '--include-control-plane <resource>',
        'also match this resource of the control plane; repeatable',
        lifelineNames,
        [],
      )
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
      .option('--denial-messages', 'include denial messages in the log and in traces', false)
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
      // The caller reports usage errors.
      .configureOutput({ ...output, outputError: () => undefined })
      .showSuggestionAfterError()
  );
}

/** Adds the value of a repeatable option to the previous ones. */
export function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

// A name that no namespace can have would exclude nothing.
function namespaces(value: string, before: readonly string[]): readonly string[] {
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(value)) {
    throw new InvalidArgumentError('No namespace can have that name.');
  }
  return [...before, value];
}

/** Adds the name of a lifeline; see `--include-control-plane`. */
export function lifelineNames(value: string, before: readonly string[]): readonly string[] {
  if (!isLifelineName(value)) {
    throw new InvalidArgumentError(`Expected one of ${lifelines.map(lifelineName).join(', ')}.`);
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

/** Reads the time-out of a webhook; kube-apiserver accepts 1 to 30 seconds. */
export function webhookSeconds(text: string): number {
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 30) return seconds;
  throw new InvalidArgumentError('Expected a whole number from 1 to 30.');
}

function shareOf(text: string): number {
  const value = numberOf(text);
  if (value > 1) throw new InvalidArgumentError('It is no number from 0 to 1.');
  return value;
}
