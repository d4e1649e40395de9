// What the packages of kubeadmit share and users rarely need; it may change with every version.

// Indexes of lists in the paths of JSON patches, in whichever dialect
export {
  existingIndex,
  insertionIndex,
  invalidIndex,
  parseIndex,
} from './json-patch/list-index.ts';
