import { getOrMake } from '@kubeadmit/base';
import { newestMinor, oldestMinor } from '@kubeadmit/engine';
import { policyFieldWords, valueWords } from '@kubeadmit/language/words';
import { loadSchemas, type Schemas } from '@kubeadmit/schemas';
import { type DeclaredType, declaredType } from '@kubeadmit/schemas/cel';
import { type StructType, structNamed, structOf } from '@kubeadmit/schemas/types';
import { code, type Page, table } from '../shared/page.ts';

const kinds = [
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
];
const versions = ['v1', 'v1beta1', 'v1alpha1'];

/** The page with the fields of the policy kinds and the servers that have them. */
export async function policyFieldsPage(): Promise<Page> {
  const minors = Array.from({ length: newestMinor - oldestMinor + 1 }, (_, i) => oldestMinor + i);
  const servers = await Promise.all(minors.map((minor) => loadSchemas({ version: `1.${minor}` })));
  const sections = kinds.map((kind) => {
    const fields = new Map<string, { readonly type: string; readonly in: Map<string, number[]> }>();
    for (const server of servers) collect(server, kind, fields);
    const words = wordsByPath(servers.at(-1) as Schemas, kind);
    const rows = [...fields].map(([path, field]) => [
      code(path),
      field.type,
      meaningOf(path, words),
      [...field.in].map(([version, found]) => `${version}: ${rangeText(found)}`).join('; '),
    ]);
    return `## ${kind}\n\n${table(['field', 'type', 'meaning', 'served with'], rows)}`;
  });
  const values = Object.entries(valueWords).flatMap(([type, words]) =>
    Object.entries(words).map(([value, meaning]) => [
      type.replace('v1.', ''),
      code(value),
      meaning,
    ]),
  );
  const markdown = `# Fields of policies

The fields of the policy kinds of \`admissionregistration.k8s.io\`, with the Kubernetes versions that serve them. [Editors](../guides/editors) show the same descriptions.

${sections.join('\n\n')}

## Values

${table(['type', 'value', 'meaning'], values)}
`;
  return { path: 'reference/policy-fields', markdown };
}

function meaningOf(path: string, words: ReadonlyMap<string, string>): string {
  const meaning = words.get(path);
  if (meaning === undefined) throw new Error(`no description of ${path}`);
  return meaning;
}

/** Returns the descriptions of a kind's fields by path. */
function wordsByPath(schemas: Schemas, kind: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const walk = (struct: StructType | undefined, path: string): void => {
    for (const { name, shape } of struct?.fields ?? []) {
      if (path === '' && name !== 'spec') continue;
      const inner = path === '' ? name : `${path}.${name}`;
      const words = policyFieldWords[struct?.ownName ?? '']?.[name];
      if (words !== undefined) found.set(inner, words);
      const element = shape.kind === 'list' ? shape.element : shape;
      if (element?.struct === undefined) continue;
      walk(structNamed(schemas, element.struct), shape.kind === 'list' ? `${inner}[]` : inner);
    }
  };
  walk(structOf(schemas, { group: 'admissionregistration.k8s.io', version: 'v1', kind }), '');
  return found;
}

function collect(
  server: Schemas,
  kind: string,
  fields: Map<string, { readonly type: string; readonly in: Map<string, number[]> }>,
): void {
  for (const version of versions) {
    const declared = declaredType(server, { group: 'admissionregistration.k8s.io', version, kind });
    if (declared === undefined) continue;
    for (const [path, type] of fieldsOf(declared, '')) {
      const field = getOrMake(fields, path, () => ({ type, in: new Map<string, number[]>() }));
      getOrMake(field.in, version, () => []).push(server.minor);
    }
  }
}

function* fieldsOf(declared: DeclaredType, path: string): Generator<readonly [string, string]> {
  for (const { name, type } of declared.fields?.values() ?? []) {
    if (path === '' && name !== 'spec') continue;
    const inner = path === '' ? name : `${path}.${name}`;
    if (path !== '') yield [inner, typeName(type)];
    const element = type.kind === 'list' ? type.element : type;
    if (element?.fields !== undefined) {
      yield* fieldsOf(element, type.kind === 'list' ? `${inner}[]` : inner);
    }
  }
}

function typeName(type: DeclaredType): string {
  if (type.kind === 'list')
    return `list of ${type.element === undefined ? 'dyn' : typeName(type.element)}`;
  if (type.kind === 'map')
    return `map of ${type.element === undefined ? 'dyn' : typeName(type.element)}`;
  return type.kind;
}

function rangeText(minors: readonly number[]): string {
  const first = minors[0] ?? 0;
  const last = minors.at(-1) ?? 0;
  if (first === last) return `1.${first}`;
  return last === newestMinor ? `1.${first} and newer` : `1.${first} to 1.${last}`;
}
