import { defaultCapabilities } from './allowed.ts';
import {
  containersWith,
  nameContainers,
  nameContainersWith,
  plural,
  quoteAll,
  sortedSet,
  valuesOf,
} from './detail.ts';
import { type Finding, findingOf, forbidden, type PodFieldError, required } from './finding.ts';
import type { Container, Handler, Pod, SecurityContext } from './pod.ts';

/** A check of the Pod Security Standards: returns the violation of a pod, if any. */
export type CheckPod = (pod: Pod) => Finding | undefined;

/** Returns the errors of all containers. */
export function containerErrors(
  pod: Pod,
  check: (context: SecurityContext | undefined, path: string) => readonly PodFieldError[],
): readonly PodFieldError[] {
  let all: readonly PodFieldError[] = [];
  for (const { contextPath, container } of pod.containers) {
    const errors = check(container.securityContext, contextPath);
    if (errors.length > 0) all = all.length === 0 ? errors : [...all, ...errors];
  }
  return all;
}

export function exceptOnWindows(check: CheckPod): CheckPod {
  return (pod) => (pod.spec.os?.name === 'windows' ? undefined : check(pod));
}

export function exceptInUserNamespace(check: CheckPod): CheckPod {
  return (pod) => (pod.spec.hostUsers === false ? undefined : check(pod));
}

/** Requires `allowPrivilegeEscalation: false` in all containers. */
export function checkPrivilegeEscalation(pod: Pod): Finding | undefined {
  const errors = containerErrors(pod, (context, parent) => {
    const path = `${parent}.allowPrivilegeEscalation`;
    if (context === undefined) return [required(path)];
    const value = context.allowPrivilegeEscalation;
    return value === false ? [] : [forbidden(path, value ?? 'nil')];
  });
  return findingOf(
    'allowPrivilegeEscalation != false',
    errors,
    () =>
      `${nameContainersWith(pod, errors)} must set securityContext.allowPrivilegeEscalation=false`,
  );
}

function addedCapabilities(
  pod: Pod,
  isAllowed: (name: string) => boolean,
): readonly PodFieldError[] {
  return containerErrors(pod, (context, path) => {
    const added = context?.capabilities?.add?.filter((name) => !isAllowed(name)) ?? [];
    return added.length === 0 ? [] : [forbidden(`${path}.capabilities.add`, sortedSet(added))];
  });
}

function describeAdded(pod: Pod, errors: readonly PodFieldError[]): string {
  const names = quoteAll(valuesOf(errors));
  return `${nameContainersWith(pod, errors)} must not include ${names} in securityContext.capabilities.add`;
}

/** Forbids containers to add capabilities beyond those that a runtime gives by default. */
export function checkDefaultCapabilities(pod: Pod): Finding | undefined {
  const errors = addedCapabilities(pod, (name) => defaultCapabilities.includes(name));
  return findingOf('non-default capabilities', errors, () => describeAdded(pod, errors));
}

/** Requires that containers drop all capabilities and add none but `NET_BIND_SERVICE`. */
export function checkDroppedCapabilities(pod: Pod): Finding | undefined {
  const missing = containerErrors(pod, (context, parent) => {
    const path = `${parent}.capabilities.drop`;
    const dropped = context?.capabilities?.drop ?? [];
    if (dropped.length === 0) return [required(path)];
    return dropped.includes('ALL') ? [] : [forbidden(path, sortedSet(dropped))];
  });
  const added = addedCapabilities(pod, (name) => name === 'NET_BIND_SERVICE');
  return findingOf('unrestricted capabilities', [...missing, ...added], () =>
    [
      ...(missing.length > 0
        ? [`${nameContainersWith(pod, missing)} must set securityContext.capabilities.drop=["ALL"]`]
        : []),
      ...(added.length > 0 ? [describeAdded(pod, added)] : []),
    ].join('; '),
  );
}

/** Forbids ports of the host. */
export function checkHostPorts(pod: Pod): Finding | undefined {
  const errors = pod.containers.flatMap(({ path, container }) =>
    (container.ports ?? []).flatMap(({ hostPort = 0 }, at) => {
      const port = Number(hostPort);
      return port === 0 ? [] : [forbidden(`${path}.ports[${at}].hostPort`, port)];
    }),
  );
  return findingOf('hostPort', errors, () => {
    const ports = valuesOf(errors);
    const names = containersWith(pod, errors);
    return `${nameContainers(names)} ${plural('uses', names.length, 'use')} ${plural('hostPort', ports.length)} ${ports.join(', ')}`;
  });
}

/** Forbids hosts in probes and lifecycle handlers; Kyverno reports no fields. */
export function checkHandlerHosts(pod: Pod): Finding | undefined {
  const hosts = sortedSet(pod.containers.flatMap(({ container }) => hostsOf(container)));
  if (hosts.length === 0) return undefined;
  const names = sortedSet(
    pod.containers
      .filter(({ container }) => hostsOf(container).length > 0)
      .map(({ container }) => container.name ?? ''),
  );
  const detail = `${nameContainers(names)} ${plural('uses', names.length, 'use')} ${plural('probe or lifecycle host', hosts.length)} ${quoteAll(hosts)}`;
  return { reason: 'probe or lifecycle host', errors: [], detail };
}

function hostsOf(container: Container): readonly string[] {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  const handlers: readonly (Handler | undefined)[] = [
    livenessProbe,
    readinessProbe,
    startupProbe,
    lifecycle?.postStart,
    lifecycle?.preStop,
  ];
  return handlers
    .flatMap((handler) => [handler?.httpGet?.host ?? '', handler?.tcpSocket?.host ?? ''])
    .filter((host) => host !== '');
}

/** Forbids privileged containers. */
export function checkPrivileged(pod: Pod): Finding | undefined {
  const errors = containerErrors(pod, (context, path) =>
    context?.privileged === true ? [forbidden(`${path}.privileged`, true)] : [],
  );
  return findingOf(
    'privileged',
    errors,
    () => `${nameContainersWith(pod, errors)} must not set securityContext.privileged=true`,
  );
}

/** Requires the default masks of `/proc`. */
export function checkProcMount(pod: Pod): Finding | undefined {
  const errors = containerErrors(pod, (context, path) => {
    const type = context?.procMount;
    return type === undefined || type === 'Default' ? [] : [forbidden(`${path}.procMount`, type)];
  });
  return findingOf(
    'procMount',
    errors,
    () =>
      `${nameContainersWith(pod, errors)} must not set securityContext.procMount to ${quoteAll(valuesOf(errors))}`,
  );
}
