import { type KubernetesObject, kindOfObject, member } from '@kubeadmit/apimachinery';
import { objectName, type Resources } from './read-resources.ts';
import type { Problem } from './snapshot.ts';

const ignored =
  'registries get the credentials of `--image-pull-secret` and `--registry-config` only, and `--allow-insecure-registry` allows HTTP';

/** Returns a warning for each policy of Kyverno with settings for registries, which options replace. */
export function imageNotes(
  objects: Iterable<KubernetesObject>,
  note: Resources['problemAbout'],
): readonly Problem[] {
  const notes: Problem[] = [];
  for (const object of objects) {
    const { group = '', kind = '' } = kindOfObject(object) ?? {};
    const spec = member(object, 'spec');
    const isInCel = /^(?:Namespaced)?ImageValidatingPolicy$/.test(kind);
    const field =
      isInCel && member(spec, 'credentials') !== undefined
        ? 'credentials'
        : group === 'kyverno.io' && hasMember(spec, 'imageRegistryCredentials')
          ? 'imageRegistryCredentials'
          : undefined;
    if (field !== undefined) {
      notes.push(note(objectName(object), `\`${field}\` is ignored: ${ignored}`));
    }
  }
  return notes;
}

function hasMember(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, each]) => key === name || hasMember(each, name));
}
