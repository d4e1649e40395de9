import type { Status } from '@kubeadmit/apimachinery';
import type { ClusterPlugins } from './cluster.ts';
import type { Decision } from './decision.ts';
import type { AdmissionPlugin, PluginCount, PluginRequest, PluginWrite } from './plugins/plugin.ts';
import { type PluginTrace, runPlugins } from './plugins/run-plugins.ts';

/** A request after some plugins, or their refusal. */
export type PassedPlugins =
  | { readonly request: PluginRequest; readonly denial?: undefined }
  | { readonly denial: Status };

/** The plugins of one phase on their way through one request, with everything that they report. */
export class PluginPasses {
  readonly #plugins: ClusterPlugins | undefined;
  readonly #step: 'mutate' | 'validate';
  readonly #warnings: string[] = [];
  readonly #trace: PluginTrace[] = [];
  readonly #counts: PluginCount[] = [];
  #writes: readonly PluginWrite[] = [];
  #annotations: Readonly<Record<string, string>> | undefined;

  /** @param plugins those of the cluster; undefined for none */
  constructor(plugins: ClusterPlugins | undefined, step: 'mutate' | 'validate') {
    this.#plugins = plugins;
    this.#step = step;
  }

  /** Whether no plugin runs in this phase. */
  get isEmpty(): boolean {
    return this.#at('before').length + this.#at('after').length === 0;
  }

  /** The events so far that a server counts in its metrics. */
  get counts(): readonly PluginCount[] {
    return this.#counts;
  }

  /** Runs the plugins before or after the policies and webhooks of the phase. */
  run(place: 'before' | 'after', request: PluginRequest, pass: 1 | 2 = 1): PassedPlugins {
    const plugins = this.#at(place);
    if (this.#plugins === undefined || plugins.length === 0) return { request };
    const { cluster } = this.#plugins;
    const result = runPlugins(request, { plugins, step: this.#step, cluster, pass });
    this.#warnings.push(...result.warnings);
    this.#trace.push(...result.trace);
    this.#counts.push(...result.counts);
    if (result.writes.length > 0) this.#writes = [...this.#writes, ...result.writes];
    if (result.auditAnnotations !== undefined)
      this.#annotations = { ...this.#annotations, ...result.auditAnnotations };
    if (result.denial !== undefined) return { denial: result.denial };
    return {
      request: result.object === request.object ? request : { ...request, object: result.object },
    };
  }

  /** Adds everything that the plugins reported to a decision of policies. */
  complete(decision: Decision): Decision {
    if (this.isEmpty) return decision;
    const annotations = { ...this.#annotations, ...decision.auditAnnotations };
    return {
      ...decision,
      warnings: [...this.#warnings, ...decision.warnings],
      auditAnnotations: Object.keys(annotations).length === 0 ? undefined : annotations,
      pluginTrace: this.#trace,
      pluginWrites: decision.denial === undefined ? this.#writes : [],
    };
  }

  #at(place: 'before' | 'after'): readonly AdmissionPlugin[] {
    return this.#plugins?.set[this.#step][place] ?? [];
  }
}
