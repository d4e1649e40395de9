import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import type { PluginWrite } from './plugins/plugin.ts';
import type { PluginTrace } from './plugins/run-plugins.ts';
import type { PolicyTrace } from './trace.ts';

/** The decision of all policies of a cluster on a request, or of the policies of one step. */
export interface Decision {
  /** The denial; absent when the request is allowed. */
  readonly denial?: Status | undefined;
  /**
   * The object after the step, in the server's internal form (see `mutateRequest`); null when there is none,
   * and when mutating policies deny.
   */
  readonly object: KubernetesObject | null;
  /** The warnings for the client, in order. */
  readonly warnings: readonly string[];
  /** The audit annotations by key; absent if there are none. */
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
  /** The trace of each policy, in evaluation order. */
  readonly trace: readonly PolicyTrace[];
  /** The trace of the plugins that acted; absent without plugins beside policies. */
  readonly pluginTrace?: readonly PluginTrace[] | undefined;
  /** The objects that plugins store beside the request, unless it is a dry run. */
  readonly pluginWrites?: readonly PluginWrite[] | undefined;
}

/** The decision about a request that no policy matches. */
export function untouched(object: KubernetesObject | null): Decision {
  return { denial: undefined, object, warnings: none, auditAnnotations: undefined, trace: none };
}

const none: readonly never[] = [];
