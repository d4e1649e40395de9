// What mutations make of objects, for packages that judge mutations without a request.
export { fromUnstructured } from './from-unstructured.ts';
export { readPatched } from './read-patched.ts';
