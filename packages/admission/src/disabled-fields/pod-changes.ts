import { isObject, type KubernetesObject, member, memberList } from '@kubeadmit/apimachinery';
import { hasField, withoutField } from './field-path.ts';
import type { GatedChange } from './gated-change.ts';
import { containerLists, inContainers } from './gated-fields.ts';

/** The changes of `dropDisabledFields` in pkg/api/pod/util.go of Kubernetes that do more than remove fields. */
export const podChanges: readonly GatedChange[] = [
  {
    gate: 'ProcMountType',
    isUsed: (spec) =>
      containersOf(spec).some((each) => (procMount(each) ?? 'Default') !== 'Default'),
    change: (spec) => withContainers(spec, withDefaultProcMount),
  },
  {
    gate: 'ContainerStopSignals',
    isUsed: (spec) => isAnyUsed(spec, inContainers('lifecycle.stopSignal')),
    change: (spec) => withContainers(spec, withoutStopSignal),
  },
  {
    gate: 'ContainerRestartRules',
    from: 34,
    isUsed: usesRestartRules,
    change: (spec) => withContainers(spec, withoutRestartRules),
  },
  {
    gate: 'ImageVolume',
    isUsed: (spec) => hasField(spec, 'volumes[].image'),
    change: withoutImageVolumes,
  },
];

function isAnyUsed(spec: unknown, paths: readonly string[]): boolean {
  return paths.some((path) => hasField(spec, path));
}

function containersOf(spec: unknown): readonly unknown[] {
  return containerLists.flatMap((list) => memberList(spec, list));
}

type ContainerList = (typeof containerLists)[number];

function withContainers(
  spec: KubernetesObject,
  change: (container: KubernetesObject, list: ContainerList) => unknown,
): KubernetesObject {
  let result = spec;
  for (const list of containerLists) {
    const containers = member(spec, list);
    if (!Array.isArray(containers)) continue;
    const changed = containers.map((each) => (isObject(each) ? change(each, list) : each));
    if (changed.some((each, at) => each !== containers[at]))
      result = { ...result, [list]: changed };
  }
  return result;
}

function procMount(container: unknown): unknown {
  return member(member(container, 'securityContext'), 'procMount');
}

function withDefaultProcMount(container: KubernetesObject): unknown {
  const context = member(container, 'securityContext');
  if (!isObject(context) || (procMount(container) ?? 'Default') === 'Default') return container;
  return { ...container, securityContext: { ...context, procMount: 'Default' } };
}

// A lifecycle without anything else is removed, too.
function withoutStopSignal(container: KubernetesObject): unknown {
  const changed = withoutField(container, 'lifecycle.stopSignal');
  const isEmpty =
    changed !== container && Object.keys(member(changed, 'lifecycle') ?? {}).length === 0;
  return isEmpty ? withoutField(container, 'lifecycle') : changed;
}

function isSidecar(container: unknown): boolean {
  return member(container, 'restartPolicy') === 'Always';
}

function usesRestartRules(spec: unknown): boolean {
  const hasOwnPolicy = (container: unknown): boolean => hasField(container, 'restartPolicy');
  return (
    memberList(spec, 'containers').some(hasOwnPolicy) ||
    memberList(spec, 'initContainers').some((each) => hasOwnPolicy(each) && !isSidecar(each)) ||
    hasField(spec, 'initContainers[].restartPolicyRules')
  );
}

function withoutRestartRules(container: KubernetesObject, list: ContainerList): unknown {
  const changed = withoutField(container, 'restartPolicyRules');
  const isKept = list === 'initContainers' && isSidecar(container);
  return isKept ? changed : withoutField(changed, 'restartPolicy');
}

function withoutImageVolumes(spec: KubernetesObject): KubernetesObject {
  const volumes = memberList(spec, 'volumes');
  const isOfImage = (volume: unknown): boolean => hasField(volume, 'image');
  const removed = new Set(volumes.filter(isOfImage).map((volume) => member(volume, 'name')));
  if (removed.size === 0) return spec;
  const kept = volumes.filter((volume) => !isOfImage(volume));
  return withContainers(withList(spec, 'volumes', kept), (container) => {
    const mounts = memberList(container, 'volumeMounts');
    const left = mounts.filter((mount) => !removed.has(member(mount, 'name')));
    return left.length === mounts.length ? container : withList(container, 'volumeMounts', left);
  });
}

function withList(
  owner: KubernetesObject,
  name: string,
  items: readonly unknown[],
): KubernetesObject {
  const { [name]: _, ...rest } = owner;
  return items.length === 0 ? rest : { ...owner, [name]: items };
}
