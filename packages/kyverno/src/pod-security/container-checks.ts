import { compareText } from '@kubeadmit/go/internal';
import { defaultCapabilities } from './allowed.ts';
import { type Finding, findingOf, forbidden, type PodFieldError, required } from './finding.ts';
import type { Container, Handler, Pod, SecurityContext } from './pod.ts';

/** A check of the Pod Security Standards: what is wrong with a pod, if anything is. */
export type CheckPod = (pod: Pod) => Finding | undefined;

/** The errors of all containers. */
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

/** The check, except for pods of Windows. */
export function exceptOnWindows(check: CheckPod): CheckPod {
  return (pod) => (pod.spec.os?.name === 'windows' ? undefined : check(pod));
}

function listed(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort(compareText);
}

/** Containers must set `allowPrivilegeEscalation` to false. */
export function checkPrivilegeEscalation(pod: Pod): Finding | undefined {
  const errors = containerErrors(pod, (context, parent) => {
    const path = `${parent}.allowPrivilegeEscalation`;
    if (context === undefined) return [required(path)];
    const value = context.allowPrivilegeEscalation;
    return value === false ? [] : [forbidden(path, value ?? 'nil')];
  });
  return findingOf('allowPrivilegeEscalation != false', errors);
}

function addedCapabilities(
  context: SecurityContext | undefined,
  path: string,
  isAllowed: (name: string) => boolean,
): readonly PodFieldError[] {
  const added = context?.capabilities?.add?.filter((name) => !isAllowed(name)) ?? [];
  return added.length === 0 ? [] : [forbidden(`${path}.capabilities.add`, listed(added))];
}

/** Containers may add only the capabilities that a runtime gives anyway. */
export function checkDefaultCapabilities(pod: Pod): Finding | undefined {
  const errors = containerErrors(pod, (context, path) =>
    addedCapabilities(context, path, (name) => defaultCapabilities.includes(name)),
  );
  return findingOf('non-default capabilities', errors);
}

/** Containers must drop all capabilities and may add `NET_BIND_SERVICE` alone. */
export function checkDroppedCapabilities(pod: Pod): Finding | undefined {
  const missing = containerErrors(pod, (context, parent) => {
    const path = `${parent}.capabilities.drop`;
    const dropped = context?.capabilities?.drop ?? [];
    if (dropped.length === 0) return [required(path)];
    return dropped.includes('ALL') ? [] : [forbidden(path, listed(dropped))];
  });
  const added = containerErrors(pod, (context, path) =>
    addedCapabilities(context, path, (name) => name === 'NET_BIND_SERVICE'),
  );
  return findingOf('unrestricted capabilities', [...missing, ...added]);
}

/** Containers must not use ports of the host. */
export function checkHostPorts(pod: Pod): Finding | undefined {
  const errors = pod.containers.flatMap(({ path, container }) =>
    (container.ports ?? []).flatMap(({ hostPort = 0 }, at) => {
      const port = Number(hostPort);
      return port === 0 ? [] : [forbidden(`${path}.ports[${at}].hostPort`, port)];
    }),
  );
  return findingOf('hostPort', errors);
}

/** Probes and lifecycle handlers must not name hosts; Kyverno says nothing of the fields. */
export function checkHandlerHosts(pod: Pod): Finding | undefined {
  return pod.containers.some(({ container }) => handlersOf(container).some(namesHost))
    ? { reason: 'probe or lifecycle host', errors: [] }
    : undefined;
}

function handlersOf(container: Container): readonly (Handler | undefined)[] {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  return [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop];
}

function namesHost(handler: Handler | undefined): boolean {
  return Boolean(handler?.httpGet?.host || handler?.tcpSocket?.host);
}

/** Containers must not be privileged. */
export function checkPrivileged(pod: Pod): Finding | undefined {
  const errors = containerErrors(pod, (context, path) =>
    context?.privileged === true ? [forbidden(`${path}.privileged`, true)] : [],
  );
  return findingOf('privileged', errors);
}

/** Containers must mount `/proc` in the default way. */
export function checkProcMount(pod: Pod): Finding | undefined {
  const errors = containerErrors(pod, (context, path) => {
    const type = context?.procMount;
    return type === undefined || type === 'Default' ? [] : [forbidden(`${path}.procMount`, type)];
  });
  return findingOf('procMount', errors);
}
