import {
  formatGroupVersion,
  type GroupVersionKind,
  type KubernetesObject,
} from '@kubeadmit/apimachinery';

// The names of the same fields in v1 and in events.k8s.io/v1.
const fields: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];

/** Whether a kind is Event, of either group. */
export function isEvent({ group, kind }: GroupVersionKind): boolean {
  return kind === 'Event' && (group === '' || group === 'events.k8s.io');
}

/** An Event in the form of the other group (kubernetes apis/events/v1/conversion.go). */
export function convertEvent(event: KubernetesObject, to: GroupVersionKind): KubernetesObject {
  const isCore = to.group === '';
  const names = new Map(fields.map(([core, other]) => (isCore ? [other, core] : [core, other])));
  const members = Object.entries(event).map(([key, value]) => [names.get(key) ?? key, value]);
  return { ...Object.fromEntries(members), apiVersion: formatGroupVersion(to), kind: 'Event' };
}
