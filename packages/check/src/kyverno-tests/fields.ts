import type { Value } from '@kubeadmit/cel';
import { isRecord } from '@kubeadmit/manifest';
import { testStructs } from './test-structs.ts';
import type { TestType } from './test-types.data.ts';

/** Says that a document has not the shape that it should have; caught where documents are read. */
export class ShapeProblem extends Error {}

/** The fields of an object by the names that they should have. */
export type Fields = ReadonlyMap<string, Value>;

/**
 * The fields of an object, found without regard to case, as Go's decoder finds them.
 *
 * @throws ShapeProblem for a field that the type has not, and for anything but an object.
 */
export function readFields(value: Value, path: string, type: TestType): Fields {
  if (!isRecord(value)) throw new ShapeProblem(`\`${path}\` must be an object`);
  const byLowerCase = new Map(
    testStructs()
      .get(type)
      ?.fields.map(({ name }) => [name.toLowerCase(), name]),
  );
  const fields = new Map<string, Value>();
  for (const [key, item] of Object.entries(value)) {
    const name = byLowerCase.get(key.toLowerCase());
    if (name === undefined) {
      throw new ShapeProblem(`unknown field "${path === '' ? key : `${path}.${key}`}"`);
    }
    fields.set(name, item);
  }
  return fields;
}

/** The text of a field; empty where it is missing or null. */
export function textOf(fields: Fields, name: string): string {
  const value = fields.get(name) ?? '';
  if (typeof value !== 'string') throw new ShapeProblem(`\`${name}\` must be a text`);
  return value;
}

/** The texts of some fields as {@link textOf} reads them, by their names. */
export function textsOf<Name extends string>(
  fields: Fields,
  ...names: readonly Name[]
): Readonly<Record<Name, string>> {
  return Object.fromEntries(names.map((name) => [name, textOf(fields, name)])) as never;
}

/**
 * Requires that a document says what it is, a kind of `cli.kyverno.io/v1alpha1`; `what` is its name in a message.
 *
 * @throws ShapeProblem where it does not.
 */
export function requireKind(fields: Fields, what: string, kind: string): void {
  if (textOf(fields, 'apiVersion') !== '' && textOf(fields, 'kind') !== '') return;
  const missing = 'no `apiVersion` and `kind`';
  throw new ShapeProblem(`${what} ${missing}: cli.kyverno.io/v1alpha1, ${kind}`);
}

/** The items of a field; none where it is missing or null. */
export function listOf(fields: Fields, name: string): readonly Value[] {
  const value = fields.get(name) ?? [];
  if (!Array.isArray(value)) throw new ShapeProblem(`\`${name}\` must be a list`);
  return value;
}

/**
 * The fields of an object in a field; none where it is missing or null.
 *
 * @throws ShapeProblem as {@link readFields} does.
 */
export function fieldsOf(fields: Fields, name: string, type: TestType): Fields {
  return readFields(fields.get(name) ?? {}, name, type);
}

/** Whether a field is set to true. */
export function truthOf(fields: Fields, name: string): boolean {
  const value = fields.get(name) ?? false;
  if (typeof value !== 'boolean') throw new ShapeProblem(`\`${name}\` must be true or false`);
  return value;
}

/** The fields of an object in a field, whatever their names; none where it is missing or null. */
export function objectOf(fields: Fields, name: string): Fields {
  const value = fields.get(name) ?? {};
  if (!isRecord(value)) throw new ShapeProblem(`\`${name}\` must be an object`);
  return new Map(Object.entries(value));
}
