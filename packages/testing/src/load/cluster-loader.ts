import { getOrMake } from '@kubeadmit/base';
import { type PluginChoice, pluginProblem } from '@kubeadmit/chain/plugins';
import { isReview } from '@kubeadmit/chain/requests';
import { NamespaceAssumptions } from '@kubeadmit/chain/unstable-internal';
import { type LoadedCheck, loadCheck, type RunOptions } from '@kubeadmit/check';
import type { ObserveEvaluation } from '@kubeadmit/engine';
import {
  checkConfiguration,
  type GivenManifest,
  type Inputs,
  schemasOf,
  sortInputs,
} from '@kubeadmit/lint';
import {
  automaticBinding,
  definitionProblems,
  findUnknownFields,
  refusedObjects,
  settleDuplicates,
  withoutBinding,
} from '@kubeadmit/lint/inputs';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import { type Schemas, UnknownVersionError } from '@kubeadmit/schemas';
import { type ClusterFields, clusterFieldNames } from '../format/suite.ts';
import type { TestHost } from '../kyverno-tests/test-reader.ts';
import { fieldProblems } from './cluster-field-problems.ts';
import { CaseProblem, type ReferenceReader } from './reference-reader.ts';

/** The cluster that cases run in. */
export interface CaseCluster {
  readonly check: LoadedCheck;
  readonly schemas: Schemas;
  readonly inputs: Inputs;
  readonly assumptions: NamespaceAssumptions;
}

/** A cluster, or all problems of its objects. */
export type LoadedCluster = CaseCluster | { readonly problems: readonly InputProblem[] };

/** The settings that all clusters of a run share. */
export interface ClusterOptions {
  readonly reader: ReferenceReader;
  readonly host: TestHost;
  readonly observe: ObserveEvaluation | undefined;
  /** Gives another object in the place of one. */
  readonly substitute: ((manifest: Manifest) => Manifest) | undefined;
  /** The admission plugins of cases that name none; default those of policies and webhooks. */
  readonly plugins?: PluginChoice | undefined;
}

/** Loads the clusters of cases, each once for each version of Kubernetes. */
export class ClusterLoader {
  readonly #options: ClusterOptions;
  readonly #clusters = new Map<string, Promise<LoadedCluster>>();
  readonly #numbers = new Map<ClusterFields, number>();

  constructor(options: ClusterOptions) {
    this.#options = options;
  }

  /** The cluster of a case and the groups around it; inner objects override outer ones. */
  load(
    levels: readonly ClusterFields[],
    kubernetesVersion: string | undefined,
  ): Promise<LoadedCluster> {
    const key = [...levels.map((level) => this.#numberOf(level)), kubernetesVersion].join();
    return getOrMake(this.#clusters, key, () => this.#load(levels, kubernetesVersion));
  }

  /** Every cluster that was loaded and can be used. */
  async loaded(): Promise<readonly CaseCluster[]> {
    const all = await Promise.all(this.#clusters.values());
    return all.flatMap((each) => ('problems' in each ? [] : [each]));
  }

  #numberOf(level: ClusterFields): number {
    return getOrMake(this.#numbers, level, () => this.#numbers.size);
  }

  async #load(
    levels: readonly ClusterFields[],
    kubernetesVersion: string | undefined,
  ): Promise<LoadedCluster> {
    const { host, observe } = this.#options;
    const autoBindings = levels.some((level) => level.autoBindings);
    const selection = levels.findLast((level) => level.plugins !== undefined)?.plugins;
    const plugins = selection === undefined ? this.#options.plugins : { selection };
    const options = {
      autoBindings,
      kubernetesVersion,
      clock: host.clock,
      observe,
      plugins,
      images: host.images,
    };
    try {
      const { given, problems } = await this.#gather(levels);
      return await loadCaseCluster(given, options, problems);
    } catch (error) {
      if (error instanceof UnknownVersionError)
        return { problems: [{ file: '', message: error.message }] };
      if (!(error instanceof CaseProblem)) throw error;
      return { problems: [error.problem ?? { file: '', message: error.message }] };
    }
  }

  /** The objects of all levels. */
  async #gather(
    levels: readonly ClusterFields[],
  ): Promise<{ readonly given: readonly GivenManifest[]; readonly problems: InputProblem[] }> {
    const { substitute } = this.#options;
    const problems: InputProblem[] = [];
    let given: readonly GivenManifest[] = [];
    for (const level of levels) {
      const own: Manifest[] = [];
      for (const name of clusterFieldNames) {
        for (const reference of level[name]) {
          const manifests = await this.#options.reader.all(reference);
          problems.push(...fieldProblems(name, manifests));
          const held = manifests.filter((manifest) => !isReview(manifest));
          own.push(...(substitute === undefined ? held : held.map(substitute)));
        }
      }
      const settled = settleDuplicates(
        own.map((manifest) => ({ manifest, role: 'policies' })),
        {},
      );
      problems.push(...settled.problems);
      given = settleDuplicates([...given, ...settled.given], { lastWins: true }).given;
    }
    return { given, problems };
  }
}

/** How a cluster of given objects is loaded. */
export interface CaseClusterOptions {
  readonly autoBindings: boolean;
  readonly kubernetesVersion: string | undefined;
  readonly clock: () => number;
  readonly observe?: ObserveEvaluation | undefined;
  /** The admission plugins; default those of policies and webhooks. */
  readonly plugins?: PluginChoice | undefined;
  /** Verifies images for policies of Kyverno; without it, rules that verify images are not evaluated. */
  readonly images?: RunOptions['images'];
}

/** Loads a cluster of objects; earlier problems in `found` are reported together with new ones. */
export async function loadCaseCluster(
  given: readonly GivenManifest[],
  { autoBindings, kubernetesVersion, clock, observe, plugins, images }: CaseClusterOptions,
  found: readonly InputProblem[] = [],
): Promise<LoadedCluster> {
  const problems = [...found];
  let inputs = sortInputs(given);
  if (autoBindings) {
    const unbound = withoutBinding(inputs.policies, inputs.bindings);
    inputs = {
      ...inputs,
      bindings: [...inputs.bindings, ...unbound.map((policy) => automaticBinding(policy))],
    };
  }
  const schemas = await schemasOf(inputs, kubernetesVersion);
  const wrong = plugins && (await pluginProblem(plugins, kubernetesVersion));
  if (wrong !== undefined) return { problems: [...found, { file: '', message: wrong }] };
  const configuration = checkConfiguration(inputs);
  problems.push(
    ...configuration.problems,
    ...configuration.notes,
    ...(await definitionProblems(inputs, schemas)),
  );
  if (inputs.policies.length + inputs.kyverno.length === 0) {
    problems.push({ file: '', message: 'the `policies` of the case contain no policy' });
  }
  const held = [...inputs.policies, ...inputs.bindings, ...inputs.context];
  for (const manifest of held) problems.push(...findUnknownFields(manifest, schemas));
  problems.push(...refusedObjects([...held, ...inputs.leftovers], schemas));
  const prepared = { inputs: { ...inputs, subjects: inputs.leftovers }, schemas, held };
  const check = await loadCheck(prepared, { kubernetesVersion, clock, observe, plugins, images });
  problems.push(...check.refused.problems, ...check.unsupported);
  if (problems.length > 0) return { problems };
  return { check, schemas, inputs, assumptions: new NamespaceAssumptions(check.chain) };
}
