import type { CertificatePair } from '@kubeadmit/certificates';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { NamespaceChange } from '../policies/live-namespaces.ts';
import type { LoadReport } from '../policies/policy-store.ts';
import type { Snapshot } from '../policies/snapshot.ts';

/** The certificate that a listener shows, and the authorities of its clients. */
export interface Credentials {
  readonly pair: CertificatePair;
  readonly clientCa: string | undefined;
}

/** The metrics of one process in a form that can be sent and added to those of others. */
export type MetricValues = MetricObjectWithValues<MetricValue<string>>[];

/** A process that answers reviews, be it this one or another. */
export interface Answerer {
  /** Makes a snapshot the set of policies that acts, if nothing is wrong with it. */
  load(snapshot: Snapshot): Promise<LoadReport>;
  /** Lets requests from now on see namespaces as they are in the cluster. */
  useNamespaces(changes: readonly NamespaceChange[]): Promise<void>;
  /** Listens with a certificate, and tells the port. */
  listen(credentials: Credentials): Promise<number>;
  /** Uses another certificate for new connections. */
  useCredentials(credentials: Credentials): Promise<void>;
  metrics(): Promise<MetricValues>;
  /** Tells clients with each answer that it is the last one on its connection. Still takes new connections. */
  drain(): Promise<void>;
  /** Closes the listener, answers what is under way, and ends. */
  close(): Promise<void>;
}
