import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { ResourceList } from '../../resources/resource-list.ts';
import type { PluginCluster, PluginRequest } from '../plugin.ts';

/** Measures the quota usage of the objects of one resource (apiserver quota/v1 `Evaluator`). */
export interface QuotaEvaluator {
  /** The resource whose objects count, as in `PluginCluster.list`. */
  readonly resource: string;
  /** Whether a request can change the usage. */
  readonly handles: (request: PluginRequest) => boolean;
  /** Returns the names in quotas, such as `requests.cpu`, that objects of the resource count for. */
  readonly matchingNames: (names: readonly string[], cluster: PluginCluster) => readonly string[];
  /** Returns why an object cannot be counted; undefined if it can. */
  readonly problem?: (
    required: readonly string[],
    object: KubernetesObject,
    cluster: PluginCluster,
  ) => string | undefined;
  /** Whether an object belongs to a scope; absent for resources without scopes. */
  readonly isInScope?: (scope: Scope, object: KubernetesObject, cluster: PluginCluster) => boolean;
  /** Returns the resources that an object uses. */
  readonly usage: (object: KubernetesObject, cluster: PluginCluster) => ResourceList;
}

/** A scope of a quota (`v1.ScopedResourceSelectorRequirement`). */
export interface Scope {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}
