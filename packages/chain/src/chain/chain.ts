import { type Cluster, loadCluster } from '@kubeadmit/admission';
import type { StaticPolicies } from '@kubeadmit/admission/static-policies';
import {
  type KubernetesObject,
  kindOfObject,
  member,
  metadataString,
} from '@kubeadmit/apimachinery';
import { type OptionKind, requireOptions, requireValue, timeOf } from '@kubeadmit/base';
import type { ObserveEvaluation } from '@kubeadmit/engine';
import type { ImageVerifier } from '@kubeadmit/kyverno';
import type { Schemas } from '@kubeadmit/schemas';
import { requireSchemas } from '@kubeadmit/schemas/unstable-internal';
import type { BindingActions } from '../findings/findings.ts';
import type { OutsideData } from '../kyverno/outside-data.ts';
import type { KyvernoWebhooks } from '../kyverno/webhooks.ts';
import { kyvernoRole } from '../readers/kyverno-role.ts';
import type { ChainPlugins, ManifestCluster } from './manifest-cluster.ts';
import { isPoliciesOnly } from './plugin-choice.ts';

/**
 * Everything that decides about requests, loaded once: native policies, and Kyverno's as its webhooks would
 * ask them.
 */
export interface Chain {
  /** Native policies and their dependencies; `errors` lists those that kube-apiserver would reject. */
  readonly cluster: Cluster;
  /** Kyverno; absent where there is no policy of its kinds. */
  readonly kyverno: KyvernoWebhooks | undefined;
  /** The validation actions of bindings, by name. */
  readonly actions: BindingActions;
  /** The bindings of native policies, as they were given. */
  readonly bindings: readonly KubernetesObject[];
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
  /** The objects that admission plugins find; absent if no plugins beside policies run. */
  readonly plugins?: ManifestCluster | undefined;
}

/** The options of loading a chain. */
export interface ChainOptions {
  /**
   * Any objects of a cluster: native policies, bindings, parameters, namespaces, RBAC, definitions; policies of
   * Kyverno, exceptions to them, ConfigMaps and whatever else their rules look up.
   */
  readonly resources: readonly KubernetesObject[];
  /** Policies from the server's own disk; see `ClusterOptions.staticPolicies`. */
  readonly staticPolicies?: StaticPolicies | undefined;
  /**
   * Objects that rules of Kyverno find in the cluster in addition; native policies do not see them. They are read
   * when a rule first looks something up.
   */
  readonly lookups?: Iterable<KubernetesObject>;
  /** The kinds of the server and of the definitions among the resources. */
  readonly schemas: Schemas;
  /** The server's version; default the newest. */
  readonly kubernetesVersion?: string | undefined;
  /** Kinds of parameters (`APIVERSION KIND`) that cannot be read; see `ClusterOptions.unreadableKinds`. */
  readonly unreadableKinds?: readonly string[] | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
  /** A chain that was loaded before: native policies that it has too are not compiled again. */
  readonly previous?: Chain | undefined;
  /** Receives every evaluation of a CEL expression; evaluations then take longer. */
  readonly observe?: ObserveEvaluation | undefined;
  /** The admission plugins of the server; default those of policies and webhooks. */
  readonly plugins?: ChainPlugins | undefined;
  /** Data that policies of Kyverno read in the place of a cluster and of services. */
  readonly outside?: OutsideData | undefined;
  /** Verifies images for policies of Kyverno; without it, rules that verify images are not evaluated. */
  readonly images?: ImageVerifier | undefined;
}

const optionKinds: Readonly<Record<keyof ChainOptions, OptionKind>> = {
  resources: 'list',
  staticPolicies: 'object',
  lookups: 'any',
  schemas: 'any',
  kubernetesVersion: 'string',
  unreadableKinds: 'list',
  clock: 'function',
  previous: 'any',
  observe: 'function',
  plugins: 'object',
  outside: 'object',
  images: 'object',
};

/** Loads a chain. Kyverno's engine is loaded only where there are policies of its kinds. */
export async function loadChain(options: ChainOptions): Promise<Chain> {
  requireOptions('loadChain', options, optionKinds);
  requireValue('loadChain: `resources`', options.resources, 'list', 'a list of objects');
  requireSchemas('loadChain', options.schemas);
  requireValue('loadChain: `clock`', options.clock, 'function', 'a function');
  const { resources, lookups = [], schemas, kubernetesVersion, clock, previous, observe } = options;
  const { staticPolicies } = options;
  const native = resources.filter((object) => roleOf(object) === undefined);
  const policies = resources.filter((object) => !['test', undefined].includes(roleOf(object)));
  const loaded = loadCluster({
    resources: native,
    staticPolicies,
    schemas,
    kubernetesVersion,
    now: timeOf(clock),
    onErrors: 'report',
    unreadableKinds: options.unreadableKinds,
    previous: previous?.cluster,
    observe,
  });
  const plugins = await loadManifestCluster(options, loaded, native);
  const cluster = plugins === undefined ? loaded : { ...loaded, plugins: plugins.plugins };
  const bindings = [...(staticPolicies?.objects ?? []), ...native].filter(isBinding);
  const actions = bindingActions(bindings);
  const chain = { cluster, kyverno: undefined, actions, bindings, clock, plugins };
  const names = plugins?.plugins.set.names;
  const callsWebhooks = names?.has('ValidatingAdmissionWebhook') ?? true;
  if (policies.length === 0 || !callsWebhooks) return chain;
  const { KyvernoWebhooks } = await import('../kyverno/webhooks.ts');
  const { schemas: known } = cluster;
  const kyverno = new KyvernoWebhooks(policies, {
    held: native,
    lookups,
    schemas: known,
    clock,
    observe,
    outside: options.outside,
    images: options.images,
  });
  return { ...chain, kyverno };
}

/** Loads the plugins of a chain and their objects; undefined if only policies and webhooks run. */
async function loadManifestCluster(
  { plugins, kubernetesVersion, clock }: ChainOptions,
  cluster: Cluster,
  resources: readonly KubernetesObject[],
): Promise<ManifestCluster | undefined> {
  if (plugins === undefined || isPoliciesOnly(plugins)) return undefined;
  const { ManifestCluster } = await import('./manifest-cluster.ts');
  return ManifestCluster.load({ ...plugins, cluster, resources, kubernetesVersion, clock });
}

function roleOf(object: KubernetesObject): ReturnType<typeof kyvernoRole> {
  const kind = kindOfObject(object);
  return kind && kyvernoRole(kind);
}

const bindingKind = /^(?:Validating|Mutating)AdmissionPolicyBinding$/;

function isBinding(object: KubernetesObject): boolean {
  const named = kindOfObject(object);
  return named?.group === 'admissionregistration.k8s.io' && bindingKind.test(named.kind);
}

function bindingActions(objects: readonly KubernetesObject[]): BindingActions {
  const bindings = objects.filter(
    (object) => kindOfObject(object)?.kind === 'ValidatingAdmissionPolicyBinding',
  );
  return new Map(
    bindings.map((binding) => {
      const actions = member(member(binding, 'spec'), 'validationActions');
      const texts = Array.isArray(actions) ? actions.map(String) : ['Deny'];
      return [metadataString(binding, 'name'), texts] as const;
    }),
  );
}
