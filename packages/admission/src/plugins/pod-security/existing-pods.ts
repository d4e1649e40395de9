import {
  type KubernetesObject,
  member,
  memberObjects,
  memberText,
  metadataString,
} from '@kubeadmit/apimachinery';
import { getOrMake, groupBy } from '@kubeadmit/base';
import { compareText } from '@kubeadmit/go';
import { formatStandard, type Standard } from '@kubeadmit/pod-security/standards';
import {
  evaluatePod,
  forbiddenReasons,
  podOfObject,
} from '@kubeadmit/pod-security/unstable-internal';
import type { PluginCluster } from '../plugin.ts';

/** The number of pods that are checked when a namespace changes. */
const mostPods = 3000;

/** Returns warnings about the pods of a namespace that violate a new level (`EvaluatePodsInNamespace`). */
export function existingPodWarnings(
  namespace: string,
  standard: Standard,
  cluster: PluginCluster,
  exemptClasses: ReadonlySet<string>,
): readonly string[] {
  const pods = prioritized(cluster.list('pods', namespace), exemptClasses);
  const checked = pods.slice(0, mostPods);
  const violating = checked.flatMap((object) => {
    const pod = podOfObject({ ...object, kind: 'Pod' });
    const violations = pod === undefined ? [] : evaluatePod(pod, standard, cluster.minor);
    const name = metadataString(object, 'name');
    return violations.length === 0 ? [] : [{ name, reasons: forbiddenReasons(violations) }];
  });
  const lines = [...groupBy(violating, ({ reasons }) => reasons)].map(([reasons, group]) => {
    const [first = ''] = group.map(({ name }) => name).sort(compareText);
    const others = group.length - 1;
    const more = others === 0 ? '' : ` (and ${others} other pod${others === 1 ? '' : 's'})`;
    return `${first}${more}: ${reasons}`;
  });
  return [
    ...(checked.length < pods.length
      ? [
          `new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`,
        ]
      : []),
    ...(lines.length > 0
      ? [
          `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${formatStandard(standard)}"`,
        ]
      : []),
    ...lines.sort(compareText),
  ];
}

/** Pods of exempt runtime classes are omitted; one pod of each controller comes before the others of it. */
function prioritized(
  pods: readonly KubernetesObject[],
  exemptClasses: ReadonlySet<string>,
): readonly KubernetesObject[] {
  const first: KubernetesObject[] = [];
  const later: KubernetesObject[] = [];
  const seen = new Map<string, boolean>();
  for (const pod of pods) {
    if (exemptClasses.has(memberText(member(pod, 'spec'), 'runtimeClassName'))) continue;
    const controller = controllerOf(pod);
    const isRepeated = controller !== undefined && seen.has(controller);
    if (controller !== undefined) getOrMake(seen, controller, () => true);
    (isRepeated ? later : first).push(pod);
  }
  return [...first, ...later];
}

function controllerOf(pod: KubernetesObject): string | undefined {
  const owner = memberObjects(member(pod, 'metadata'), 'ownerReferences').find(
    (reference) => member(reference, 'controller') === true,
  );
  return owner === undefined ? undefined : memberText(owner, 'uid');
}
