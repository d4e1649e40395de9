import type { JsonObject } from '@kubeadmit/apimachinery';
import type { CelSources, ContextSources, GivenUser } from '@kubeadmit/kyverno';

/** Data from outside a request that policies of Kyverno read, as the Kyverno CLI is given them in files. */
export interface OutsideData {
  /** Returns the variables, by dotted names, of a policy for an object of a name. */
  readonly variablesOf: (policy: string, object: string) => ReadonlyMap<string, unknown>;
  /** Returns the variables of a rule of a policy; `undefined` if none are given. */
  readonly ruleValues: (policy: string, rule: string) => ReadonlyMap<string, unknown> | undefined;
  /** Whether variables of a policy give the data of a context entry. */
  readonly givesEntry: (policy: string, entry: string) => boolean;
  /** Namespaces of the cluster. */
  readonly namespaces: readonly JsonObject[];
  /** Objects of the cluster that expressions find. */
  readonly resources: readonly JsonObject[];
  /** The user of requests with the roles; `undefined` if none is given. */
  readonly user: GivenUser | undefined;
  /** Answers in the place of registries, services and GlobalContextEntries. */
  readonly sources: Pick<CelSources, 'globalContext' | 'http' | 'imageData'> &
    Pick<ContextSources, 'apiCall' | 'globalReference'>;
}

/** Sources of a cluster, and the data that replaces registries and services. */
export function withOutsideData(
  sources: ContextSources & CelSources,
  outside: OutsideData | undefined,
): ContextSources & CelSources {
  if (outside === undefined) return sources;
  const { apiCall: given, globalContext: entry, ...others } = outside.sources;
  const apiCall: ContextSources['apiCall'] = (call, policyNamespace) => {
    const answer = given?.(call, policyNamespace) ?? 'unavailable';
    return answer === 'unavailable'
      ? (sources.apiCall?.(call, policyNamespace) ?? 'unavailable')
      : answer;
  };
  const globalContext: CelSources['globalContext'] = (name, projection) =>
    entry?.(name, projection) ?? sources.globalContext?.(name, projection);
  return { ...sources, ...others, apiCall, globalContext };
}
