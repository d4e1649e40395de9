import { type JsonObject, type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { mayEnforce } from '@kubeadmit/kyverno/unstable-internal';
import type { KyvernoPolicies } from '../readers/policies.ts';
import type { Response, Result } from './response.ts';

/** Finds the policy of a response. */
export type FindPolicy = (response: Response) => KubernetesObject | undefined;

/**
 * Returns the warnings to the client of a request, as Kyverno's webhooks give them: about failures and errors of policies in
 * CEL with the action Warn, about those of other policies with `emitWarning`, and about mutations of the latter.
 *
 * A denied request has warnings of policies in CEL alone.
 */
export function warningsOf(
  responses: readonly Response[],
  policies: KyvernoPolicies,
  { find, isDenied }: { readonly find: FindPolicy; readonly isDenied: boolean },
): readonly string[] {
  return responses.flatMap((response) => {
    const { policy, kind, namespace, results } = response;
    if (kind === 'ClusterPolicy' || kind === 'Policy') {
      if (isDenied) return [];
      const spec = member(find(response), 'spec') as JsonObject | undefined;
      return results
        .filter((result) => warnsOf(result, spec ?? {}))
        .map(({ rule, message }) => `policy ${policy}.${rule}: ${message}`);
    }
    const compiled = policies.cel.find(
      ({ policy: one }) => one.kind === kind && one.name === policy && one.namespace === namespace,
    );
    if (compiled?.policy.actions.includes('Warn') !== true) return [];
    return results.flatMap(({ status, message }) => {
      if (status === 'fail') return [`Policy ${policy} failed: ${message}`];
      return status === 'error' ? [`Policy ${policy} error: ${message}`] : [];
    });
  });
}

function warnsOf({ type, status }: Result, spec: JsonObject): boolean {
  const isFailed = status === 'fail' || status === 'error' || status === 'warning';
  if (spec['emitWarning'] === true) return type === 'Mutation' ? status !== 'skip' : isFailed;
  // Kyverno evaluates policies that only audit after its answer; their failures are not known then.
  return type === 'Validation' ? status === 'error' && mayEnforce(spec) : isFailed;
}
