import { type ResourceList, readResources } from '@kubeadmit/admission/pod-resources';
import { metadataOf, profileOf } from '@kubeadmit/admission/writes';
import {
  type KubernetesObject,
  member,
  memberList,
  memberObjects,
  memberText,
} from '@kubeadmit/apimachinery';
import { formatQuantity, roundUpQuantity } from '@kubeadmit/apimachinery/quantity';
import { deepEqual, quote } from '@kubeadmit/go';

/** A container with its path. */
export interface PlacedContainer {
  readonly container: KubernetesObject;
  readonly path: string;
}

/** Returns the containers of a pod in the order in which they are checked. */
export function placedContainers(spec: unknown, path: string): readonly PlacedContainer[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    memberObjects(spec, list).map((container, at) => ({
      container,
      path: `${path}.${list}[${at}]`,
    })),
  );
}

const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/';
const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

/**
 * Returns warnings about each container: annotations without fields, fractions of bytes, hidden variables.
 *
 * @param owner the pod or the template, with its metadata
 * @param root the path of the template with a dot; empty for a pod
 */
export function containerWarnings(owner: KubernetesObject, root: string): readonly string[] {
  return placedContainers(member(owner, 'spec'), `${root}spec`).flatMap((placed) => {
    const { container, path } = placed;
    const resources = member(container, 'resources');
    return [
      ...seccompWarnings(owner, placed, root),
      ...(root === '' ? [] : appArmorWarnings(owner, placed, root)),
      ...fractionWarnings(resources, 'memory', `${path}.resources`),
      ...fractionWarnings(resources, 'ephemeral-storage', `${path}.resources`),
      ...variableWarnings(container, path),
    ];
  });
}

function seccompWarnings(
  owner: KubernetesObject,
  { container }: PlacedContainer,
  root: string,
): readonly string[] {
  const key = `${seccompPrefix}${memberText(container, 'name')}`;
  const own = member(member(container, 'securityContext'), 'seccompProfile') ?? undefined;
  return own === undefined ? seccompAnnotation(owner, key, root) : [];
}

/** Returns a warning about a seccomp annotation, which has no effect. */
export function seccompAnnotation(
  owner: KubernetesObject,
  key: string,
  root: string,
): readonly string[] {
  if (!Object.hasOwn(metadataOf(owner).annotations ?? {}, key)) return [];
  return [
    `${root}metadata.annotations[${key}]: non-functional in v1.27+; use the "seccompProfile" field instead`,
  ];
}

/** Warnings about AppArmor annotations of templates; those of pods become fields. */
function appArmorWarnings(
  owner: KubernetesObject,
  { container }: PlacedContainer,
  root: string,
): readonly string[] {
  const key = `${appArmorPrefix}${memberText(container, 'name')}`;
  const annotation = metadataOf(owner).annotations?.[key];
  const own = member(member(container, 'securityContext'), 'appArmorProfile') ?? undefined;
  if (annotation === undefined || own !== undefined) return [];
  const ofPod = member(member(member(owner, 'spec'), 'securityContext'), 'appArmorProfile');
  if (ofPod !== undefined && deepEqual(ofPod, profileOf(annotation))) return [];
  return [appArmorWarning(key, root)];
}

export function appArmorWarning(key: string, root = ''): string {
  return `${root}metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`;
}

function fractionWarnings(resources: unknown, name: string, path: string): readonly string[] {
  return ['limits', 'requests'].flatMap((part) =>
    fractionWarning(readResources(member(resources, part)), name, `${path}.${part}`),
  );
}

/** Returns a warning about an amount of a resource that is not a whole number of bytes. */
export function fractionWarning(list: ResourceList, name: string, path: string): readonly string[] {
  const amount = list.get(name);
  if (amount === undefined) return [];
  const { unscaled, exponent } = roundUpQuantity(amount, -3);
  if (exponent >= 0 || unscaled % 1000n === 0n) return [];
  const shown = quote(formatQuantity(amount));
  return [`${path}[${name}]: fractional byte value ${shown} is invalid, must be an integer`];
}

/** Warnings about variables that replace another one of their name without a reference to it. */
function variableWarnings(container: unknown, path: string): readonly string[] {
  const seen = new Set<string>();
  return memberList(container, 'env').flatMap((variable, at) => {
    const name = memberText(variable, 'name');
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const value = memberText(variable, 'value');
    const reference = `$(${name})`;
    const hasSource = (member(variable, 'valueFrom') ?? undefined) !== undefined;
    if (!hasSource && value !== reference && value.includes(reference)) return [];
    return [
      `${path}.env[${at}]: hides previous definition of ${quote(name)}, which may be dropped when using apply`,
    ];
  });
}
