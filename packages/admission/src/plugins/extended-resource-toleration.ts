import { member, memberList, memberObject, memberText } from '@kubeadmit/apimachinery';
import { compareText } from '@kubeadmit/go';
import { isExtendedResource } from '../resources/resource-names.ts';
import { semanticallyEqual } from '../write/semantic-equality.ts';
import type { AdmissionPlugin } from './plugin.ts';
import { isAbout } from './refusal.ts';
import { withSpec } from './with-spec.ts';

/** Adds tolerations for the taints of nodes with the extended resources that a pod requests. */
export const extendedResourceToleration: AdmissionPlugin = {
  name: 'ExtendedResourceToleration',
  operations: ['CREATE', 'UPDATE'],
  mutate: (request) => {
    const { object } = request;
    if (object === null || !isAbout(request, 'pods')) return undefined;
    const spec = member(object, 'spec');
    const before = memberList(spec, 'tolerations');
    let tolerations = before;
    for (const name of requestedNames(spec)) tolerations = withToleration(tolerations, name);
    return tolerations === before ? undefined : { object: withSpec(object, { tolerations }) };
  },
};

function requestedNames(spec: unknown): readonly string[] {
  const names = ['containers', 'initContainers'].flatMap((list) =>
    memberList(spec, list).flatMap((container) =>
      Object.keys(memberObject(member(container, 'resources'), 'requests')),
    ),
  );
  return [...new Set(names.filter(isExtendedResource))].sort(compareText);
}

function withToleration(tolerations: readonly unknown[], key: string): readonly unknown[] {
  const wanted = { key, operator: 'Exists', effect: 'NoSchedule' };
  const isSame = (own: unknown): boolean =>
    ['key', 'effect', 'operator'].every(
      (name) => memberText(own, name) === memberText(wanted, name),
    ) && memberText(own, 'value') === '';
  const place = tolerations.findIndex(isSame);
  if (place < 0) return [...tolerations, wanted];
  if (semanticallyEqual(tolerations[place], wanted)) return tolerations;
  return tolerations.map((own) => (isSame(own) ? wanted : own));
}
