import { describeValue, hasMembers } from '@kubeadmit/base';
import type { Schemas } from './schemas.ts';

/**
 * Requires the name of a resource or of a kind, in a version.
 *
 * @throws TypeError when it is something else
 */
export function requireName(call: string, name: object, last: 'resource' | 'kind'): void {
  const parts = hasMembers(name) ? [name['group'], name['version'], name[last]] : [undefined];
  if (parts.every((part) => typeof part === 'string')) return;
  throw new TypeError(
    `${call}: expected \`{ group, version, ${last} }\` of strings, got ${describeValue(name)}`,
  );
}

/**
 * Gives schemas back.
 *
 * @throws TypeError when they are something else, such as the promise of some.
 */
export function requireSchemas(call: string, schemas: Schemas): Schemas {
  if (hasMembers(schemas) && schemas.names !== undefined && schemas.types !== undefined) {
    return schemas;
  }
  throw new TypeError(
    `${call}: expected schemas from \`await loadSchemas()\`, got ${describeValue(schemas)}`,
  );
}
