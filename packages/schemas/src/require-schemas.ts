import { describeValue, hasMembers } from '@kubeadmit/go/internal';
import type { Schemas } from './schemas.ts';

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
    `${call} takes schemas (\`await loadSchemas()\` gives them), not ${describeValue(schemas)}`,
  );
}
