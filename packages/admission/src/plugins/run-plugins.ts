import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import type {
  AdmissionPlugin,
  PluginCluster,
  PluginCount,
  PluginRequest,
  PluginWrite,
} from './plugin.ts';

/** The changes and verdict of one plugin for a request. */
export interface PluginTrace {
  readonly plugin: string;
  /** 2 when the plugins run once more after a policy or webhook changed the object. */
  readonly pass: 1 | 2;
  readonly outcome: 'changed' | 'denied' | 'reported';
  /** The objects before and after a change. */
  readonly before?: KubernetesObject | null;
  readonly after?: KubernetesObject;
  /** The objects that caused the answer, such as a LimitRange. */
  readonly causes: readonly KubernetesObject[];
  /** The refusal, if the outcome is `denied`. */
  readonly denial?: Status;
  /** The warnings for the client; absent if there are none. */
  readonly warnings?: readonly string[];
}

/** The joint answer of several plugins. */
export interface PluginsResult {
  readonly object: KubernetesObject | null;
  readonly denial?: Status | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
  readonly trace: readonly PluginTrace[];
  readonly writes: readonly PluginWrite[];
  readonly counts: readonly PluginCount[];
}

/** The plugins that run, and how. */
export interface PluginRun {
  readonly plugins: readonly AdmissionPlugin[];
  readonly step: 'mutate' | 'validate';
  readonly cluster: PluginCluster;
  readonly pass?: 1 | 2;
}

/** Runs plugins one after another on a request, until one refuses it (apiserver admission/chain.go). */
export function runPlugins(
  request: PluginRequest,
  { plugins, step, cluster, pass = 1 }: PluginRun,
): PluginsResult {
  let current = request;
  let annotations: Record<string, string> | undefined;
  const warnings: string[] = [];
  const trace: PluginTrace[] = [];
  const writes: PluginWrite[] = [];
  const counts: PluginCount[] = [];
  for (const plugin of plugins) {
    if (!handles(plugin, request)) continue;
    const outcome = plugin[step]?.(current, cluster);
    if (outcome === undefined) continue;
    warnings.push(...(outcome.warnings ?? []));
    writes.push(...(outcome.writes ?? []));
    counts.push(...(outcome.counts ?? []));
    if (outcome.auditAnnotations !== undefined)
      annotations = { ...annotations, ...outcome.auditAnnotations };
    const { object, denial, causes = [] } = outcome;
    const said = outcome.warnings === undefined ? {} : { warnings: outcome.warnings };
    const head = { plugin: plugin.name, pass, causes, ...said };
    if (denial !== undefined) {
      trace.push({ ...head, outcome: 'denied', denial });
      return {
        object: null,
        denial,
        warnings,
        auditAnnotations: annotations,
        trace,
        writes: [],
        counts,
      };
    }
    if (object !== undefined) {
      trace.push({ ...head, outcome: 'changed', before: current.object, after: object });
      current = { ...current, object };
    } else if (outcome.warnings !== undefined) trace.push({ ...head, outcome: 'reported' });
  }
  return { object: current.object, warnings, auditAnnotations: annotations, trace, writes, counts };
}

function handles({ operations }: AdmissionPlugin, { operation }: PluginRequest): boolean {
  return operations.some((handled) => handled === operation);
}
