import type { ManifestObject, Path } from '@kubeadmit/manifest';

/** A file, folder or pattern, or an object in the suite with its path. */
export type SourceReference = string | WrittenObject;

/** An object that a suite contains. */
export interface WrittenObject {
  readonly path: Path;
  readonly object: ManifestObject;
}

/** Reads a reference of a suite: the name of a file, or an object. */
export function referenceOf(value: unknown, path: Path): SourceReference {
  return typeof value === 'string' ? value : { path, object: value as ManifestObject };
}
