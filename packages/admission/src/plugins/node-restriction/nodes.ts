import { labelsOf, member, metadataString } from '@kubeadmit/apimachinery';
import { compareText, quote } from '@kubeadmit/go';
import { metadataOf } from '../../write/metadata.ts';
import { semanticallyEqual } from '../../write/semantic-equality.ts';
import type { PluginOutcome } from '../plugin.ts';
import { forbid } from '../refusal.ts';
import type { NodeRequest } from './authorized.ts';

/** Lets a kubelet change its own Node only, without taints, owners and labels of others. */
export function admitNode(asked: NodeRequest): PluginOutcome | undefined {
  const { request, node } = asked;
  const { name, object, operation } = request;
  const requested = name === '' && object !== null ? metadataString(object, 'name') : name;
  if (requested !== node) {
    return forbid(request, `node ${quote(node)} is not allowed to modify node ${quote(requested)}`);
  }
  if (operation === 'CREATE') return admitCreation(asked);
  return operation === 'UPDATE' ? admitUpdate(asked) : undefined;
}

function admitCreation({ request, node }: NodeRequest): PluginOutcome | undefined {
  const { object } = request;
  if (member(member(object, 'spec'), 'configSource')) {
    return forbid(
      request,
      `node ${quote(node)} is not allowed to create pods with a non-nil configSource`,
    );
  }
  const forbidden = forbiddenLabels(labelsOf(object), {});
  if (forbidden.length === 0) return undefined;
  return forbid(
    request,
    `node ${quote(node)} is not allowed to set the following labels: ${forbidden.join(', ')}`,
  );
}

function admitUpdate({ request, node }: NodeRequest): PluginOutcome | undefined {
  const { object, oldObject } = request;
  const [spec, before] = [member(object, 'spec'), member(oldObject, 'spec')];
  const source = member(spec, 'configSource');
  const who = `node ${quote(node)} is not allowed to`;
  if (source && !semanticallyEqual(source, member(before, 'configSource')))
    return forbid(request, `${who} update configSource to a new non-nil configSource`);
  if (!semanticallyEqual(member(spec, 'taints'), member(before, 'taints')))
    return forbid(request, `${who} modify taints`);
  const owners = (each: typeof object): unknown => each && metadataOf(each).ownerReferences;
  if (!semanticallyEqual(owners(object), owners(oldObject)))
    return forbid(request, `${who} modify ownerReferences`);
  const forbidden = forbiddenLabels(labelsOf(object), labelsOf(oldObject));
  if (forbidden.length === 0) return undefined;
  return forbid(request, `is not allowed to modify labels: ${forbidden.join(', ')}`);
}

type Labels = Readonly<Record<string, string>>;

/** Returns the changed labels that kubelets may not set, in the order of their keys. */
function forbiddenLabels(labels: Labels, before: Labels): readonly string[] {
  const keys = new Set([...Object.keys(labels), ...Object.keys(before)]);
  return [...keys]
    .filter((key) => valueOf(labels, key) !== valueOf(before, key))
    .filter(isForbidden)
    .sort(compareText);
}

function valueOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function isForbidden(key: string): boolean {
  const namespace = namespaceOf(key);
  if (isWithin(namespace, 'node-restriction.kubernetes.io')) return true;
  const isOfKubernetes = isWithin(namespace, 'kubernetes.io') || isWithin(namespace, 'k8s.io');
  const isOfKubelet =
    kubeletLabels.has(key) ||
    isWithin(namespace, 'kubelet.kubernetes.io') ||
    isWithin(namespace, 'node.kubernetes.io');
  return isOfKubernetes && !isOfKubelet;
}

function namespaceOf(key: string): string {
  return key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
}

function isWithin(namespace: string, domain: string): boolean {
  return namespace === domain || namespace.endsWith(`.${domain}`);
}

/** The labels of Kubernetes that kubelets set (kubelet/pkg/apis/well_known_labels.go). */
const kubeletLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);
