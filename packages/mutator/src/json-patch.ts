// Operations of JSON patches on a document, for every dialect of patches.

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
