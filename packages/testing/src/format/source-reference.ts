import type { ManifestObject, Path } from '@kubeadmit/manifest';

/** A file, folder or pattern; or an object that stands in the suite itself, with its path there. */
export type SourceReference = string | WrittenObject;

/** An object that stands in a suite. */
export interface WrittenObject {
  readonly path: Path;
  readonly object: ManifestObject;
}

/** A reference of a suite: the name of a file, or an object that stands there. */
export function referenceOf(value: unknown, path: Path): SourceReference {
  return typeof value === 'string' ? value : { path, object: value as ManifestObject };
}
