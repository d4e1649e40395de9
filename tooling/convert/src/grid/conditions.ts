import type { JsonObject } from '@kubeadmit/apimachinery';
import { type Random, words } from '@kubeadmit/random';

/** Fields of pods that conditions read. */
export const fields: readonly string[] = words(
  'metadata.name metadata.namespace metadata.labels.team metadata.labels metadata.annotations',
  'metadata.annotations.k metadata.annotations.n metadata.finalizers',
  'spec.hostNetwork spec.priority spec.volumes spec.nodeSelector spec.nodeSelector.disk',
  'spec.serviceAccountName spec.securityContext spec.securityContext.runAsUser',
  'spec.securityContext.runAsNonRoot spec.containers spec.containers[0].image',
  'spec.containers[1].image spec.containers[0].resources.limits.cpu',
  'spec.containers[0].securityContext spec.containers[0].securityContext.privileged',
  'spec.containers[].image spec.containers[].securityContext.privileged',
  'spec.containers[].ports[].hostPort spec.initContainers[].image spec.tolerations[].key',
  'spec.terminationGracePeriodSeconds',
);
/** Fields of containers that conditions read. */
export const elementFields: readonly string[] = words(
  'name image imagePullPolicy securityContext securityContext.privileged',
  'securityContext.capabilities.add resources.limits.cpu resources.limits ports ports[].hostPort',
  'ports[0].containerPort env[].value',
);
const defaults = [
  ...['', " || ''", " || 'a'", ' || `0`', ' || `5`', ' || `false`', ' || `true`', ' || `[]`'],
  ...[' || `{}`', ' || `null`', ' || `"a"`', ' || `["a"]`', ' || `{"a":"b"}`', " || '*'"],
  ...[' || request.object.metadata.name', ' || request.object.metadata.labels.x', ' | length(@)'],
] as const;
export const operators: readonly string[] = words(
  'Equals NotEquals In AnyIn AllIn NotIn AnyNotIn AllNotIn',
  'GreaterThan GreaterThanOrEquals LessThan LessThanOrEquals',
  'DurationGreaterThan DurationLessThan Equal NotEqual',
);
/** Values that conditions compare with. */
export const values: readonly unknown[] = [
  '',
  ...words('a * ?* b* true false 0 5 500m 1 10m registry.example/*'),
  ...[true, false, 0, 1, 5, 100, 0.5, null, [], {}, ['a'], ['a', 'b*'], ['*'], [''], [true]],
  ...[[false], ['true'], [0], [5], ['0', '5'], [1, 'a'], 'a|b', '>3', '<1000', '1-10', '!a'],
  ['a', 'd', 'c'],
];

function keyOf(random: Random, root: string, names: readonly string[]): string {
  return `{{ ${root}.${random.pick(names)}${random.pick(defaults)} }}`;
}

/** A condition about a field of `root`. */
export function condition(random: Random, root: string, names: readonly string[]): JsonObject {
  const key = keyOf(random, root, names);
  if (random.chance(0.12)) {
    return { key: random.pick(values), operator: random.pick(operators), value: key };
  }
  if (random.chance(0.05)) {
    const value = keyOf(random, root, names);
    return { key, operator: random.pick(operators), value };
  }
  return { key, operator: random.pick(operators), value: random.pick(values) };
}
