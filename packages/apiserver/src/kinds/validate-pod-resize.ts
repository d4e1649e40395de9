import { computeQosClass, isMap, memberAt } from '@kubeadmit/admission/unstable-internal';
import {
  annotationsOf,
  type FieldError,
  type KubernetesObject,
  member,
  memberList,
  memberObject,
  memberText,
} from '@kubeadmit/apimachinery';
import { forbidden, invalid } from '@kubeadmit/apimachinery/field-errors';
import type { Schemas } from '@kubeadmit/schemas';
import { isSameStruct } from '@kubeadmit/schemas/types';
import type { Members } from './internal-json.ts';

const onlyAmounts = 'only cpu and memory resources are mutable';
const lists = ['containers', 'initContainers'] as const;
const parts = ['requests', 'limits'] as const;

/**
 * Returns the errors about changes other than of CPU and memory that a request to `resize` makes (core validation
 * `ValidatePodResize`).
 */
export function validatePodResize(
  pod: KubernetesObject,
  old: KubernetesObject,
  schemas: Schemas,
): readonly FieldError[] {
  if (Object.hasOwn(annotationsOf(old), 'kubernetes.io/config.mirror')) {
    return [forbidden('[]', 'static pods cannot be resized')];
  }
  if (memberAt(old, 'spec', 'os', 'name') === 'windows') {
    return [forbidden('[]', 'windows pods cannot be resized')];
  }
  const [spec, before] = [memberObject(pod, 'spec'), memberObject(old, 'spec')];
  const general = [
    ...qosErrors(pod, old, schemas),
    ...(isSupportedByNode(old)
      ? []
      : [forbidden('spec', 'Pod running on node without support for resize')]),
    ...podLevelErrors(schemas, spec, before),
  ];
  const order = lists.flatMap((list) => orderErrors(list, spec, before));
  if (order.length > 0) return [...general, ...order];
  const errors = [
    ...general,
    ...removalErrors('initContainers', spec, before),
    ...removalErrors('containers', spec, before),
    ...containerErrors(schemas, spec, before),
    ...initContainerErrors(schemas, spec, before),
  ];
  if (errors.length > 0) return errors;
  const masked = { ...spec, resources: maskedPodLevel(spec, before) };
  for (const list of lists) {
    if (Object.hasOwn(masked, list))
      Object.assign(masked, { [list]: maskedContainers(list, spec, before) });
  }
  return isSameStruct(schemas, 'core.v1.PodSpec', masked, before)
    ? []
    : [forbidden('spec', onlyAmounts)];
}

function qosErrors(
  pod: KubernetesObject,
  old: KubernetesObject,
  schemas: Schemas,
): readonly FieldError[] {
  const minor = schemas.minor;
  const before = memberText(member(old, 'status'), 'qosClass') || computeQosClass(old, minor);
  if (before === computeQosClass(pod, minor)) return [];
  const given = memberText(member(pod, 'status'), 'qosClass');
  return [invalid('spec', given, 'Pod QOS Class may not change as a result of resizing')];
}

/** Whether the node reports resources of running containers, so that it supports to resize them. */
function isSupportedByNode(pod: KubernetesObject): boolean {
  const statuses = memberList(member(pod, 'status'), 'containerStatuses');
  const running = statuses.find((each) => isMap(memberAt(each, 'state', 'running')));
  return running === undefined || isMap(member(running, 'resources'));
}

function podLevelErrors(schemas: Schemas, spec: Members, before: Members): readonly FieldError[] {
  const [now, then] = [memberObject(spec, 'resources'), memberObject(before, 'resources')];
  const isSet = [now, then].some((each) =>
    parts.some((part) => Object.keys(memberObject(each, part)).length > 0),
  );
  if (!isSet) return [];
  const removed = parts
    .filter((part) => isAnyRemoved(now, then, part))
    .map((part) =>
      forbidden(`spec.resources.${part}`, `pod-level resource ${part} cannot be removed`),
    );
  const masked = maskedPodLevel(spec, before) ?? {};
  if (isSameStruct(schemas, 'core.v1.ResourceRequirements', masked, then)) return removed;
  return [...removed, forbidden('spec', `${onlyAmounts} at pod-level`)];
}

function orderErrors(list: string, spec: Members, before: Members): readonly FieldError[] {
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

function removalErrors(list: string, spec: Members, before: Members): readonly FieldError[] {
  const containers = memberList(spec, list);
  return memberList(before, list).flatMap((old, i) => {
    const [now, then] = [memberObject(containers[i], 'resources'), memberObject(old, 'resources')];
    return parts
      .filter((part) => isAnyRemoved(now, then, part))
      .map((part) =>
        forbidden(`spec.${list}[${i}].resources.${part}`, `resource ${part} cannot be removed`),
      );
  });
}

function isAnyRemoved(now: Members, then: Members, part: string): boolean {
  const kept = memberObject(now, part);
  return Object.keys(memberObject(then, part)).some((name) => !Object.hasOwn(kept, name));
}

function containerErrors(schemas: Schemas, spec: Members, before: Members): readonly FieldError[] {
  const then = memberList(before, 'containers') as readonly Members[];
  return maskedContainers('containers', spec, before)
    .filter((container, i) => !isSameContainer(schemas, container, then[i]))
    .map(() => forbidden('spec', onlyAmounts));
}

function initContainerErrors(
  schemas: Schemas,
  spec: Members,
  before: Members,
): readonly FieldError[] {
  const [now, then] = [spec, before].map((each) => memberList(each, 'initContainers')) as [
    readonly Members[],
    readonly Members[],
  ];
  return maskedContainers('initContainers', spec, before).flatMap((container, i) => {
    const at = `spec.initContainers[${i}]`;
    const isSidecar = memberText(container, 'restartPolicy') === 'Always';
    const isResized = !isSameContainer(schemas, now[i] ?? {}, then[i]);
    const restarts = memberList(container, 'resizePolicy').filter(
      (policy) => memberText(policy, 'restartPolicy') === 'RestartContainer',
    );
    const otherFields = 'only cpu and memory resources for init or sidecar containers are mutable';
    const restarting =
      'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';
    return [
      ...(isSameContainer(schemas, container, then[i]) ? [] : [forbidden(at, otherFields)]),
      ...(isResized && !isSidecar ? restarts.map(() => forbidden(at, restarting)) : []),
    ];
  });
}

function isSameContainer(schemas: Schemas, now: Members, then: Members | undefined): boolean {
  return isSameStruct(schemas, 'core.v1.Container', now, then ?? {});
}

/** The containers with the CPU and memory of the old ones. */
function maskedContainers(list: string, spec: Members, before: Members): readonly Members[] {
  const then = memberList(before, list);
  return memberList(spec, list).map((container, i) => ({
    ...(container as Members),
    resources: masked(memberObject(container, 'resources'), memberObject(then[i], 'resources')),
  }));
}

/** The resources of the pod itself with the old CPU and memory; undefined if the pod had none and sets no others. */
function maskedPodLevel(spec: Members, before: Members): Members | undefined {
  if (!isMap(spec['resources'])) return undefined;
  const all = masked(spec['resources'], memberObject(before, 'resources'));
  const isEmpty = Object.values(all).every((each) => Object.keys(each as object).length === 0);
  return isEmpty && !isMap(before['resources']) ? undefined : all;
}

function masked(now: Members, then: Members): Members {
  const amounts = parts.map((part) => {
    const { cpu: _cpu, memory: _memory, ...others } = memberObject(now, part);
    const kept = Object.entries(memberObject(then, part)).filter(
      ([name]) => name === 'cpu' || name === 'memory',
    );
    return [part, { ...others, ...Object.fromEntries(kept) }];
  });
  return { ...now, ...Object.fromEntries(amounts) };
}
