import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { storeCustomResource } from '@kubeadmit/custom-resources';
import type {
  Authorizer,
  MutatingPolicy,
  ObserveEvaluation,
  ValidatingPolicy,
} from '@kubeadmit/engine';
import type { Schemas } from '@kubeadmit/schemas';
import type { ResourceNote } from './cluster-notes.ts';
import type { LoadedPolicies, ResourceProblem } from './loaded-policies.ts';
import type { PluginCluster, PluginRequest } from './plugins/plugin.ts';
import type { PluginSet } from './plugins/plugin-set.ts';
import type { PolicySet } from './policy-set.ts';
import type { StaticPolicies } from './static-manifests.ts';
import type { WebhookPart } from './webhook-failure-policy.ts';

/** The inputs of a cluster. */
export interface ClusterOptions {
  /**
   * Any objects: policies and bindings of any version, CustomResourceDefinitions, namespaces,
   * parameters, Roles and their bindings.
   */
  readonly resources: readonly KubernetesObject[];
  /** The static policies that the server reads from its own disk (see `readStaticManifests`); default none. */
  readonly staticPolicies?: StaticPolicies | undefined;
  /** The schemas of the built-in kinds. */
  readonly schemas: Schemas;
  /** The server's version, which decides the language features of new expressions (default: the newest). */
  readonly kubernetesVersion?: string | undefined;
  /**
   * Whether the newest server emulates the version (`--emulated-version`, default: false). Then the version only
   * decides which libraries new expressions may use; other behavior is that of the newest server.
   */
  readonly emulated?: boolean | undefined;
  /**
   * The time as in `2026-01-02T03:04:05Z` at which the resources are made, for defaults of parameters that read the
   * clock; default the beginning of 1970.
   */
  readonly now?: string | undefined;
  /** Answers the authorization checks of policies; default the Roles among the resources. */
  readonly authorizer?: Authorizer | undefined;
  /**
   * A cluster that was loaded before: the policies and bindings that it has too, the same objects or equal
   * ones, are neither validated nor compiled again.
   */
  readonly previous?: Cluster | undefined;
  /**
   * Whether the caller never modifies the resources after this call; default false.
   *
   * Policies and bindings are then not copied, and identical objects of the previous cluster are reused without a
   * comparison.
   */
  readonly areImmutable?: boolean | undefined;
  /** Whether objects without effect are noted (default: true). */
  readonly takesNotes?: boolean | undefined;
  /**
   * How to treat resources that kube-apiserver would reject, so that their policies cannot act.
   *
   * `throw` throws a RefusedResourcesError (the default); `report` lists them in the cluster's `errors` and
   * continues without them.
   */
  readonly onErrors?: 'throw' | 'report' | undefined;
  /**
   * Whether custom resources are validated against their definitions between mutating and validating policies
   * (default: true). A webhook leaves this to the server that calls it.
   */
  readonly checkDefinitions?: boolean | undefined;
  /**
   * Kinds of parameters (`APIVERSION KIND`) that cannot be read: policies that name them have an error of
   * configuration, about which their failure policy decides.
   */
  readonly unreadableKinds?: readonly string[] | undefined;
  /**
   * The admission plugins of the server beside policies, from `selectPlugins` of `@kubeadmit/admission/plugins`;
   * default none.
   */
  readonly plugins?: PluginSet | undefined;
  /** Called for every evaluation of an expression, with the values of its subexpressions. */
  readonly observe?: ObserveEvaluation | undefined;
}

/** The state that kube-apiserver would know: kinds, namespaces, parameters, permissions and policies. */
export interface Cluster {
  /** The kinds that it knows, those of its definitions too. */
  readonly schemas: Schemas;
  /** The resources that kube-apiserver would refuse; they have no effect. */
  readonly errors: readonly ResourceProblem[];
  /**
   * Notes about resources that kube-apiserver would accept but that have no effect, such as bindings without their
   * policy.
   */
  readonly notes: readonly ResourceNote[];
  /** The policies that have bindings, ready for requests. */
  readonly policies: PolicySet;
  /** Those that the server reads from its own disk, which come first; absent where it reads none. */
  readonly staticPolicies?: PolicySet | undefined;
  /** The admission plugins beside policies; absent if there are none. */
  readonly plugins?: ClusterPlugins | undefined;
  /** Only the policies of this webhook act; default all. */
  readonly onlyWebhook?: WebhookPart | undefined;
  /** Its namespaces, by name. */
  readonly namespaces: ReadonlyMap<string, KubernetesObject>;
  /** Answers the checks of `authorizer` in expressions. */
  readonly authorizer: Authorizer;
  /** Whether expressions see the Go structs of built-in kinds, as they do from 1.37 on, and not JSON. */
  readonly handsOnStructs: boolean;
  /**
   * Validates custom resources against their definitions; absent without definitions or if
   * {@link ClusterOptions.checkDefinitions} is false.
   */
  readonly storeCustomResource: typeof storeCustomResource | undefined;
  /** Its ValidatingAdmissionPolicies, in the form of v1. */
  readonly validatingPolicies: readonly ValidatingPolicy[];
  /** Its MutatingAdmissionPolicies, in the form of v1. */
  readonly mutatingPolicies: readonly MutatingPolicy[];
  /** The compiled policies that the next cluster can reuse; see {@link ClusterOptions.previous}. */
  readonly loaded: LoadedPolicies;
}

/** The admission plugins of a cluster beside policies, and the objects that they read. */
export interface ClusterPlugins {
  readonly set: PluginSet;
  readonly cluster: PluginCluster;
  /** Returns the cluster as the plugins see it for one request; default {@link cluster}. */
  readonly clusterFor?: (request: PluginRequest) => PluginCluster;
}
