import { RefusedResourcesError, type ResourceProblem } from '@kubeadmit/admission';
import { type KubernetesObject, kindOfObject, metadataString } from '@kubeadmit/apimachinery';
import { type OptionKind, requireOptions } from '@kubeadmit/base';
import { type Chain, type ChainOptions, loadChain } from '@kubeadmit/chain';
import { kyvernoRole } from '@kubeadmit/chain/kyverno';
import { loadSchemas } from '@kubeadmit/schemas';
import { jsonProblem } from '@kubeadmit/schemas/unstable-internal';

/** The options of preparing a chain. */
export interface PrepareChainOptions
  extends Pick<ChainOptions, 'resources' | 'kubernetesVersion' | 'clock' | 'plugins'> {
  /**
   * How to treat policies, bindings and rules that the servers would reject, or that are not evaluated here:
   * `throw` (the default) reports all of them in one error, `report` skips them and lists them in `errors`.
   */
  readonly onErrors?: 'throw' | 'report';
}

/** A chain, and which of its resources do not act. */
export interface PreparedChain extends Chain {
  /** Objects that kube-apiserver would not create; they do not act. */
  readonly errors: readonly ResourceProblem[];
}

/**
 * Loads the facts about kinds and creates a chain of policies: those of Kubernetes and those of Kyverno.
 *
 * @throws TypeError when the options are something else.
 * @throws RefusedResourcesError see {@link PrepareChainOptions.onErrors}.
 */
export async function prepareChain(options: PrepareChainOptions): Promise<PreparedChain> {
  requireChainOptions(options);
  const { resources, onErrors = 'throw', ...loaded } = options;
  const { kubernetesVersion: version } = loaded;
  const schemas = await loadSchemas(version === undefined ? {} : { version });
  const foreign = resources.filter(isForeign);
  const own = foreign.length === 0 ? resources : resources.filter((one) => !isForeign(one));
  const chain = await loadChain({ ...loaded, resources: own, schemas });
  const problems = chain.kyverno?.diagnostics.problems() ?? [];
  const errors = [
    ...foreign.map((one) => ({ resource: nameOf(one), message: jsonProblem(one) ?? '' })),
    ...chain.cluster.errors,
    ...problems.map(({ object, message }) => ({ resource: nameOf(object), message })),
  ];
  if (errors.length > 0 && onErrors === 'throw') throw new RefusedResourcesError(errors);
  const refused = new Set(problems.filter(({ acts }) => !acts).map(({ object }) => object));
  if (refused.size === 0) return { ...chain, errors };
  const left = own.filter((object) => !refused.has(object));
  return {
    ...(await loadChain({ ...loaded, resources: left, schemas, previous: chain })),
    errors,
  };
}

// Native policies read decoded objects. Rules of Kyverno read them unchanged, and a Map in one would contain
// nothing.
function isForeign(object: KubernetesObject): boolean {
  const kind = kindOfObject(object);
  const isOfKyverno = kind !== undefined && kyvernoRole(kind) !== undefined;
  return isOfKyverno && jsonProblem(object) !== undefined;
}

function nameOf(object: KubernetesObject): string {
  return `${object['kind']}/${metadataString(object, 'name')}`;
}

const chainOptions: Readonly<Record<keyof PrepareChainOptions, OptionKind>> = {
  resources: 'list',
  kubernetesVersion: 'string',
  clock: 'function',
  plugins: 'object',
  onErrors: ['throw', 'report'],
};

function requireChainOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError('prepareChain takes options: prepareChain({ resources: […], clock })');
  }
  const { resources, clock } = options as Partial<Record<string, unknown>>;
  if (!Array.isArray(resources) || resources.some((one) => typeof one !== 'object' || !one)) {
    throw new TypeError('prepareChain: `resources` must be a list of Kubernetes objects');
  }
  if (typeof clock !== 'function') {
    throw new TypeError('prepareChain: `clock` must return milliseconds, such as `Date.now`');
  }
  requireOptions('prepareChain', options, chainOptions);
}
