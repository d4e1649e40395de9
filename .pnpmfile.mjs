/**
 * Packed packages export what was built: the sources, which packages of this repository import from each other, are not
 * packed.
 */
export const hooks = {
  beforePacking(manifest) {
    for (const target of Object.values(manifest.exports ?? {})) delete target['@kubeadmit/source'];
    return manifest;
  },
};
