// What the packages of kubeadmit share and users rarely need; it may change with every version.

// What dialects of JSON patches have in common
export { applyOperation } from './json-patch/apply-operation.ts';
export {
  type Container,
  type Found,
  isContainer,
  missing,
  type Node,
  PatchError,
  PatchedDocument,
  type Target,
  writtenNull,
} from './json-patch/document.ts';
export { invalidIndex, parseIndex } from './json-patch/list-index.ts';
