import { type Cluster, loadCluster } from '@kubeadmit/admission';
import { member } from '@kubeadmit/apimachinery';
import { kyvernoRole, refusalProblems } from '@kubeadmit/lint';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { Progress } from '../output/progress.ts';
import type { Terminal } from '../terminal.ts';
import { passDefinition } from './custom-resources.ts';
import type { BindingActions } from './findings.ts';
import { type Gates, makeGates, passGates } from './gates.ts';
import type { PreparedCheck, PreparedRequest } from './prepare.ts';
import type { CheckedObject, Report } from './report.ts';

/** The report of a check, or what kube-apiserver would refuse to create beforehand. */
export type RunResult = Checked | Refused;

/** What was said of every object. */
export interface Checked {
  readonly type: 'report';
  readonly report: Report;
  /** Policies and rules that nothing was asked, and why. */
  readonly unsupported: readonly InputProblem[];
}

/** Objects of the cluster that kube-apiserver would not have. */
export interface Refused {
  readonly type: 'refused';
  readonly problems: readonly InputProblem[];
  /** Whether policies or bindings are among them. */
  readonly policies: boolean;
}

/** Fewer requests than this are answered before anybody wonders. */
const manyRequests = 500;

/** Runs every request of a check through all of its policies. */
export async function runCheck(
  prepared: PreparedCheck,
  kubernetesVersion: string | undefined,
  terminal: Terminal,
): Promise<RunResult> {
  const { inputs, schemas, held, requests } = prepared;
  const resources = held.map(({ object }) => object);
  const cluster = loadCluster({
    resources,
    schemas,
    kubernetesVersion,
    onErrors: 'report',
    checkDefinitions: false,
  });
  if (cluster.errors.length > 0) return refusalsOf(cluster, held);
  const gates = await makeGates(prepared, cluster, kubernetesVersion);
  const refused = gates.kyverno?.refused ?? [];
  if (refused.length > 0) return { type: 'refused', problems: refused, policies: true };
  const actions = bindingActions(inputs.bindings);
  const progress = new Progress(terminal.stderr, requests.length, manyRequests);
  const objects: CheckedObject[] = [];
  for (const [index, request] of requests.entries()) {
    progress.show('checking', index, requests.length);
    objects.push(checkOne(gates, request, actions, schemas));
  }
  progress.clear();
  const report = {
    kubernetesVersion: schemas.version,
    policies: inputs.policies.length + policiesOf(inputs.kyverno).length,
    bindings: inputs.bindings.length,
    objects,
  };
  return { type: 'report', report, unsupported: gates.kyverno?.unsupported ?? [] };
}

function policiesOf(kyverno: readonly Manifest[]): readonly Manifest[] {
  return kyverno.filter((manifest) => kyvernoRole(manifest) !== 'exception');
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
      const actions = member(member(object, 'spec'), 'validationActions');
      return [name, Array.isArray(actions) ? actions.map(String) : ['Deny']] as const;
    }),
  );
}

function checkOne(
  gates: Gates,
  { manifest, request }: PreparedRequest,
  actions: BindingActions,
  schemas: Schemas,
): CheckedObject {
  const about = {
    file: manifest.file,
    line: manifest.line,
    kind: text(member(request['kind'], 'kind')),
    namespace: text(request['namespace']),
    name: text(request['name']) || manifest.name,
    operation: text(request['operation']),
  };
  const passed = passDefinition(passGates(gates, request, actions), request, schemas);
  const { object: _object, message: _message, changes: _changes, ...passage } = passed;
  return { ...about, ...passage };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
