import {
  admit,
  type BindingTrace,
  type Cluster,
  type EvaluationTrace,
  loadCluster,
} from '@kubeadmit/admission';
import { applyJsonPatch, diffJson, type Json } from '@kubeadmit/mutator';
import type { Schemas } from '@kubeadmit/schemas';
import { field } from '../check/inputs.ts';
import type { AdmissionRequest } from '../check/requests.ts';
import type { KubernetesObject, Manifest } from '../manifest/manifest.ts';
import type { JsonObject } from './json.ts';
import type { Response, Result } from './response.ts';

/** A ValidatingAdmissionPolicy or MutatingAdmissionPolicy in a cluster of its own. */
export interface NativePolicy {
  readonly kind: 'ValidatingAdmissionPolicy' | 'MutatingAdmissionPolicy';
  readonly name: string;
  readonly cluster: Cluster;
}

/**
 * Loads native policies, each by itself, so that it is known what each says and makes.
 *
 * A policy without binding is bound to everything, as in the Kyverno CLI.
 */
export function loadNative(
  policies: readonly Manifest[],
  bindings: readonly Manifest[],
  others: readonly KubernetesObject[],
  schemas: Schemas,
): readonly NativePolicy[] {
  return policies.map(({ kind, name, apiVersion, object }) => {
    const own = bindings.filter(
      (binding) =>
        binding.kind === `${kind}Binding` &&
        field(field(binding.object, 'spec'), 'policyName') === name,
    );
    const bound =
      own.length > 0 ? own.map((binding) => binding.object) : [everything(apiVersion, kind, name)];
    const resources = [object, ...bound, ...others];
    return {
      kind: kind as NativePolicy['kind'],
      name,
      cluster: loadCluster({ resources, schemas }),
    };
  });
}

function everything(apiVersion: string, kind: string, name: string): KubernetesObject {
  const actions = kind === 'ValidatingAdmissionPolicy' ? { validationActions: ['Deny'] } : {};
  return {
    apiVersion,
    kind: `${kind}Binding`,
    metadata: { name: `${name}-binding` },
    spec: { policyName: name, ...actions },
  };
}

/** What a native policy says of a request, in one result; none where it does not concern it. */
export function applyNative(
  { kind, name, cluster }: NativePolicy,
  object: JsonObject,
  request: AdmissionRequest,
): Response {
  const type = kind === 'MutatingAdmissionPolicy' ? 'Mutation' : 'Validation';
  const answer = (results: readonly Result[], after: JsonObject = object): Response => ({
    policy: name,
    kind,
    results,
    object: after,
  });
  const error = (message: string): Response =>
    answer([{ rule: '', type, status: 'error', message }]);
  const refused = cluster.errors.find(({ resource }) => resource === `${kind}/${name}`);
  if (refused !== undefined) return error(refused.message);
  const outcome = admit(cluster, request);
  if (outcome.failure !== undefined) return error(outcome.failure);
  const trace = outcome.trace.find(({ policy, pass }) => policy === name && pass === 1);
  if (trace === undefined || trace.outcome === 'noMatch') return answer([]);
  if (trace.outcome === 'error') return error(trace.message ?? 'the policy cannot be evaluated');
  const results = trace.bindings.flatMap((binding) => resultOf(binding, type) ?? []);
  const last = results.at(-1);
  if (last === undefined) return answer([]);
  const { requested, object: decided } = outcome;
  if (type === 'Validation' || decided === undefined || requested === null) return answer([last]);
  // What the server adds by itself is not what the policy makes of the object.
  const changes = diffJson(requested as Json, decided as Json);
  const patched = applyJsonPatch(object as Json, changes);
  const after = patched.outcome === 'patched' ? patched.document : decided;
  return answer([last], after as JsonObject);
}

function resultOf(binding: BindingTrace, type: Result['type']): Result | undefined {
  const result = (status: Result['status'], message: string): Result => ({
    rule: '',
    type,
    status,
    message,
  });
  if (binding.outcome === 'noMatch') return undefined;
  if (binding.outcome === 'error') return result('error', binding.message ?? '');
  const failed = binding.evaluations.flatMap((evaluation) => failureOf(evaluation, result) ?? []);
  const [first] = failed;
  if (first !== undefined) return first;
  if (binding.evaluations.some(({ conditions }) => conditions.outcome === 'match')) {
    return result('pass', type === 'Mutation' ? 'mutation is successfully applied' : '');
  }
  return result('skip', "match conditions aren't met");
}

function failureOf(
  { conditions, decisions = [], mutations = [] }: EvaluationTrace,
  result: (status: Result['status'], message: string) => Result,
): Result | undefined {
  if (conditions.outcome === 'error') return result('error', conditions.message ?? '');
  for (const { evaluation, action, message } of decisions) {
    if (evaluation === 'error') return result('error', message);
    if (action === 'deny') return result('fail', message);
  }
  const broken = mutations.find(({ outcome }) => outcome === 'error');
  return broken && result('error', broken.message ?? '');
}
