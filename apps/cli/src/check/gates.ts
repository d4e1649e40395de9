import { type AdmissionOutcome, admit, type Cluster, loadCluster } from '@kubeadmit/admission';
import type { AdmissionRequest } from '@kubeadmit/check';
import type { KubernetesObject, Manifest } from '@kubeadmit/manifest';
import { diffJson, type Json } from '@kubeadmit/mutator';
import type { KyvernoWebhooks } from '../kyverno/webhooks.ts';
import { type Change, kyvernoChanges, nativeChanges } from './changes.ts';
import { type BindingActions, findingsOf } from './findings.ts';
import type { PreparedCheck } from './prepare.ts';
import type { CheckedObject, PatchOperation } from './report.ts';

/**
 * What a request passes on its way into a cluster: native policies that change it, Kyverno's that do, then
 * those of both that judge it.
 */
export interface Gates {
  /** Native policies of both kinds, or with mutating policies of Kyverno the mutating ones. */
  readonly first: Cluster;
  /** Native validating policies, where Kyverno changes objects before they see them. */
  readonly second: Cluster | undefined;
  readonly kyverno: KyvernoWebhooks | undefined;
}

/** Makes the gates of a check; Kyverno's are loaded only where there are policies of its kinds. */
export async function makeGates(
  { inputs, schemas, held }: PreparedCheck,
  cluster: Cluster,
  kubernetesVersion: string | undefined,
): Promise<Gates> {
  if (inputs.kyverno.length === 0) return { first: cluster, second: undefined, kyverno: undefined };
  const { KyvernoWebhooks } = await import('../kyverno/webhooks.ts');
  const known = new Set([...held, ...inputs.subjects]);
  const kyverno = new KyvernoWebhooks(inputs.kyverno, [...known], schemas, Date.now());
  if (!kyverno.mutates || inputs.policies.length === 0) {
    return { first: cluster, second: undefined, kyverno };
  }
  const load = (left: (manifest: Manifest) => boolean): Cluster => {
    const resources = held.filter((manifest) => !left(manifest)).map(({ object }) => object);
    return loadCluster({
      resources,
      schemas,
      kubernetesVersion,
      onErrors: 'report',
      checkDefinitions: false,
    });
  };
  return {
    first: load(({ kind }) => kind.startsWith('ValidatingAdmissionPolicy')),
    second: load(({ kind }) => kind.startsWith('MutatingAdmissionPolicy')),
    kyverno,
  };
}

/** What became of a request. */
export type Passage = Pick<CheckedObject, 'allowed' | 'failure' | 'patch' | 'findings'> & {
  /** Why it is refused, where that is known in one text. */
  readonly message?: string | undefined;
  /** What each mutation changed. */
  readonly changes: readonly Change[];
  /** The object as the cluster would hold it; null where the request has none. */
  readonly object: KubernetesObject | null;
};

/**
 * Sends a request through the gates. Policies of Kyverno are asked though a native one denies, so that all is
 * told at once.
 */
export function passGates(
  gates: Gates,
  request: AdmissionRequest,
  actions: BindingActions,
): Passage {
  const changed = changeObject(gates, request, actions);
  const { second, kyverno } = gates;
  if (kyverno === undefined || changed.failure !== undefined) return changed;
  const { object } = changed;
  const findings = [...changed.findings];
  let { allowed } = changed;
  if (second !== undefined) {
    const judged = admitSafely(second, { ...request, object });
    if (judged.failure !== undefined) return failed(judged.failure);
    findings.push(...findingsOf(judged.trace, actions));
    allowed &&= judged.response.allowed;
  }
  const answer = kyverno.validate(request, object);
  findings.push(...answer.findings);
  return { ...changed, allowed: allowed && !answer.isDenied, findings };
}

/** What the first gate and Kyverno's mutating policies make of the object of a request. */
export function changeObject(
  { first, kyverno }: Gates,
  request: AdmissionRequest,
  actions: BindingActions,
): Passage {
  const outcome = admitSafely(first, request);
  if (outcome.failure !== undefined) return failed(outcome.failure);
  const { response, requested } = outcome;
  const { allowed } = response;
  const findings = findingsOf(outcome.trace, actions);
  const object = (outcome.object ?? requested) as KubernetesObject | null;
  if (kyverno?.mutates !== true || object === null) {
    const { message } = response.status ?? {};
    const patch = changesBetween(requested, object);
    return { allowed, message, patch, findings, changes: nativeChanges(outcome.trace), object };
  }
  const mutated = kyverno.mutate(request, object);
  const problem = mutated.findings.find(({ verdict }) => verdict === 'error');
  return {
    allowed: allowed && !mutated.isDenied,
    message: response.status?.message ?? problem?.message,
    // What the server adds by itself is not what policies change.
    patch: changesBetween(requested, mutated.object),
    findings: [...findings, ...mutated.findings],
    changes: [
      ...nativeChanges(outcome.trace),
      ...kyvernoChanges(mutated.findings, object, mutated.object),
    ],
    object: mutated.object as KubernetesObject,
  };
}

function failed(failure: string): Passage {
  return { allowed: false, failure, patch: [], findings: [], changes: [], object: null };
}

function changesBetween(before: unknown, after: unknown): readonly PatchOperation[] {
  if (before === null || after === null || after === before) return [];
  return diffJson(before as Json, after as Json);
}

/** A request that breaks the engine must neither pass nor hide what is said of the others. */
function admitSafely(cluster: Cluster, request: AdmissionRequest): AdmissionOutcome {
  try {
    return admit(cluster, request);
  } catch (error) {
    return { failure: `internal error, please report it: ${String(error)}` };
  }
}
