import {
  formatGroupName,
  type KubernetesObject,
  memberList,
  memberObject,
  memberText,
} from '@kubeadmit/apimachinery';
import type { Endpoint } from './endpoint.ts';
import { withKeptStatus } from './kept-pod-status.ts';
import { copyMember, metadataOf, withMember, withMetadata } from './metadata.ts';

/** Resources whose status subresource leaves the metadata alone (`ResetObjectMetaForStatus`). */
const keepsMetadata: ReadonlySet<string> = new Set([
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'podcertificaterequests.certificates.k8s.io',
  'servicecidrs.networking.k8s.io',
  'storageversionmigrations.storagemigration.k8s.io',
  'resourceclaims.resource.k8s.io',
  'devicetaintrules.resource.k8s.io',
  'volumeattachments.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
]);

/** The one field of the metadata that some status subresources leave alone. */
const keptField: Readonly<Record<string, string>> = {
  pods: 'ownerReferences',
  'deployments.apps': 'labels',
};

type Change = (object: KubernetesObject, old: KubernetesObject) => KubernetesObject;

/** Returns the stored object with the fields that a subresource may change; undefined if it may change all fields. */
export function changedBySubresource(
  endpoint: Endpoint,
  object: KubernetesObject,
  old: KubernetesObject,
  minor: number,
): KubernetesObject | undefined {
  const { subresource, isCustom } = endpoint;
  if (subresource?.name === 'status') return withStatus(endpoint, object, old, minor);
  return isCustom ? undefined : changes[subresource?.name ?? '']?.(object, old);
}

const changes: Readonly<Record<string, Change>> = {
  // The certificate is set by status alone.
  approval(object, old) {
    const [status, before] = [memberObject(object, 'status'), memberObject(old, 'status')];
    const approved = withMember(old, 'status', copyMember(before, status, 'conditions'));
    return withMetadata(withWrittenMetadata(approved, object), ownMetadata(object));
  },
  ephemeralcontainers(object, old) {
    const [spec, before] = [memberObject(object, 'spec'), memberObject(old, 'spec')];
    const changed = copyMember(before, spec, 'ephemeralContainers');
    return withWrittenMetadata(withMember(old, 'spec', changed), object);
  },
  resize(object, old) {
    const [spec, before] = [memberObject(object, 'spec'), memberObject(old, 'spec')];
    const resized: Record<string, unknown> = { ...before };
    for (const name of ['containers', 'initContainers']) {
      const containers = resizedContainers(memberList(spec, name), memberList(before, name));
      if (containers === undefined) return object;
      if (containers.length > 0) resized[name] = containers;
    }
    const { resources } = spec;
    if (resources !== undefined) resized['resources'] = resources;
    return withWrittenMetadata(withMember(old, 'spec', resized), object);
  },
};

// Undefined where containers are added, removed, renamed or reordered, which validation refuses.
function resizedContainers(
  containers: readonly unknown[],
  before: readonly unknown[],
): readonly unknown[] | undefined {
  const isOther = containers.some(
    (container, place) => memberText(container, 'name') !== memberText(before[place], 'name'),
  );
  if (isOther || containers.length !== before.length) return undefined;
  return before.map((old, place) => {
    const container = containers[place] as KubernetesObject;
    return ['resources', 'resizePolicy'].reduce(
      (changed, name) => copyMember(changed, container, name),
      old as KubernetesObject,
    );
  });
}

function withStatus(
  { isCustom, name }: Endpoint,
  object: KubernetesObject,
  old: KubernetesObject,
  minor: number,
): KubernetesObject {
  const kept = withWrittenMetadata(copyMember(old, object, 'status'), object);
  const qualified = formatGroupName(name);
  if (isCustom || keepsMetadata.has(qualified)) return kept;
  const { [keptField[qualified] ?? '']: _, ...changed } = ownMetadata(object);
  const stored = withMetadata(kept, changed);
  return qualified === 'pods' ? withKeptStatus(stored, old, minor) : stored;
}

function ownMetadata(object: KubernetesObject): Readonly<Record<string, unknown>> {
  const { labels, annotations, finalizers, ownerReferences } = metadataOf(object);
  return { labels, annotations, finalizers, ownerReferences };
}

// Every write sets these.
function withWrittenMetadata(to: KubernetesObject, from: KubernetesObject): KubernetesObject {
  const { resourceVersion, managedFields } = metadataOf(from);
  return withMetadata(to, { resourceVersion, managedFields });
}
