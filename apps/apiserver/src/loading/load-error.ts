/** Manifests that a cluster does not take. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}
