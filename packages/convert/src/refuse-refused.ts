import { type Cluster, loadCluster } from '@kubeadmit/admission';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { findResourceOfKind, type Schemas } from '@kubeadmit/schemas';
import { Unsupported } from './notes/unsupported.ts';

// Its compilers are used again.
const emptyClusters: WeakMap<Schemas, Cluster> = new WeakMap();

/**
 * Validates converted policies as kube-apiserver does at creation.
 *
 * @throws Unsupported with the field and the cause where the server would refuse one of them.
 */
export function refuseRefused(resources: readonly JsonObject[], schemas: Schemas): void {
  const kubernetesVersion = schemas.version;
  const given = { schemas, kubernetesVersion, onErrors: 'report' } as const;
  const previous = emptyClusters.get(schemas) ?? loadCluster({ ...given, resources: [] });
  emptyClusters.set(schemas, previous);
  const [first] = loadCluster({ ...given, resources, previous }).errors;
  if (first === undefined) return;
  throw new Unsupported(`kube-apiserver would reject the result: ${shortProblem(first.message)}`);
}

/**
 * The field and the cause of an invalid policy, without the expression, which may fill pages:
 * `spec.validations[0].expression: undeclared reference to 'foo'`.
 */
function shortProblem(message: string): string {
  const [, field = ''] = /is invalid: \[?([\w.[\]]+):/.exec(message) ?? [];
  const [, cause] = /ERROR: <input>:\d+:\d+: (.*)/.exec(message) ?? [];
  if (field !== '' && cause !== undefined) return `${field}: ${cause}`;
  const [line = ''] = message.replace(/Invalid value: "(?:[^"\\]|\\.)*": /g, '').split('\n');
  return line.length <= longestProblem ? line : `${line.slice(0, longestProblem)}…`;
}

const longestProblem = 300;

/**
 * The newest version in which a server has a kind of `admissionregistration.k8s.io`: `v1`, otherwise `v1beta1` or
 * `v1alpha1`.
 *
 * @throws Unsupported where it has none.
 */
export function servedVersion(kind: string, schemas: Schemas): string {
  const group = 'admissionregistration.k8s.io';
  const version = ['v1', 'v1beta1', 'v1alpha1'].find(
    (each) => findResourceOfKind(schemas, { group, version: each, kind }) !== undefined,
  );
  if (version === undefined) throw new Unsupported(`Kubernetes ${schemas.version} has no ${kind}`);
  return version;
}
