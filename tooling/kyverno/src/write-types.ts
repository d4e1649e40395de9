import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Reads the output of `oracle/types.go` and writes the table of types that policies are read with, in the
// form of the tables of `packages/schemas`.
type Row = readonly [field: string, type: string, inside?: string];

/** The types that parse their JSON themselves, with the accepted shapes and the error for other values. */
const ownTypes: Readonly<Record<string, readonly [shape: string, refusal?: string]>> = {
  'v1.ForEachValidationWrapper': ['own:[]v1.ForEachValidation'],
  'v1.ForEachMutationWrapper': ['own:[]v1.ForEachMutation'],
  'v1.ConditionsWrapper': [
    'own:[]v1.Condition|v1.AnyAllConditions',
    'failed to unmarshal Conditions',
  ],
};

const freeTypes: Readonly<Record<string, string>> = { 'v1.JSON': 'json', 'kyverno.Any': 'sorted' };

/** A shape with the facts that its text does not contain. */
interface Described {
  readonly shape: string;
  readonly go?: string;
  readonly refusal?: string;
}

function describe(type: string): Described {
  const equals = type.indexOf('=');
  if (type.startsWith('*')) return prefixed('*', '*', type.slice(1));
  if (equals > 0) return { ...describe(type.slice(equals + 1)), go: type.slice(0, equals) };
  if (type.startsWith('[]')) return prefixed('[]', '[]', type.slice(2));
  if (type.startsWith('map:')) return prefixed('{}', 'map[string]', type.slice(4));
  const [kind = '', go] = type.split(':');
  if (go === undefined) return { shape: type };
  if (kind !== 'any') return { shape: kind, go };
  const [shape = freeTypes[go] ?? 'free', refusal] = ownTypes[go] ?? [];
  return { shape, ...(shape !== 'json' && { go }), ...(refusal !== undefined && { refusal }) };
}

function prefixed(mark: string, go: string, inner: string): Described {
  const { shape, ...facts } = describe(inner);
  const named = facts.go === undefined ? {} : { go: `${go}${facts.go}` };
  return { shape: mark + shape, ...facts, ...named };
}

function write([field, type, inside]: Row): readonly unknown[] {
  const { shape, ...named } = describe(type);
  const facts = { ...named, ...(inside !== undefined && { inside }) };
  const isOptional = field.endsWith('?');
  const row = [isOptional ? field.slice(0, -1) : field, isOptional ? `${shape},omitempty` : shape];
  return Object.keys(facts).length === 0 ? row : [...row, facts];
}

const printed = JSON.parse(readFileSync(0, 'utf8')) as Readonly<Record<string, readonly Row[]>>;
const packages = new Map<string, string[]>();
for (const [name, rows] of Object.entries(printed)) {
  const dot = name.lastIndexOf('.');
  const goPackage = name.slice(0, dot);
  // These stand in the tables of Kubernetes.
  if (goPackage === 'meta.v1') continue;
  const line = `${name.slice(dot + 1)} ${JSON.stringify({ fields: rows.map(write) })}`;
  packages.set(goPackage, [...(packages.get(goPackage) ?? []), line]);
}
const texts = [...packages].map(([name, lines]) => {
  const key = /^\w+$/.test(name) ? name : `'${name}'`;
  return `  ${key}: \`${lines.join('\n')}\`,`;
});
const text = `/**
 * The Go types that Kyverno 1.19 decodes policies and exceptions into, by package, as JSON. Written by
 * \`tooling/kyverno\`.
 */
export const policyTypes: Readonly<Record<string, string>> = {
${texts.join('\n')}
};
`;
const target = join(
  import.meta.dirname,
  '../../../packages/kyverno/src/policy-validation/policy-types.data.ts',
);
writeFileSync(target, text);
