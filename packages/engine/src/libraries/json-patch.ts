import type { Library } from '@kubeadmit/cel';
import { functionsOf } from '@kubeadmit/cel/declarations';
import { escapePointerSegment } from '@kubeadmit/go';

/**
 * Helpers for JSON patches, in mutations only (apiserver pkg/cel/library/jsonpatch.go).
 *
 * - `jsonpatch.escapeKey("a/b~c")` is `"a~1b~0c"`.
 */
export const jsonPatchLibrary: Library = {
  name: 'kubernetes.jsonpatch',
  functions: functionsOf([
    [
      'jsonpatch.escapeKey',
      'string_jsonpatch_escapeKey_string',
      '(string) -> string',
      escapePointerSegment,
    ],
  ]),
};
