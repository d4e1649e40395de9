/** A store that cannot be opened or reached. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
