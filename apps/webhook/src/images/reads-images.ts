import { type KubernetesObject, kindOfObject, member } from '@kubeadmit/apimachinery';

const kyvernoGroups: ReadonlySet<string> = new Set(['kyverno.io', 'policies.kyverno.io']);

/** Whether policies of Kyverno among objects verify images or read data of images. */
export function readsImages(objects: Iterable<KubernetesObject>): boolean {
  for (const object of objects) {
    const { group = '', kind = '' } = kindOfObject(object) ?? {};
    if (!kyvernoGroups.has(group)) continue;
    if (/^(?:Namespaced)?ImageValidatingPolicy$/.test(kind)) return true;
    if (mentionsImages(member(object, 'spec'))) return true;
  }
  return false;
}

function mentionsImages(value: unknown): boolean {
  // The function of policies in CEL that reads the data of an image.
  if (typeof value === 'string') return /\bimage\.getMetadata\(/i.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, each]) => name === 'verifyImages' || name === 'imageRegistry' || mentionsImages(each),
  );
}
