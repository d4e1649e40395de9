import { type Cluster, prepareRequest } from '@kubeadmit/admission';
import { member } from '@kubeadmit/apimachinery';
import type { AdmissionRequest, MatchResources, PolicySpec } from '@kubeadmit/engine';
import { boundPolicy } from '@kubeadmit/lint/inputs';
import type { Manifest } from '@kubeadmit/manifest';
import { compileMatch, isExempt, matchRequest } from '@kubeadmit/matcher';
import { type AskedFacts, exactReason } from './exact-reason.ts';
import type { ExplainedBinding } from './explanation.ts';

/** A request, and its known properties. */
export interface UnmatchedRequest {
  /** The kind of the policy, which is also the name of its admission plugin. */
  readonly kind: string;
  readonly cluster: Cluster;
  readonly request: AdmissionRequest;
  readonly facts: AskedFacts;
}

/** Why a policy was not evaluated for a request. */
export interface Unevaluated {
  /** False if the policy would match: its plugin is off, or the request was rejected before. */
  readonly asked?: false;
  readonly reason: string;
  /** Why each binding does not match; empty where the policy itself does not. */
  readonly bindings: readonly ExplainedBinding[];
}

/** Returns the bindings of a policy. */
export function bindingsOf(
  { kind, name }: Manifest,
  bindings: readonly Manifest[],
): readonly Manifest[] {
  return bindings.filter((binding) => boundPolicy(binding) === `${kind}/${name}`);
}

/**
 * Explains why a policy that acts was not evaluated for a request: its plugin is off, it has no binding, its constraints
 * do not match, or no binding's do.
 */
export function explainUnevaluated(
  { matchConstraints = {} }: PolicySpec,
  bindings: readonly Manifest[],
  given: UnmatchedRequest,
): Unevaluated {
  if (given.cluster.plugins?.set.names.has(given.kind) === false) {
    return { asked: false, reason: `the admission plugin ${given.kind} is off`, bindings: [] };
  }
  if (bindings.length === 0) return { reason: 'it has no binding', bindings: [] };
  const matchOf = matcher(given);
  const { matched, reason } = matchOf(matchConstraints ?? {}, 'spec.matchConstraints');
  if (!matched) return { reason, bindings: [] };
  const explained = bindings.map(({ name: binding, object }): ExplainedBinding => {
    const resources = member(member(object, 'spec'), 'matchResources') ?? {};
    const match = matchOf(resources as MatchResources, 'spec.matchResources');
    return { binding, ...match, evaluations: [] };
  });
  if (explained.some((each) => each.matched)) {
    return { asked: false, reason: 'the request is rejected before', bindings: [] };
  }
  const reasons = explained.map((each) => `binding ${each.binding}: ${each.reason}`);
  return { reason: reasons.join('; '), bindings: explained };
}

interface Match {
  readonly matched: boolean;
  readonly reason: string;
}

/** Returns a function that decides whether constraints match the request, and returns the reason. */
function matcher({ cluster, request, facts }: UnmatchedRequest) {
  const prepared = prepareRequest(cluster, request);
  return (constraints: MatchResources, list: string): Match => {
    const reasonOf = (reason: Parameters<typeof exactReason>[0]): string =>
      exactReason(reason, constraints, list, facts);
    if (prepared.failure !== undefined) return { matched: false, reason: reasonOf(undefined) };
    const { attributes, environment } = prepared;
    if (isExempt(attributes)) {
      const { resource } = attributes.resource;
      return { matched: false, reason: `kube-apiserver never evaluates policies for ${resource}` };
    }
    const { outcome, reason } = matchRequest(
      compileMatch(constraints),
      attributes,
      environment.match,
    );
    return { matched: outcome === 'match', reason: reasonOf(reason) };
  };
}
