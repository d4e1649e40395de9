import {
  type KubernetesObject,
  member,
  memberObject,
  memberObjects,
  memberText,
  memberTexts,
} from '@kubeadmit/apimachinery';
import { labelValueProblems } from '@kubeadmit/apimachinery/names';

/** Labels of nodes that are no longer meant to be used (api/node/util.go). */
const deprecated: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region':
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone':
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type':
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods':
    'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

/** Returns the message about a deprecated label; undefined for others. */
export function labelMessage(key: string): string | undefined {
  return Object.hasOwn(deprecated, key) ? deprecated[key] : undefined;
}

/** Returns warnings about the labels in a node selector of a pod. */
export function selectorWarnings(spec: unknown, path: string): readonly string[] {
  return Object.keys(memberObject(spec, 'nodeSelector')).flatMap((key) => {
    const message = labelMessage(key);
    return message === undefined ? [] : [`${path}.nodeSelector[${key}]: ${message}`];
  });
}

/** Returns warnings about the node affinity of a pod. */
export function nodeAffinityWarnings(spec: unknown, path: string): readonly string[] {
  const affinity = member(member(spec, 'affinity'), 'nodeAffinity');
  const required = member(affinity, 'requiredDuringSchedulingIgnoredDuringExecution');
  const base = `${path}.affinity.nodeAffinity`;
  return [
    ...memberObjects(required, 'nodeSelectorTerms').flatMap((term, at) =>
      termWarnings(
        term,
        `${base}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${at}]`,
      ),
    ),
    ...memberObjects(affinity, 'preferredDuringSchedulingIgnoredDuringExecution').flatMap(
      (weighted, at) => {
        const term = memberObject(weighted, 'preference');
        const place = `${base}.preferredDuringSchedulingIgnoredDuringExecution[${at}].preference`;
        return termWarnings(term, place, true);
      },
    ),
  ];
}

/** Returns warnings about a node selector term, also about its values if they are labels' values. */
export function termWarnings(
  term: KubernetesObject,
  path: string,
  checksValues = false,
): readonly string[] {
  return memberObjects(term, 'matchExpressions').flatMap((expression, at) => {
    const key = memberText(expression, 'key');
    const message = labelMessage(key);
    const place = `${path}.matchExpressions[${at}]`;
    const values = checksValues ? memberTexts(expression, 'values') : [];
    return [
      ...(message === undefined ? [] : [`${place}.key: ${key} is ${message}`]),
      ...values.flatMap((value, index) =>
        labelValueProblems(value).map(
          (problem) => `${place}.values[${index}]: ${value} is invalid, ${problem}`,
        ),
      ),
    ];
  });
}
