import { compareText, quote, sortedKeys } from '@kubeadmit/go';
import {
  allowedVolumes,
  appArmorAnnotation,
  seccompContainerAnnotation,
  seccompPodAnnotation,
} from './allowed.ts';
import { type CheckPod, containerErrors } from './container-checks.ts';
import {
  nameContainersWith,
  nameSetters,
  plural,
  quoteAll,
  sortedSet,
  valuesOf,
} from './detail.ts';
import { type Finding, findingOf, forbidden, type PodFieldError, required } from './finding.ts';
import type { Pod, SecurityContext, Volume } from './pod.ts';

const podContext = 'spec.securityContext';

/** Returns the errors of the pod's own security context, then those of the containers'. */
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

/** Names the pod and the containers that have one of some errors, in a sentence. */
function setters(pod: Pod, errors: readonly PodFieldError[]): string {
  return nameSetters(pod, errors).join(' and ');
}

/** Allows only the runtime's own AppArmor profile and local ones. */
export function checkAppArmor(pod: Pod): Finding | undefined {
  const errors = contextErrors(pod, ({ appArmorProfile }, path) => {
    if (appArmorProfile === undefined) return [];
    const { type = '' } = appArmorProfile;
    if (type === 'RuntimeDefault' || type === 'Localhost') return [];
    return [forbidden(`${path}.appArmorProfile.type`, type)];
  });
  const keys = sortedKeys(pod.annotations).filter((key) => key.startsWith(appArmorAnnotation));
  const annotations = forbiddenAnnotations(
    pod,
    keys,
    (profile) =>
      profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/'),
  );
  const values = [...valuesOf(errors), ...shownAnnotations(pod, annotations)];
  const all = [...errors, ...annotationErrors(pod, annotations)];
  return findingOf(`forbidden ${plural('AppArmor profile', values.length)}`, all, () => {
    const sources = [
      ...nameSetters(pod, errors),
      ...(annotations.length > 0 ? [plural('annotation', annotations.length)] : []),
    ];
    return `${sources.join(' and ')} must not set AppArmor profile type to ${quoteAll(values)}`;
  });
}

function forbiddenAnnotations(
  { annotations }: Pod,
  keys: readonly string[],
  isAllowed: (value: string) => boolean,
): readonly string[] {
  return keys.filter(
    (key) => Object.hasOwn(annotations, key) && !isAllowed(annotations[key] ?? ''),
  );
}

function annotationErrors({ annotations }: Pod, keys: readonly string[]): readonly PodFieldError[] {
  return keys.map((key) => forbidden(`metadata.annotations[${key}]`, annotations[key]));
}

function shownAnnotations({ annotations }: Pod, keys: readonly string[]): readonly string[] {
  return keys.map((key) => `${key}=${quote(annotations[key] ?? '')}`).sort(compareText);
}

/** Forbids namespaces of the host. */
export function checkHostNamespaces({ spec }: Pod): Finding | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name]);
  return findingOf(
    'host namespaces',
    shared.map((name) => forbidden(`spec.${name}`, true)),
    () => shared.map((name) => `${name}=true`).join(', '),
  );
}

/** Forbids volumes that are paths of the host. */
export function checkHostPaths({ spec }: Pod): Finding | undefined {
  const errors = (spec.volumes ?? []).flatMap(({ hostPath }, at) =>
    hostPath === undefined ? [] : [forbidden(`spec.volumes[${at}].hostPath`, hostPath.path ?? '')],
  );
  return findingOf('hostPath volumes', errors, () => {
    const volumes = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined);
    return nameVolumes(volumes);
  });
}

function nameVolumes(volumes: readonly Volume[]): string {
  const names = volumes.map(({ name = '' }) => name);
  return `${plural('volume', names.length)} ${quoteAll(names)}`;
}

/** The forbidden types of volumes, in the order in which they are looked for. */
const forbiddenVolumes: readonly string[] = [
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

/** Allows only types of volumes that contain no part of the host. */
export function checkVolumeTypes({ spec }: Pod): Finding | undefined {
  const volumes = spec.volumes ?? [];
  const typeOf = (volume: Volume): string | undefined => {
    if (allowedVolumes.some((type) => hasSource(volume, type))) return undefined;
    return forbiddenVolumes.find((type) => hasSource(volume, type)) ?? 'unknown';
  };
  const errors = volumes.flatMap((volume, at) => {
    const type = typeOf(volume);
    return type === undefined ? [] : [forbidden(`spec.volumes[${at}].${type}`)];
  });
  return findingOf('restricted volume types', errors, () => {
    const bad = volumes.filter((volume) => typeOf(volume) !== undefined);
    const types = sortedSet(bad.map((volume) => typeOf(volume) ?? ''));
    return `${nameVolumes(bad)} ${plural('uses', bad.length, 'use')} ${plural('restricted volume type', types.length)} ${quoteAll(types)}`;
  });
}

function hasSource(volume: Volume, type: string): boolean {
  return volume[type] !== undefined;
}

/** Requires that the pod, or each container, runs as another user than root. */
export function checkRunAsNonRoot(pod: Pod): Finding | undefined {
  const explicit = contextErrors(pod, ({ runAsNonRoot }, path) =>
    runAsNonRoot === false ? [forbidden(`${path}.runAsNonRoot`, false)] : [],
  );
  const isSet = pod.spec.securityContext?.runAsNonRoot === true;
  const implicit = containerErrors(pod, (context, path) =>
    isSet || context?.runAsNonRoot !== undefined ? [] : [required(`${path}.runAsNonRoot`)],
  );
  return findingOf('runAsNonRoot != true', [...explicit, ...implicit], () =>
    explicit.length > 0
      ? `${setters(pod, explicit)} must not set securityContext.runAsNonRoot=false`
      : `pod or ${nameContainersWith(pod, implicit)} must set securityContext.runAsNonRoot=true`,
  );
}

/** Forbids the user 0. */
export function checkRunAsUser(pod: Pod): Finding | undefined {
  const errors = contextErrors(pod, ({ runAsUser }, path) =>
    runAsUser !== undefined && Number(runAsUser) === 0 ? [forbidden(`${path}.runAsUser`, 0)] : [],
  );
  return findingOf('runAsUser=0', errors, () => `${setters(pod, errors)} must not set runAsUser=0`);
}

/** Returns the check that allows some SELinux types, and no user and no role. */
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
    return findingOf('seLinuxOptions', errors, () => {
      const about = (name: string): readonly PodFieldError[] =>
        errors.filter(({ field }) => field.endsWith(`.${name}`));
      const types = valuesOf(about('type'));
      const facts = [
        ...(types.length > 0 ? [`${plural('type', types.length)} ${quoteAll(types)}`] : []),
        ...['user', 'role']
          .filter((name) => about(name).length > 0)
          .map((name) => `${name} may not be set`),
      ];
      return `${setters(pod, errors)} set forbidden securityContext.seLinuxOptions: ${facts.join('; ')}`;
    });
  };
}

/** Allows only the runtime's own seccomp profile and local ones in annotations. */
export function checkSeccompAnnotations(pod: Pod): Finding | undefined {
  const keys = pod.containers.map(
    ({ container }) => `${seccompContainerAnnotation}${container.name ?? ''}`,
  );
  const annotations = forbiddenAnnotations(
    pod,
    [seccompPodAnnotation, ...keys],
    (profile) =>
      profile === 'runtime/default' ||
      profile === 'docker/default' ||
      profile.startsWith('localhost/'),
  );
  return findingOf('seccompProfile', annotationErrors(pod, annotations), () => {
    const shown = sortedSet(shownAnnotations(pod, annotations));
    return `forbidden ${plural('annotation', shown.length)} ${shown.join(', ')}`;
  });
}

function seccompErrors(pod: Pod): readonly PodFieldError[] {
  return contextErrors(pod, ({ seccompProfile }, path) => {
    if (seccompProfile === undefined) return [];
    const { type = '' } = seccompProfile;
    return isSeccompAllowed(type) ? [] : [forbidden(`${path}.seccompProfile.type`, type)];
  });
}

function isSeccompAllowed(type: string | undefined): boolean {
  return type === 'Localhost' || type === 'RuntimeDefault';
}

/** Allows only the runtime's own seccomp profile and local ones, where one is set. */
export function checkSeccompProfiles(pod: Pod): Finding | undefined {
  const errors = seccompErrors(pod);
  return findingOf(
    'seccompProfile',
    errors,
    () =>
      `${setters(pod, errors)} must not set securityContext.seccompProfile.type to ${quoteAll(valuesOf(errors))}`,
  );
}

/** Requires an allowed seccomp profile of the pod or of each container. */
export function checkSeccompRequired(pod: Pod): Finding | undefined {
  const wrong = checkSeccompProfiles(pod);
  if (wrong !== undefined) return wrong;
  const isSet = isSeccompAllowed(pod.spec.securityContext?.seccompProfile?.type);
  const missing = containerErrors(pod, (context, path) =>
    isSet || context?.seccompProfile !== undefined ? [] : [required(`${path}.seccompProfile.type`)],
  );
  return findingOf(
    'seccompProfile',
    missing,
    () =>
      `pod or ${nameContainersWith(pod, missing)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  );
}

/** Returns the check that allows some kernel parameters. */
export function checkSysctls(allowed: readonly string[]): CheckPod {
  return ({ spec }) => {
    const errors = (spec.securityContext?.sysctls ?? []).flatMap(({ name = '' }, at) =>
      allowed.includes(name) ? [] : [forbidden(`${podContext}.sysctls[${at}].name`, name)],
    );
    return findingOf('forbidden sysctls', errors, () =>
      errors.map(({ value }) => String(value)).join(', '),
    );
  };
}

/** Forbids processes of a Windows host. */
export function checkHostProcess(pod: Pod): Finding | undefined {
  const errors = contextErrors(pod, ({ windowsOptions }, path) =>
    windowsOptions?.hostProcess === true
      ? [forbidden(`${path}.windowsOptions.hostProcess`, true)]
      : [],
  );
  return findingOf(
    'hostProcess',
    errors,
    () => `${setters(pod, errors)} must not set securityContext.windowsOptions.hostProcess=true`,
  );
}
