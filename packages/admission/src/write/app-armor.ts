import {
  isObject,
  type KubernetesObject,
  member,
  memberObject,
  memberText,
} from '@kubeadmit/apimachinery';
import { deepEqual } from '@kubeadmit/go';
import { metadataOf } from './metadata.ts';

const prefix = 'container.apparmor.security.beta.kubernetes.io/';
const localhost = 'localhost/';
const longestProfile = 4095;

/** The profile in the deprecated annotation of a container, and whether the container gets it. */
export interface AnnotatedProfile {
  readonly key: string;
  /** The field of the container; undefined if it has the profile from the pod, or if the annotation is invalid. */
  readonly profile: KubernetesObject | undefined;
  /** Whether a client is warned about the annotation. */
  readonly isDeprecated: boolean;
}

/**
 * Returns the AppArmor profile in the annotation of a container that sets none itself; undefined without annotation
 * (registry/core/pod `applyAppArmorVersionSkew`).
 */
export function annotatedProfile(
  pod: KubernetesObject,
  container: unknown,
): AnnotatedProfile | undefined {
  const spec = member(pod, 'spec');
  if (memberText(member(spec, 'os'), 'name') === 'windows') return undefined;
  const key = `${prefix}${memberText(container, 'name')}`;
  const annotation = metadataOf(pod).annotations?.[key];
  const own = memberObject(container, 'securityContext')['appArmorProfile'] ?? undefined;
  if (annotation === undefined || own !== undefined) return undefined;
  const profile = profileOf(annotation);
  if (profile === undefined) return { key, profile, isDeprecated: true };
  const isSame = deepEqual(profile, memberObject(spec, 'securityContext')['appArmorProfile']);
  return { key, profile: isSame ? undefined : profile, isDeprecated: !isSame };
}

/** Returns the field for the value of an annotation; undefined for an invalid value (`ApparmorFieldForAnnotation`). */
export function profileOf(annotation: string): KubernetesObject | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(localhost)) return undefined;
  const localhostProfile = annotation.slice(localhost.length);
  const isValid =
    localhostProfile !== '' &&
    localhostProfile.trim() === localhostProfile &&
    localhostProfile.length <= longestProfile;
  return isValid ? { type: 'Localhost', localhostProfile } : undefined;
}

/** Returns a container with the profile in its annotation. */
export function withAnnotatedProfile(pod: KubernetesObject, container: unknown): unknown {
  const appArmorProfile = annotatedProfile(pod, container)?.profile;
  if (appArmorProfile === undefined || !isObject(container)) return container;
  const securityContext = { ...memberObject(container, 'securityContext'), appArmorProfile };
  return { ...container, securityContext };
}
