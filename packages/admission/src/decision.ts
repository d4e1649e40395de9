import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import type { PolicyTrace } from './trace.ts';

/** What the policies of a cluster say of a request, or those of one step. */
export interface Decision {
  /** The denial; absent when the request is allowed. */
  readonly denial?: Status | undefined;
  /**
   * The object after the step, in the server's internal form (see `mutateRequest`); null when there is none,
   * and when mutating policies deny.
   */
  readonly object: KubernetesObject | null;
  /** What the client is warned of, in order. */
  readonly warnings: readonly string[];
  /** What goes to the audit log, by key; absent where nothing does. */
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
  /** What each policy did, in the order in which they were asked. */
  readonly trace: readonly PolicyTrace[];
}

/** The decision about a request that no policy concerns. */
export function untouched(object: KubernetesObject | null): Decision {
  return { denial: undefined, object, warnings: none, auditAnnotations: undefined, trace: none };
}

const none: readonly never[] = [];
