/** The largest index or manifest in bytes. */
export const maxManifestSize = 4 * 2 ** 20;

/** The largest other content in bytes. */
export const maxBlobSize = 64 * 2 ** 20;
