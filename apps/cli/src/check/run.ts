import { type AdmissionOutcome, admit, type Cluster, loadCluster } from '@kubeadmit/admission';
import { diffJson, type Json } from '@kubeadmit/mutator';
import type { InputProblem } from '../manifest/documents.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { Progress } from '../output/progress.ts';
import type { Terminal } from '../terminal.ts';
import { type BindingActions, findingsOf } from './findings.ts';
import { field } from './inputs.ts';
import { refusalProblems } from './policy-problems.ts';
import type { PreparedCheck, PreparedRequest } from './prepare.ts';
import type { CheckedObject, PatchOperation, Report } from './report.ts';
import type { AdmissionRequest } from './requests.ts';

/** The report of a check, or what kube-apiserver would refuse to create beforehand. */
export type RunResult = { readonly type: 'report'; readonly report: Report } | Refused;

/** Objects of the cluster that kube-apiserver would not have. */
export interface Refused {
  readonly type: 'refused';
  readonly problems: readonly InputProblem[];
  /** Whether policies or bindings are among them. */
  readonly policies: boolean;
}

/** An outcome that is no failure. */
type Decided = Extract<AdmissionOutcome, { readonly response: unknown }>;

/** Fewer requests than this are answered before anybody wonders. */
const manyRequests = 500;

/** Runs every request of a check through all of its policies. */
export function runCheck(
  prepared: PreparedCheck,
  kubernetesVersion: string | undefined,
  terminal: Terminal,
): RunResult {
  const { inputs, schemas, held, requests } = prepared;
  const resources = held.map(({ object }) => object);
  const cluster = loadCluster({ resources, schemas, kubernetesVersion });
  if (cluster.errors.length > 0) return refusalsOf(cluster, held);
  const actions = bindingActions(inputs.bindings);
  const progress = new Progress(terminal.stderr, requests.length, manyRequests);
  const objects: CheckedObject[] = [];
  for (const [index, request] of requests.entries()) {
    progress.show('checking', index, requests.length);
    objects.push(checkOne(cluster, request, actions));
  }
  progress.clear();
  const report = {
    kubernetesVersion: schemas.version,
    policies: inputs.policies.length,
    bindings: inputs.bindings.length,
    objects,
  };
  return { type: 'report', report };
}

/** What kube-apiserver would refuse to create, with places. */
export function refusalsOf(cluster: Cluster, held: readonly Manifest[]): Refused {
  const problems = cluster.errors.flatMap((refusal) => {
    const manifest = held.find(({ kind, name }) => `${kind}/${name}` === refusal.resource);
    return manifest === undefined
      ? [{ file: refusal.resource, message: refusal.message }]
      : refusalProblems(manifest, refusal);
  });
  const policies = cluster.errors.some(({ resource }) =>
    /^(?:Validating|Mutating)AdmissionPolicy/.test(resource),
  );
  return { type: 'refused', problems, policies };
}

function bindingActions(bindings: readonly Manifest[]): BindingActions {
  return new Map(
    bindings.map(({ name, object }) => {
      const actions = field(field(object, 'spec'), 'validationActions');
      return [name, Array.isArray(actions) ? actions.map(String) : ['Deny']] as const;
    }),
  );
}

function checkOne(
  cluster: Cluster,
  { manifest, request }: PreparedRequest,
  actions: BindingActions,
): CheckedObject {
  const about = {
    file: manifest.file,
    line: manifest.line,
    kind: text(field(request['kind'], 'kind')),
    namespace: text(request['namespace']),
    name: text(request['name']) || manifest.name,
    operation: text(request['operation']),
  };
  const outcome = admitSafely(cluster, request);
  if (outcome.failure !== undefined) {
    return { ...about, allowed: false, failure: outcome.failure, patch: [], findings: [] };
  }
  return {
    ...about,
    allowed: outcome.response.allowed,
    patch: changesOf(outcome),
    findings: findingsOf(outcome.trace, actions),
  };
}

/**
 * What mutating policies changed, from the object as the server would hold it: other than the patch
 * of the response, without the defaults that a manifest leaves to the server.
 */
export function changesOf({ requested, object }: Decided): readonly PatchOperation[] {
  if (object === undefined || requested === null || object === requested) return [];
  return diffJson(requested as Json, object as Json);
}

/** A request that breaks the engine must neither pass nor hide what is said of the others. */
function admitSafely(cluster: Cluster, request: AdmissionRequest): AdmissionOutcome {
  try {
    return admit(cluster, request);
  } catch (error) {
    return { failure: `internal error, please report it: ${String(error)}` };
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
