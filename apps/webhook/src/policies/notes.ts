import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Chain } from '@kubeadmit/check/chain';
import { unknownFieldWarnings } from '@kubeadmit/schemas/internal';
import { objectName, type Resources } from './read-resources.ts';
import type { Problem } from './snapshot.ts';

/**
 * What is right and hardly meant: what has no effect, and fields of files that do not exist. A server prunes fields that
 * it does not know from what kubectl sends, and kubectl tells of them; of those in files nobody else does.
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
  const ofKyverno = kyverno?.notes((object) => !ofFiles.has(object)) ?? [];
  return [
    ...unknown,
    ...cluster.notes.map(({ resource, message }) => note(resource, message)),
    ...ofKyverno.map(({ object, message }) => note(objectName(object), message)),
  ];
}
