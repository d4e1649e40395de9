import type { ClusterAccess } from '../cluster/cluster-access.ts';
import type { Staleness } from '../cluster/staleness.ts';
import type { ImageSettings } from '../images/image-settings.ts';
import type { OnInvalidPolicy } from '../policies/generation.ts';
import type { PolicyGroups } from '../policies/policy-groups.ts';
import type { Reach } from '../registration/configuration-object.ts';
import type { ReportGroup } from '../reports/report-format.ts';
import type { NamespaceMode } from '../review/request-namespace.ts';

/** A host and a port to listen at. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The source of the listener's certificate. */
export type CertificateSource = {
  /** The names by which clients connect, as far as they are known here. */
  readonly dnsNames: readonly string[];
} & (
  | { readonly kind: 'files'; readonly certificate: string; readonly key: string }
  /** The folder keeps `ca.crt`, `tls.crt` and `tls.key`. */
  | { readonly kind: 'selfSigned'; readonly folder: string }
  | {
      readonly kind: 'secret';
      /** The Secret of the cluster that keeps the same, for all replicas. */
      readonly secret: NamespacedName;
      /** The webhook configurations that receive the authority. */
      readonly configurations: readonly string[];
    }
);

/** An object in a namespace. */
export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

/** Where traces go, and how many requests have one. */
export interface TracingSettings {
  /** The URL at which a collector receives traces by OTLP over HTTP. */
  readonly url: string;
  /** The share, from 0 to 1, of requests without an incoming trace that are traced. */
  readonly share: number;
}

/** Which reports are written into the cluster. */
export interface ReportSettings {
  readonly group: ReportGroup;
  /** The interval between scans of existing objects; 0 for none. */
  readonly scanSeconds: number;
}

/** How the background work of policies is done. */
export interface BackgroundSettings {
  /** Whether changes are logged and not made. */
  readonly isDryRun: boolean;
}

/** Which webhook configurations the program writes, and how kube-apiserver reaches it. */
export interface RegistrationSettings {
  readonly name: string;
  readonly reach: Reach;
  /** The annotations of the configurations. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The Deployment that, scaled to zero, takes the configurations with it. */
  readonly deployment: string | undefined;
  /** Names of lifelines that policies may match. */
  readonly included: readonly string[];
  readonly timeoutSeconds: number;
}

/** Limits that protect the process from overload. */
export interface Limits {
  /** The longest body that is read. */
  readonly bodyBytes: number;
  /** How many requests are decided at the same time; more are answered 429. */
  readonly requestsInFlight: number;
  /** The maximum of body bytes in memory at the same time; more are answered 503. */
  readonly heldBytes: number;
  /** The time limit for the arrival of a request. */
  readonly arrivalSeconds: number;
}

/** Everything that can be set, as `docs` and the JSON Schema of the configuration file describe it. */
export interface Configuration {
  /** Files and folders with policies and their dependencies. */
  readonly policies: readonly string[];
  /** The cluster whose policies are used in addition. */
  readonly cluster: ClusterAccess | undefined;
  /** The groups of policies in that cluster that are used. */
  readonly policyGroups: PolicyGroups;
  /** How to handle a set with an invalid policy. */
  readonly onInvalidPolicy: OnInvalidPolicy;
  /** The webhook configurations to write; absent if they are managed elsewhere. */
  readonly registration: RegistrationSettings | undefined;
  /** A file with the authorities of `--tls-cert`. */
  readonly caBundle: string | undefined;
  /** The folder that keeps the last good set across restarts. */
  readonly state: string | undefined;
  /** How old the last word of the cluster may be. */
  readonly staleness: Staleness;
  /** When the namespace of a request is read from the cluster. */
  readonly namespaceMode: NamespaceMode;
  readonly listen: Address;
  readonly metricsListen: Address;
  readonly certificate: CertificateSource;
  /** A file with the authorities of client certificates; without it, clients need none. */
  readonly clientCa: string | undefined;
  readonly kubernetesVersion: string | undefined;
  /** The time between SIGTERM and closing the listener. */
  readonly shutdownDelaySeconds: number;
  /** The number of processes that answer. */
  readonly workers: number;
  /** Namespaces whose requests are always allowed. */
  readonly excludedNamespaces: readonly string[];
  /** The share of allowed requests that are logged, from 0 to 1. */
  readonly loggedAllows: number;
  /** Whether the log and traces have the messages of denials. */
  readonly denialMessages: boolean;
  readonly limits: Limits;
  /** Where traces go; without it, there are none. */
  readonly tracing: TracingSettings | undefined;
  /** Whether denials are reported as events of the cluster. */
  readonly tellsEvents: boolean;
  readonly reports: ReportSettings | undefined;
  /** Whether events and reports about Kyverno's policies have the form and the names of Kyverno's. */
  readonly asKyverno: boolean;
  /** The background work of policies; undefined if another program does it. */
  readonly background: BackgroundSettings | undefined;
  /** How rules about images are evaluated; undefined if they are not. */
  readonly images: ImageSettings | undefined;
  /** The namespace of the Leases that decide which replica scans and which one does the background work. */
  readonly leaseNamespace: string;
}

/** The namespaces that a cluster needs to recover from a bad policy. */
export const systemNamespaces = ['kube-system', 'kube-public', 'kube-node-lease'] as const;

/** The default limits. */
export const defaultLimits: Limits = {
  bodyBytes: 7 * 1024 * 1024,
  requestsInFlight: 500,
  heldBytes: 256 * 1024 * 1024,
  arrivalSeconds: 30,
};
