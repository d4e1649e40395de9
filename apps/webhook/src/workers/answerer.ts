import type { CertificatePair } from '@kubeadmit/certificates';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { NamespaceChange } from '../policies/live-namespaces.ts';
import type { LoadReport } from '../policies/policy-store.ts';
import type { Snapshot } from '../policies/snapshot.ts';
import type { Registration } from '../registration/webhooks.ts';

/** The certificate that a listener shows, and the authorities of its clients. */
export interface Credentials {
  readonly pair: CertificatePair;
  readonly clientCa: string | undefined;
}

/** The metrics of one process in a form that can be sent and added to those of others. */
export type MetricValues = MetricObjectWithValues<MetricValue<string>>[];

/** Answers reviews in this process or in others. */
export interface Answerer {
  /** Puts a snapshot into use if it is valid. */
  load(snapshot: Snapshot): Promise<LoadReport>;
  /** Computes the webhooks that the set in use needs; `undefined` if nothing is registered. */
  registration(): Promise<Registration | undefined>;
  /** Makes the current namespaces of the cluster visible to later requests. */
  useNamespaces(changes: readonly NamespaceChange[]): Promise<void>;
  /** Starts listening with a certificate, and returns the port. */
  listen(credentials: Credentials): Promise<number>;
  /** Uses another certificate for new connections. */
  useCredentials(credentials: Credentials): Promise<void>;
  metrics(): Promise<MetricValues>;
  /** Why a part of the background work is not done; empty if all is, or another replica does it. */
  backgroundProblem(): Promise<string>;
  /** Waits, within a limit, until background work of this replica sees every change that the policies in use match. */
  backgroundFollows(): Promise<void>;
  /** Makes every answer the last one on its connection. New connections are still accepted. */
  drain(): Promise<void>;
  /** Closes the listener, answers the requests in progress, and ends. */
  close(): Promise<void>;
}
