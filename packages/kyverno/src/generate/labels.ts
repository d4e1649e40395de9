import {
  type GroupVersionKind,
  isObject,
  type JsonObject,
  memberObject,
} from '@kubeadmit/apimachinery';
import { metadataText } from '../fields/fields.ts';
import { objectKindOf } from '../match/subject.ts';

/** The policy and rule that generate an object. */
export interface Generator {
  readonly policy: string;
  /** The namespace of the policy; empty for a ClusterPolicy. */
  readonly namespace: string;
  readonly rule: string;
}

/** The labels of every generated object: which policy generated it, and because of which object (`ManageLabels`). */
export function withOrigin(
  object: JsonObject,
  { policy, namespace, rule }: Generator,
  trigger: JsonObject,
): JsonObject {
  const { group, version, kind } = objectKindOf(trigger);
  return withLabels(object, {
    'app.kubernetes.io/managed-by': 'kyverno',
    'generate.kyverno.io/policy-name': policy,
    'generate.kyverno.io/policy-namespace': namespace,
    'generate.kyverno.io/rule-name': rule,
    'generate.kyverno.io/trigger-version': version,
    'generate.kyverno.io/trigger-group': group,
    'generate.kyverno.io/trigger-kind': kind,
    'generate.kyverno.io/trigger-namespace': metadataText(trigger, 'namespace'),
    'generate.kyverno.io/trigger-uid': metadataText(trigger, 'uid'),
  });
}

/** The object that a GeneratingPolicy generates another one for. */
export interface Trigger {
  readonly kind: GroupVersionKind;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
}

/** The labels of every object that a GeneratingPolicy generates (`addGenerateLabels`). */
export function withPolicyOrigin(
  object: JsonObject,
  policy: string,
  { kind: { group, version, kind }, name, namespace, uid }: Trigger,
): JsonObject {
  const isStored = metadataText(object, 'resourceVersion') !== '';
  return withLabels(object, {
    'app.kubernetes.io/managed-by': 'kyverno',
    'generate.kyverno.io/policy-name': policy,
    'generate.kyverno.io/trigger-name': name,
    'generate.kyverno.io/trigger-namespace': namespace,
    'generate.kyverno.io/trigger-uid': uid,
    'generate.kyverno.io/trigger-kind': kind,
    'generate.kyverno.io/trigger-group': group,
    'generate.kyverno.io/trigger-version': version,
    ...(isStored ? { 'generate.kyverno.io/source-uid': metadataText(object, 'uid') } : {}),
  });
}

/** The labels of a clone: which object it was made of. */
export function withSource(clone: JsonObject, source: JsonObject): JsonObject {
  const { group, version, kind } = objectKindOf(source);
  return withLabels(clone, {
    'generate.kyverno.io/source-group': group,
    'generate.kyverno.io/source-version': version,
    'generate.kyverno.io/source-kind': kind,
    'generate.kyverno.io/source-namespace': metadataText(source, 'namespace'),
    'generate.kyverno.io/source-uid': metadataText(source, 'uid'),
  });
}

/** Marks an object as the source of clones. */
export function asSource(object: JsonObject): JsonObject {
  return withLabels(object, { 'generate.kyverno.io/clone-source': '' });
}

/** Adds labels; existing ones are lost unless all are strings or null (`unstructured.GetLabels`). */
function withLabels(object: JsonObject, labels: Readonly<Record<string, string>>): JsonObject {
  const { metadata = {} } = object;
  // Nothing can be set in metadata of another type.
  if (!isObject(metadata)) return object;
  const given = Object.entries(memberObject(metadata, 'labels')).map(
    ([name, value]) => [name, value ?? ''] as const,
  );
  const isValid = given.every(([, value]) => typeof value === 'string');
  const kept = isValid ? Object.fromEntries(given) : {};
  return { ...object, metadata: { ...metadata, labels: { ...kept, ...labels } } };
}
