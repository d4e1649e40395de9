import { type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import { formatPlace, type InputProblem, readManifests, Source } from '@kubeadmit/manifest';
import type { Problem, Snapshot } from './snapshot.ts';

/** The objects of a snapshot and their problems. */
export interface Resources {
  readonly objects: readonly KubernetesObject[];
  /** Returns a problem of an object named `Kind/name`, at the place that the object comes from. */
  readonly problemAbout: (resource: string, message: string) => Problem;
  readonly problems: readonly Problem[];
}

/** Reads the objects of a snapshot like kubectl; a duplicate object is a problem. */
export function readResources(snapshot: Snapshot): Resources {
  const objects: KubernetesObject[] = [];
  const problems: Problem[] = [...snapshot.problems];
  const known = new Map<string, string>();
  const places = new Map<string, string>();
  for (const { name, text } of snapshot.sources) {
    const read = readManifests(new Source(name, text));
    problems.push(...read.problems.map(problemOf));
    for (const manifest of read.manifests) {
      const { group, kind, namespace } = manifest;
      const key = [group, kind, namespace, manifest.name].join('/');
      const place = `${manifest.file}:${manifest.line}`;
      const other = known.get(key);
      if (other !== undefined) {
        problems.push({ place, message: `${manifest.title} is also in ${other}` });
        continue;
      }
      known.set(key, place);
      places.set(`${kind}/${manifest.name}`, place);
      objects.push(manifest.object);
    }
  }
  const problemAbout = (resource: string, message: string): Problem => ({
    place: places.get(resource) ?? resource,
    message: `${resource}: ${message}`,
  });
  return { objects, problemAbout, problems };
}

/** How problems speak of an object: `Kind/name`. */
export function objectName(object: KubernetesObject): string {
  return `${String(object['kind'])}/${metadataString(object, 'name')}`;
}

/** Returns a problem of an input in the webhook's form. */
export function problemOf({
  file,
  place,
  message,
}: Pick<InputProblem, 'file' | 'place' | 'message'>): Problem {
  return { place: formatPlace(file, place), message };
}
