import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Chain } from '@kubeadmit/chain';
import { unknownFieldWarnings } from '@kubeadmit/schemas/unstable-internal';
import { objectName, type Resources } from './read-resources.ts';
import type { Problem } from './snapshot.ts';

/**
 * Returns warnings about valid policies: policies without effect, and unknown fields in files.
 *
 * A server prunes unknown fields, and kubectl reports them; for files, only these warnings do.
 */
export function notesOf(
  { cluster, kyverno }: Chain,
  fileObjects: readonly KubernetesObject[],
  note: Resources['problemAbout'],
): readonly Problem[] {
  const unknown = fileObjects
    .filter(({ apiVersion }) => String(apiVersion).startsWith('admissionregistration.k8s.io/'))
    .flatMap((object) =>
      unknownFieldWarnings(cluster.schemas, object).map((warning) =>
        note(objectName(object), warning),
      ),
    );
  const ofFiles = new Set(fileObjects);
  const ofKyverno = kyverno?.diagnostics.notes((object) => !ofFiles.has(object)) ?? [];
  return [
    ...unknown,
    ...cluster.notes.map(({ resource, message }) => note(resource, message)),
    ...ofKyverno.map(({ object, message }) => note(objectName(object), message)),
  ];
}
