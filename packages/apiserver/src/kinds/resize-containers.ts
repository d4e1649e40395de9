import { isFeatureOn } from '@kubeadmit/admission/unstable-internal';
import type { FieldError } from '@kubeadmit/apimachinery';
import { memberList, memberObject, memberText } from '@kubeadmit/apimachinery';
import { forbidden } from '@kubeadmit/apimachinery/field-errors';
import type { Schemas } from '@kubeadmit/schemas';
import { isSameStruct } from '@kubeadmit/schemas/types';
import type { Members } from './internal-json.ts';
import { isAnyRemoved, parts, withOldAmounts } from './resize-amounts.ts';

/** Returns the errors about containers that were added, removed, renamed or reordered. */
export function orderErrors(list: string, spec: Members, before: Members): readonly FieldError[] {
  const [now, then] = [memberList(spec, list), memberList(before, list)];
  if (now.length !== then.length) {
    return [forbidden(`spec.${list}`, `${list} may not be added or removed on resize`)];
  }
  return then.flatMap((old, i) => {
    if (memberText(now[i], 'name') === memberText(old, 'name')) return [];
    const why = `${list} may not be renamed or reordered on resize`;
    return [forbidden(`spec.${list}[${i}].name`, why)];
  });
}

/** Returns the errors about resources of containers that were removed, or that a resize may not change. */
export function containerResizeErrors(
  schemas: Schemas,
  spec: Members,
  before: Members,
): readonly FieldError[] {
  const mayResize = (container: unknown): boolean =>
    isSidecar(container) || isFeatureOn('InPlacePodVerticalScalingInitContainers', schemas.minor);
  return [
    ...removalErrors('initContainers', { spec, before, mayResize }),
    ...removalErrors('containers', { spec, before, mayResize: () => true }),
    ...otherFieldErrors(schemas, spec, before),
    ...initContainerErrors(schemas, { spec, before, mayResize }),
  ];
}

interface ContainerResize {
  readonly spec: Members;
  readonly before: Members;
  readonly mayResize: (container: unknown) => boolean;
}

function isSidecar(container: unknown): boolean {
  return memberText(container, 'restartPolicy') === 'Always';
}

// core validation `validateContainerResize`
function removalErrors(list: string, { spec, before, mayResize }: ContainerResize): FieldError[] {
  const containers = memberList(spec, list);
  return memberList(before, list).flatMap((old, i) => {
    if (!mayResize(old)) return [];
    const [now, then] = [memberObject(containers[i], 'resources'), memberObject(old, 'resources')];
    return parts
      .filter((part) => isAnyRemoved(now, then, part))
      .map((part) =>
        forbidden(`spec.${list}[${i}].resources.${part}`, `resource ${part} cannot be removed`),
      );
  });
}

function otherFieldErrors(schemas: Schemas, spec: Members, before: Members): FieldError[] {
  const then = memberList(before, 'containers') as readonly Members[];
  return maskedContainers('containers', spec, before)
    .filter((container, i) => !isSameContainer(schemas, container, then[i]))
    .map(() => forbidden('spec', 'only cpu and memory resources are mutable'));
}

function initContainerErrors(
  schemas: Schemas,
  { spec, before, mayResize }: ContainerResize,
): FieldError[] {
  const [now, then] = [spec, before].map((each) => memberList(each, 'initContainers')) as [
    readonly Members[],
    readonly Members[],
  ];
  return maskedContainers('initContainers', spec, before).flatMap((container, i) => {
    const at = `spec.initContainers[${i}]`;
    const isChanged = !isSameContainer(schemas, now[i] ?? {}, then[i]);
    if (!mayResize(container)) {
      const why = 'resources for non-sidecar init containers are immutable';
      return isChanged ? [forbidden('spec', why)] : [];
    }
    const restarts = memberList(container, 'resizePolicy').filter(
      (policy) => memberText(policy, 'restartPolicy') === 'RestartContainer',
    );
    const otherFields = 'only cpu and memory resources for init or sidecar containers are mutable';
    const restarting =
      'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';
    return [
      ...(isSameContainer(schemas, container, then[i]) ? [] : [forbidden(at, otherFields)]),
      ...(isChanged && !isSidecar(container) ? restarts.map(() => forbidden(at, restarting)) : []),
    ];
  });
}

function isSameContainer(schemas: Schemas, now: Members, then: Members | undefined): boolean {
  return isSameStruct(schemas, 'core.v1.Container', now, then ?? {});
}

/** The containers with the CPU and memory of the old ones. */
export function maskedContainers(list: string, spec: Members, before: Members): readonly Members[] {
  const then = memberList(before, list);
  return memberList(spec, list).map((container, i) => ({
    ...(container as Members),
    resources: withOldAmounts(
      memberObject(container, 'resources'),
      memberObject(then[i], 'resources'),
    ),
  }));
}
