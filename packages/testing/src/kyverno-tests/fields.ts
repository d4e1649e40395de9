import { closest, didYouMean } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import { type TestType, testStructs } from '@kubeadmit/kyverno/validation';
import {
  isRecord,
  Manifest,
  type ManifestObject,
  type Path,
  type Place,
  parseFieldPath,
  type ReadDocument,
  type TextRange,
} from '@kubeadmit/manifest';
import type { StructType } from '@kubeadmit/schemas/types';
import { readStruct } from '@kubeadmit/schemas/workloads';

/** A document of the wrong shape; caught where documents are read. */
export class ShapeProblem extends Error {
  /** Where the mistake is, from the value that was being read. */
  readonly path: Path;

  constructor(message: string, path: Path = []) {
    super(message);
    this.path = path;
  }
}

/** Reads a part of a value; the path of its mistakes then begins at the value. */
export function within<T>(path: Path, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ShapeProblem)) throw error;
    throw new ShapeProblem(error.message, [...path, ...error.path]);
  }
}

/** Reads each item of a field that is a list. */
export function eachOf<T>(
  fields: Fields,
  name: string,
  read: (item: Value, index: number) => T,
): readonly T[] {
  return listOf(fields, name).map((item, index) => within([name, index], () => read(item, index)));
}

/** The position of a mistake in a document: the key at its path, else the value. */
export function mistakeIn({ value, origin, path }: ReadDocument, at: Path): TextRange {
  const root = new Manifest(value as unknown as ManifestObject, origin, path);
  return root.keyRange(at) ?? root.range(at);
}

/** The place of a part of a document; a document itself has none. */
export interface PartPlace {
  readonly file: string;
  readonly place?: Place;
}

/** Finds the places of parts of a document by their paths. */
export type FindPlace = (path: Path) => PartPlace;

/** Returns a function that finds the places of parts of a document; `file` is the name of an empty one. */
export function placesIn(document: ReadDocument | undefined, file: string): FindPlace {
  return (path) => {
    if (document === undefined || path.length === 0) return { file };
    const { source } = document.origin;
    return { file: source.name, place: source.placeAt(mistakeIn(document, path).start) };
  };
}

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
      const hint = didYouMean(closest(key, byLowerCase.values()));
      const field = path === '' ? key : `${path}.${key}`;
      throw new ShapeProblem(`unknown field "${field}"${hint}`, [key]);
    }
    fields.set(name, item);
  }
  return fields;
}

/**
 * Requires a value to fit a struct, with the text of Go's decoder, which the Kyverno CLI uses.
 *
 * @throws ShapeProblem for a value of another type, and for a field that the type has not.
 */
export function requireStruct(value: Value, type: TestType): void {
  const types = testStructs();
  const struct = types.get(type) as StructType;
  const { error, errorPlace = [], unknownFields } = readStruct(types, struct, value);
  if (error !== undefined && isReadAsText(type, error, errorPlace)) {
    requireStruct(withText(value, errorPlace), type);
    return;
  }
  if (error !== undefined) throw new ShapeProblem(error, errorPlace);
  const [unknown] = unknownFields;
  if (unknown !== undefined) {
    throw new ShapeProblem(`unknown field "${unknown}"`, parseFieldPath(unknown));
  }
}

/** Whether the YAML reader of the CLI makes a string of a number or boolean: not in structs that embed others. */
function isReadAsText(type: TestType, error: string, [first]: Path): boolean {
  const isEmbedded = type === 'tests.Values' || type === 'tests.UserInfo' || first === 'results';
  return (
    !isEmbedded && /^json: cannot unmarshal (?:number|bool) into .* of type string$/.test(error)
  );
}

/** Returns a value in which the scalar at a path is a string. */
function withText(value: Value, [step, ...rest]: Path): Value {
  if (step === undefined) return String(value);
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === step ? withText(item, rest) : item)) as never;
  }
  const entries = Object.entries(value as unknown as Readonly<Record<string, Value>>);
  return Object.fromEntries(
    entries.map(([key, item]) => [key, key === step ? withText(item, rest) : item]),
  ) as never;
}

/** The text of a field; empty where it is missing or null. */
export function textOf(fields: Fields, name: string): string {
  const value = fields.get(name) ?? '';
  if (typeof value !== 'string') throw new ShapeProblem(`\`${name}\` must be a string`, [name]);
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
 * Requires a document to be of a kind of `cli.kyverno.io/v1alpha1`; `what` is its name in a message.
 *
 * @throws ShapeProblem where it does not.
 */
export function requireKind(fields: Fields, what: string, kind: string): void {
  if (textOf(fields, 'apiVersion') !== '' && textOf(fields, 'kind') !== '') return;
  const missing = 'no `apiVersion` and `kind`';
  const wanted = `\`apiVersion: cli.kyverno.io/v1alpha1\` and \`kind: ${kind}\``;
  throw new ShapeProblem(`${what} ${missing}; add ${wanted}`);
}

/** The items of a field; none where it is missing or null. */
export function listOf(fields: Fields, name: string): readonly Value[] {
  const value = fields.get(name) ?? [];
  if (!Array.isArray(value)) throw new ShapeProblem(`\`${name}\` must be a list`, [name]);
  return value;
}

/**
 * The fields of an object in a field; none where it is missing or null.
 *
 * @throws ShapeProblem as {@link readFields} does.
 */
export function fieldsOf(fields: Fields, name: string, type: TestType): Fields {
  return within([name], () => readFields(fields.get(name) ?? {}, name, type));
}

/** Whether a field is set to true. */
export function truthOf(fields: Fields, name: string): boolean {
  const value = fields.get(name) ?? false;
  if (typeof value !== 'boolean')
    throw new ShapeProblem(`\`${name}\` must be true or false`, [name]);
  return value;
}

/** The fields of an object in a field, whatever their names; none where it is missing or null. */
export function objectOf(fields: Fields, name: string): Fields {
  const value = fields.get(name) ?? {};
  if (!isRecord(value)) throw new ShapeProblem(`\`${name}\` must be an object`, [name]);
  return new Map(Object.entries(value));
}

/** The items of a list of paths. */
export function pathsOf(fields: Fields, name: string): readonly string[] {
  return eachOf(fields, name, (item) => {
    if (typeof item !== 'string') throw new ShapeProblem(`\`${name}\` must be a list of strings`);
    return item;
  });
}
