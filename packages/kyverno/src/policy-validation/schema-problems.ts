import { isObject, type JsonObject, member } from '@kubeadmit/apimachinery';
import { formatFieldPath } from '@kubeadmit/apimachinery/field-errors';
import { quote } from '@kubeadmit/go';
import type { Shape, StructType } from '@kubeadmit/schemas/types';
import { stringField } from '../fields/fields.ts';
import {
  allowedFieldValues,
  allowedValues,
  exclusiveFields,
  oneOf,
  requiredFields,
  servedVersions,
} from './policy-schema.data.ts';
import { policyStruct, policyStructs } from './policy-structs.ts';
import { jsonTypeOf, limitProblems, oneOfText, unfit, wrongTypeText } from './schema-limits.ts';

/** A violation of the definition of a Kyverno kind. */
export interface SchemaProblem {
  /**
   * An unknown field, or a value that the server rejects. Where the schema is open, the server accepts both: `ignored` is
   * such a field, and `odd` such a value.
   */
  readonly kind: 'unknown' | 'refused' | 'ignored' | 'odd';
  /** The path of the field. */
  readonly path: readonly (string | number)[];
  /** The server's text. */
  readonly message: string;
  /** The accepted alternatives: field names or values. */
  readonly choices: readonly string[];
}

/**
 * Holds a policy or exception against the definition of its kind: a version that it does not serve, unknown fields,
 * values that it does not list, fields that it requires. Wrong types in ClusterPolicies and Policies are left to
 * `validatePolicyObject`, which has the words of Go's decoder; unknown kinds give nothing.
 */
export function findSchemaProblems(source: JsonObject): readonly SchemaProblem[] {
  const unserved = unservedVersion(source);
  if (unserved !== undefined) return [unserved];
  const type = typeOfKind(stringField(source, 'apiVersion'), stringField(source, 'kind'));
  const problems: SchemaProblem[] = [];
  if (type !== undefined) {
    const isTyped = type.name !== 'v1.ClusterPolicy' && type.name !== 'v1.Policy';
    new SchemaWalk(problems, isTyped).lookAtFields(source, type, []);
    problems.push(...missingName(source));
  }
  return problems;
}

function missingName(source: JsonObject): readonly SchemaProblem[] {
  const metadata = member(source, 'metadata');
  const isNamed =
    isObject(metadata) &&
    ['name', 'generateName'].some((field) => stringField(metadata, field) !== '');
  if (isNamed) return [];
  const message = 'metadata.name: Required value: name or generateName is required';
  return [{ kind: 'refused', path: isObject(metadata) ? ['metadata'] : [], message, choices: [] }];
}

/** A version of a kind of Kyverno that no server has, in the words of its clients; undefined for any other object. */
export function unservedVersion(source: JsonObject): SchemaProblem | undefined {
  const [apiVersion, kind] = [stringField(source, 'apiVersion'), stringField(source, 'kind')];
  const [group = '', version = ''] = apiVersion.split('/');
  const key = `${group}/${kind}`;
  const served = Object.hasOwn(servedVersions, key) ? servedVersions[key] : undefined;
  if (served === undefined || served.includes(version)) return undefined;
  return {
    kind: 'refused',
    path: ['apiVersion'],
    message: `no matches for kind ${quote(kind)} in version ${quote(apiVersion)}`,
    choices: served.map((each) => `${group}/${each}`),
  };
}

function typeOfKind(apiVersion: string, kind: string): StructType | undefined {
  if (apiVersion.split('/', 1)[0] === 'policies.kyverno.io') {
    return policyStructs.get(`cel.${kind.replace(/^Namespaced(?=.)/, '')}`);
  }
  if (kind === 'ClusterPolicy' || kind === 'Policy') return policyStruct(`v1.${kind}`);
  return kindsOfVersion2.has(kind) ? policyStruct(`v2.${kind}`) : undefined;
}

/** The kinds of `kyverno.io` whose Go types are in the package `v2`. */
const kindsOfVersion2: ReadonlySet<string> = new Set([
  'PolicyException',
  'CleanupPolicy',
  'ClusterCleanupPolicy',
  'GlobalContextEntry',
]);

/** Types of statuses, which users never write. */
const statusTypes: ReadonlySet<string> = new Set([
  'v1.PolicyStatus',
  'v2.CleanupPolicyStatus',
  'v2.GlobalContextEntryStatus',
]);

type Path = readonly (string | number)[];

class SchemaWalk {
  readonly #problems: SchemaProblem[];
  /** Whether the definition leaves the current place open. */
  #isOpen = false;

  readonly #isTyped: boolean;

  /** @param isTyped whether values have to be of their types */
  constructor(problems: SchemaProblem[], isTyped: boolean) {
    this.#problems = problems;
    this.#isTyped = isTyped;
  }

  look(value: unknown, shape: Shape, path: Path): void {
    if (value === undefined || value === null) return;
    if (this.#isTyped && !this.#isOfType(value, shape, path)) return;
    const { kind, element = shape, struct = '', choices = [], go } = shape;
    switch (kind) {
      case 'list':
        if (!Array.isArray(value)) return;
        for (const [i, item] of value.entries()) this.#lookAtItem(item, element, [...path, i]);
        return;
      case 'map':
        if (!isObject(value)) return;
        for (const key of Object.keys(value)) this.look(value[key], element, [...path, key]);
        return;
      case 'struct':
        if (isObject(value)) this.lookAtFields(value, policyStruct(struct), path);
        return;
      case 'own':
        this.#lookAtChoice(value, choices, path);
        return;
      case 'string':
        if (typeof value === 'string') this.#lookAtText(value, allowedValues[go], path);
        return;
      default:
        return;
    }
  }

  /** A field that is null counts as absent; an item of a list does not. */
  #lookAtItem(value: unknown, element: Shape, path: Path): void {
    if (value === null && this.#isTyped) this.#isOfType(value, element, path);
    else this.look(value, element, path);
  }

  #isOfType(value: unknown, shape: Shape, path: Path): boolean {
    const wanted = jsonTypes[shape.kind];
    if (wanted === undefined || wanted === jsonTypeOf(value)) return true;
    this.#add('refused', path, wrongTypeText(value, wanted, path), []);
    for (const message of consequences(value, shape, path)) this.#add('refused', path, message, []);
    return false;
  }

  lookAtFields(value: JsonObject, { name: struct, byName }: StructType, path: Path): void {
    if (statusTypes.has(struct)) return;
    // The tables below name types as Go does, with the last part of their package.
    const type = struct.split('.').slice(-2).join('.');
    for (const name of Object.keys(value)) {
      const field = byName.get(name);
      const at = [...path, name];
      if (field === undefined) {
        const message = `unknown field ${quote(formatFieldPath(at))}`;
        this.#add('unknown', at, message, [...byName.keys()]);
        continue;
      }
      // The server itself checks the contents of metadata fields.
      if (struct === 'meta.v1.ObjectMeta') continue;
      const listed = allowedFieldValues[`${type}.${name}`];
      const held = value[name];
      if (listed !== undefined && typeof held === 'string') this.#lookAtText(held, listed, at);
      else this.look(held, field.shape, at);
      for (const { path: where, message } of limitProblems(held, `${type}.${name}`, at)) {
        this.#add('refused', where, message, []);
      }
    }
    for (const name of requiredFields[struct] ?? requiredFields[type] ?? []) {
      if (value[name] !== undefined && value[name] !== null) continue;
      this.#add('refused', path, `${formatFieldPath([...path, name])}: Required value`, []);
    }
    const exclusive = exclusiveFields[type] ?? [];
    if (exclusive.length > 0 && exclusive.every((name) => value[name] != null)) {
      this.#add('refused', path, unfit(path, notText), []);
    }
    const alternatives = oneOf[struct];
    if (alternatives !== undefined) this.#lookAtAlternatives(value, alternatives, path);
    if (struct === 'cel.Generation') this.#lookAtGeneration(value, path);
  }

  #lookAtGeneration(value: JsonObject, path: Path): void {
    const count = ['expression', 'template'].filter((name) => value[name] != null).length;
    if (count === 1) return;
    const text = 'exactly one of expression or template must be set';
    this.#add('refused', path, `${formatFieldPath(path)}: Invalid value: ${text}`, []);
  }

  #lookAtAlternatives(value: JsonObject, names: readonly string[], path: Path): void {
    const count = names.filter((name) => value[name] != null).length;
    if (count === 1) return;
    this.#add('refused', path, oneOfText(path, count), []);
    // The server also reports the first alternative as missing.
    const [first = ''] = names;
    if (count > 0) return;
    this.#add('refused', path, `${formatFieldPath([...path, first])}: Required value`, []);
  }

  // If the definition is open, an older form may be accepted in addition to the documented one.
  #lookAtChoice(value: unknown, choices: readonly Shape[], path: Path): void {
    const chosen = choices.find(({ kind }) => (kind === 'list') === Array.isArray(value));
    if (chosen === undefined) return;
    const before = this.#isOpen;
    this.#isOpen = true;
    this.look(value, chosen, path);
    this.#isOpen = before;
  }

  #lookAtText(value: string, listed: readonly string[] | undefined, path: Path): void {
    if (listed === undefined || listed.includes(value)) return;
    // Kyverno itself reads values that the definition leaves open, after it has replaced variables.
    if (this.#isOpen && (value === '' || value.includes('{{'))) return;
    this.#add('refused', path, unlistedText(quote(value), listed, path), listed);
  }

  #add(kind: 'unknown' | 'refused', path: Path, message: string, choices: readonly string[]): void {
    const inOpen = kind === 'unknown' ? 'ignored' : 'odd';
    this.#problems.push({ kind: this.#isOpen ? inOpen : kind, path, message, choices });
  }
}

/** The JSON type of each kind of shape; the other kinds are open. */
const jsonTypes: Readonly<Partial<Record<Shape['kind'], string>>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'integer',
  int64: 'integer',
  list: 'array',
  map: 'object',
  struct: 'object',
};

/** The further errors of the server for a value of another type, which fits no alternative and no list either. */
function consequences(value: unknown, { kind, struct = '', go }: Shape, path: Path): string[] {
  const listed = kind === 'string' ? allowedValues[go] : undefined;
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  if (listed !== undefined && isScalar) return [unlistedText(String(value), listed, path)];
  if (kind !== 'struct' || value === null) return [];
  const alternatives = oneOf[struct];
  return [
    ...(alternatives === undefined ? [] : [oneOfText(path, alternatives.length)]),
    ...(exclusiveFields[struct] === undefined ? [] : [unfit(path, notText)]),
  ];
}

const notText = 'must not validate the schema (not)';

function unlistedText(value: string, listed: readonly string[], path: Path): string {
  const supported = listed.map((each) => quote(each)).join(', ');
  return `${formatFieldPath(path)}: Unsupported value: ${value}: supported values: ${supported}`;
}
