import { sortedKeys } from '@kubeadmit/go/internal';
import {
  allowedVolumes,
  appArmorAnnotation,
  seccompContainerAnnotation,
  seccompPodAnnotation,
} from './allowed.ts';
import { type CheckPod, containerErrors } from './container-checks.ts';
import { type Finding, findingOf, forbidden, type PodFieldError, required } from './finding.ts';
import type { Pod, SecurityContext, Volume } from './pod.ts';

const podContext = 'spec.securityContext';

/** The errors of the pod's own security context, then those of the containers'. */
function contextErrors(
  pod: Pod,
  check: (context: SecurityContext, path: string) => readonly PodFieldError[],
): readonly PodFieldError[] {
  const own = pod.spec.securityContext;
  const ofPod = own === undefined ? [] : check(own, podContext);
  const ofContainers = containerErrors(pod, (context, path) =>
    context === undefined ? [] : check(context, path),
  );
  return ofPod.length === 0 ? ofContainers : [...ofPod, ...ofContainers];
}

/** AppArmor profiles must be the runtime's own or local ones. */
export function checkAppArmor(pod: Pod): Finding | undefined {
  const types = new Set<string>();
  const errors = contextErrors(pod, ({ appArmorProfile }, path) => {
    if (appArmorProfile === undefined) return [];
    const { type = '' } = appArmorProfile;
    if (type === 'RuntimeDefault' || type === 'Localhost') return [];
    types.add(type);
    return [forbidden(`${path}.appArmorProfile.type`, type)];
  });
  const annotated = annotationErrors(
    pod,
    sortedKeys(pod.annotations).filter((key) => key.startsWith(appArmorAnnotation)),
    (profile) =>
      profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/'),
  );
  const count = types.size + annotated.length;
  return findingOf(`forbidden AppArmor profile${count === 1 ? '' : 's'}`, [
    ...errors,
    ...annotated,
  ]);
}

function annotationErrors(
  { annotations }: Pod,
  keys: readonly string[],
  isAllowed: (value: string) => boolean,
): readonly PodFieldError[] {
  return keys
    .filter((key) => Object.hasOwn(annotations, key) && !isAllowed(annotations[key] ?? ''))
    .map((key) => forbidden(`metadata.annotations[${key}]`, annotations[key]));
}

/** Pods must not share namespaces with the host. */
export function checkHostNamespaces({ spec }: Pod): Finding | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name]);
  return findingOf(
    'host namespaces',
    shared.map((name) => forbidden(`spec.${name}`, true)),
  );
}

/** Volumes must not be paths of the host. */
export function checkHostPaths({ spec }: Pod): Finding | undefined {
  const errors = (spec.volumes ?? []).flatMap(({ hostPath }, at) =>
    hostPath === undefined ? [] : [forbidden(`spec.volumes[${at}].hostPath`, hostPath.path ?? '')],
  );
  return findingOf('hostPath volumes', errors);
}

/** The types of volumes that are refused, in the order in which they are looked for. */
const refusedVolumes: readonly string[] = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
];

/** Volumes must be of types that hold no part of the host. */
export function checkVolumeTypes({ spec }: Pod): Finding | undefined {
  const errors = (spec.volumes ?? []).flatMap((volume, at) => {
    if (allowedVolumes.some((type) => hasSource(volume, type))) return [];
    const type = refusedVolumes.find((refused) => hasSource(volume, refused)) ?? 'unknown';
    return [forbidden(`spec.volumes[${at}].${type}`)];
  });
  return findingOf('restricted volume types', errors);
}

function hasSource(volume: Volume, type: string): boolean {
  return volume[type] !== undefined;
}

/** Containers must not run as root: the pod says so, or each of them. */
export function checkRunAsNonRoot(pod: Pod): Finding | undefined {
  const explicit = contextErrors(pod, ({ runAsNonRoot }, path) =>
    runAsNonRoot === false ? [forbidden(`${path}.runAsNonRoot`, false)] : [],
  );
  const isSaid = pod.spec.securityContext?.runAsNonRoot === true;
  const silent = containerErrors(pod, (context, path) =>
    isSaid || context?.runAsNonRoot !== undefined ? [] : [required(`${path}.runAsNonRoot`)],
  );
  return findingOf('runAsNonRoot != true', [...explicit, ...silent]);
}

/** Nothing may set the user to 0. */
export function checkRunAsUser(pod: Pod): Finding | undefined {
  const errors = contextErrors(pod, ({ runAsUser }, path) =>
    runAsUser !== undefined && Number(runAsUser) === 0 ? [forbidden(`${path}.runAsUser`, 0)] : [],
  );
  return findingOf('runAsUser=0', errors);
}

/** SELinux types must be those of containers, and no user or role may be set. */
export function checkSeLinux(allowedTypes: readonly string[]): CheckPod {
  return (pod) => {
    const errors = contextErrors(pod, ({ seLinuxOptions }, parent) => {
      if (seLinuxOptions === undefined) return [];
      const { type = '', user = '', role = '' } = seLinuxOptions;
      const path = `${parent}.seLinuxOptions`;
      return [
        ...(type === '' || allowedTypes.includes(type) ? [] : [forbidden(`${path}.type`, type)]),
        ...(user === '' ? [] : [forbidden(`${path}.user`, user)]),
        ...(role === '' ? [] : [forbidden(`${path}.role`, role)]),
      ];
    });
    return findingOf('seLinuxOptions', errors);
  };
}

/** Seccomp profiles in annotations must be the runtime's own or local ones. */
export function checkSeccompAnnotations(pod: Pod): Finding | undefined {
  const keys = pod.containers.map(
    ({ container }) => `${seccompContainerAnnotation}${container.name ?? ''}`,
  );
  const errors = annotationErrors(
    pod,
    [seccompPodAnnotation, ...keys],
    (profile) =>
      profile === 'runtime/default' ||
      profile === 'docker/default' ||
      profile.startsWith('localhost/'),
  );
  return findingOf('seccompProfile', errors);
}

function wrongSeccompProfiles(pod: Pod): readonly PodFieldError[] {
  return contextErrors(pod, ({ seccompProfile }, path) => {
    if (seccompProfile === undefined) return [];
    const { type = '' } = seccompProfile;
    return isSeccompAllowed(type) ? [] : [forbidden(`${path}.seccompProfile.type`, type)];
  });
}

function isSeccompAllowed(type: string | undefined): boolean {
  return type === 'Localhost' || type === 'RuntimeDefault';
}

/** Seccomp profiles must be the runtime's own or local ones where they are set. */
export function checkSeccompProfiles(pod: Pod): Finding | undefined {
  return findingOf('seccompProfile', wrongSeccompProfiles(pod));
}

/** Seccomp profiles must be set, by the pod or by each container. */
export function checkSeccompRequired(pod: Pod): Finding | undefined {
  const wrong = wrongSeccompProfiles(pod);
  if (wrong.length > 0) return findingOf('seccompProfile', wrong);
  const isSaid = isSeccompAllowed(pod.spec.securityContext?.seccompProfile?.type);
  const silent = containerErrors(pod, (context, path) =>
    isSaid || context?.seccompProfile !== undefined
      ? []
      : [required(`${path}.seccompProfile.type`)],
  );
  return findingOf('seccompProfile', silent);
}

/** Kernel parameters must be those that only concern the pod's own namespaces. */
export function checkSysctls(allowed: readonly string[]): CheckPod {
  return ({ spec }) => {
    const errors = (spec.securityContext?.sysctls ?? []).flatMap(({ name = '' }, at) =>
      allowed.includes(name) ? [] : [forbidden(`${podContext}.sysctls[${at}].name`, name)],
    );
    return findingOf('forbidden sysctls', errors);
  };
}

/** Nothing may run as a process of a Windows host. */
export function checkHostProcess(pod: Pod): Finding | undefined {
  const errors = contextErrors(pod, ({ windowsOptions }, path) =>
    windowsOptions?.hostProcess === true
      ? [forbidden(`${path}.windowsOptions.hostProcess`, true)]
      : [],
  );
  return findingOf('hostProcess', errors);
}
