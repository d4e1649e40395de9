import type { Library } from '@kubeadmit/cel';
import { stringType } from '@kubeadmit/cel/internal';
import { declare, plain } from './declare.ts';

/**
 * Helpers for JSON patches, in mutations only (apiserver pkg/cel/library/jsonpatch.go).
 *
 * - `jsonpatch.escapeKey("a/b~c")` is `"a~1b~0c"`.
 */
export const jsonPatchLibrary: Library = {
  name: 'kubernetes.jsonpatch',
  functions: [
    declare(
      'jsonpatch.escapeKey',
      plain('string_jsonpatch_escapeKey_string', [stringType], stringType, (key: string) =>
        key.replaceAll('~', '~0').replaceAll('/', '~1'),
      ),
    ),
  ],
};
