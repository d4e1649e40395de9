import type { Definitions } from '../declarations/definitions.ts';
import { formatSignature, type Overload } from '../declarations/function-declaration.ts';
import type { Library } from '../declarations/library.ts';
import { isSameCall } from '../declarations/merge-functions.ts';
import { type ObjectType, ObjectTypes } from '../host/object-types.ts';
import { defineType, type TypeDefinition } from '../host/type-definition.ts';
import { makeHostPath } from '../plan/host-path.ts';
import { valuePaths } from '../plan/value-path.ts';
import type { EnvironmentOptions } from './options.ts';
import { Vocabulary } from './vocabulary.ts';

// Declarations in addition to libraries; a separate file, so that bundles without declarations omit it.

/** The vocabulary of options, with their types. */
export function vocabularyOf(
  options: EnvironmentOptions,
  definitions: Definitions | undefined,
): Vocabulary {
  const types = new Map<string, ObjectType>();
  for (const [name, definition] of Object.entries(options.types ?? {})) {
    defineType(types, name, definition);
  }
  return vocabularyWith(options, types, definitions);
}

/** A vocabulary with options that declare no other types and libraries. */
export function withOptions(
  { options, types, known }: Vocabulary,
  more: Omit<EnvironmentOptions, 'types' | 'libraries'>,
): Vocabulary {
  return vocabularyWith({ ...options, ...more }, types, known);
}

/** A vocabulary with an object type more; throws a `TypeError` where there is one of the name. */
export function withType(
  vocabulary: Vocabulary,
  name: string,
  definition: TypeDefinition,
): Vocabulary {
  if (vocabulary.definitions.types.has(name)) {
    throw new TypeError(`the type \`${name}\` already exists`);
  }
  const types = new Map(vocabulary.types);
  defineType(types, name, definition);
  const { options } = vocabulary;
  return vocabularyWith({ ...options, types: { ...options.types, [name]: definition } }, types);
}

/** A vocabulary with an overload more, which may not take the place of another: throws a `TypeError` then. */
export function withOverload(
  { options, types, definitions }: Vocabulary,
  name: string,
  overload: Overload,
): Vocabulary {
  const known = definitions.functions.get(name);
  const same = known?.overloads.find((other) => isSameCall(other, overload));
  if (same !== undefined) {
    throw new TypeError(`\`${name}\` has an overload for ${formatSignature(overload)} already`);
  }
  const library: Library = { name, functions: [{ name, overloads: [overload] }] };
  return vocabularyWith({ ...options, libraries: [...(options.libraries ?? []), library] }, types);
}

function vocabularyWith(
  options: EnvironmentOptions,
  types: ReadonlyMap<string, ObjectType>,
  definitions?: Definitions,
): Vocabulary {
  const hostTypes = new ObjectTypes(types);
  return new Vocabulary(options, {
    definitions,
    types,
    hostTypes,
    makePath: makeHostPath,
    paths: valuePaths,
  });
}
