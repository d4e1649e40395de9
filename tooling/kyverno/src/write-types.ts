import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Reads what the program in `go-types` prints and writes the table of types that policies are read with.
const printed = JSON.parse(readFileSync(0, 'utf8')) as Record<
  string,
  readonly (readonly string[])[]
>;
const lines = Object.entries(printed).map(([name, fields]) => {
  const members = fields.map((field) => `    [${field.map((part) => `'${part}'`).join(', ')}],`);
  return `  '${name}': [\n${members.join('\n')}\n  ],`;
});
const text = `import type { TypeTable } from '../go-types/shape.ts';

/**
 * The Go types that Kyverno 1.19 decodes policies and exceptions into: fields in their order, with \`?\` after those
 * that are left out when empty.
 */
export const policyTypes: TypeTable = {
${lines.join('\n')}
};
`;
const target = join(
  import.meta.dirname,
  '../../../packages/kyverno/src/policy-validation/policy-types.data.ts',
);
writeFileSync(target, text);
